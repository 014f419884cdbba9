#include "run/existing_run.h"

#include <string_view>

#include "run/checkpoint.h"
#include "run/probes_file.h"
#include "run/run_log.h"
#include "run/stats.h"
#include "scene/output_fields.h"

namespace firn {
namespace fs = std::filesystem;

namespace {

constexpr std::string_view kTemporaryPrefix = ".tmp-";

bool remove_file(const fs::path& path, Errors& errors) {
  std::error_code error;
  fs::remove(path, error);
  if (error) errors.push_back(path.string() + ": cannot remove: " + error.message());
  return !error;
}

// Of all that lies among the frames of a run.
std::vector<std::string> frame_file_endings() {
  std::vector<std::string> endings{".json"};  // where bodies are
  for (const std::string& format : frame_format_names()) endings.push_back("." + format);
  return endings;
}

// Files that were being written when a run was killed: ".tmp-...-NAME" of a NAME that is ours.
void remove_temporaries(const RunFolder& folder, Errors& errors) {
  const auto is_temporary = [](std::string_view name, std::string_view of) {
    return name.starts_with(kTemporaryPrefix) && name.ends_with(of);
  };
  for (const std::string& name : names_in(folder.root))
    for (const fs::path& ours :
         {folder.scene(), folder.stats(), folder.probes(), folder.checkpoint(), folder.collection(),
          folder.grain_collection()})
      if (is_temporary(name, "-" + ours.filename().string()))
        remove_file(folder.root / name, errors);
  for (const std::string& name : names_in(folder.frames()))
    for (const std::string& format : frame_file_endings())
      if (is_temporary(name, format)) remove_file(folder.frames() / name, errors);
}

void remove_frames_after(const RunFolder& folder, std::int64_t last_frame, Errors& errors) {
  for (const std::string& format : frame_format_names())
    for (const std::int64_t number : frame_numbers(folder, format))
      if (number > last_frame) remove_file(folder.frame(number, format), errors);
  for (const std::string& format : frame_format_names())
    for (const std::int64_t number : grain_numbers(folder, format))
      if (number > last_frame) remove_file(folder.grains(number, format), errors);
  for (const std::int64_t number : body_numbers(folder))
    if (number > last_frame) remove_file(folder.bodies(number), errors);
}

}  // namespace

bool holds_run(const RunFolder& folder) {
  return is_run_log(folder.log()) || looks_like_checkpoint(folder.checkpoint());
}

Errors check_run_folder(const RunFolder& folder, ExistingRun existing) {
  std::error_code ignored;
  const std::string name = folder.root.string();
  if (!fs::exists(folder.root, ignored)) return {};
  if (!fs::is_directory(folder.root, ignored)) return {name + ": is a file, not a folder"};
  if (holds_run(folder)) {
    if (existing != ExistingRun::refuse) return {};
    return {name +
            ": holds a run already; continue it with --resume, replace it with --overwrite, "
            "or choose another folder with --out"};
  }
  for (const fs::path& ours :
       {folder.scene(), folder.stats(), folder.probes(), folder.checkpoint(), folder.log(),
        folder.frames(), folder.collection(), folder.grain_collection()})
    if (fs::exists(ours, ignored))
      return {ours.string() +
              ": is not of a run of Firn and will not be replaced; choose another "
              "folder with --out"};
  return {};
}

Errors remove_run(const RunFolder& folder) {
  Errors errors;
  // The checkpoint first: without it nothing can be resumed from half of a run.
  for (const fs::path& path : {folder.checkpoint(), folder.stats(), folder.probes(),
                               folder.collection(), folder.grain_collection()})
    remove_file(path, errors);
  remove_frames_after(folder, -1, errors);
  remove_temporaries(folder, errors);
  remove_file(folder.scene(), errors);
  return errors;
}

Errors rewind_run(const RunFolder& folder, std::int64_t last_frame) {
  Errors errors = truncate_stats(folder.stats(), last_frame);
  const Errors probes = truncate_probes(folder.probes(), last_frame);
  errors.insert(errors.end(), probes.begin(), probes.end());
  remove_frames_after(folder, last_frame, errors);
  remove_temporaries(folder, errors);
  return errors;
}

}  // namespace firn
