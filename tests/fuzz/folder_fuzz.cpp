// Fuzz target of run folders. An input is the files of a folder one after the other, each after a
// line "=== NAME"; they are laid out, looked at, resumed from and brought back to an earlier frame.
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>

#include "exec/parallel.h"
#include "require.h"
#include "run/frame_check.h"
#include "run/run.h"
#include "run/run_log.h"
#include "run/run_resume.h"
#include "scene_io/scene_reader.h"
#include "scratch.h"

namespace {

namespace fs = std::filesystem;

const fs::path& scratch() {
  static const firn::Scratch folder("folder");
  return folder.path();
}

// Only names that stay in the folder.
bool is_plain(std::string_view name) {
  return !name.empty() && name.size() < 60 && name.find("..") == name.npos && name[0] != '/' &&
         name.find('\0') == name.npos;
}

void lay_out(std::string_view text) {
  constexpr std::string_view mark = "=== ";
  std::error_code ignored;
  fs::remove_all(scratch(), ignored);
  fs::create_directories(scratch());
  for (std::size_t at = text.find(mark); at != text.npos;) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    const std::string_view name = text.substr(at + mark.size(), end - at - mark.size());
    at = text.find("\n=== ", end);
    const std::size_t from = std::min(end + 1, text.size());
    const std::string_view content = text.substr(from, at == text.npos ? text.npos
                                                       : at > from     ? at - from
                                                                       : 0);
    if (at != text.npos) ++at;
    if (!is_plain(name)) continue;
    const fs::path path = scratch() / name;
    if (name.ends_with('/')) {
      fs::create_directories(path, ignored);
      continue;
    }
    fs::create_directories(path.parent_path(), ignored);
    std::ofstream(path, std::ios::binary) << content;
  }
}

constexpr const char* kScene = R"({
  "dimension": 2, "frames": 3, "fps": 100, "grid": {"spacing": 0.1},
  "materials": {"jelly": {"model": "neo_hookean", "youngs_modulus": 1000}},
  "objects": [{"name": "block", "shape": {"type": "box", "size": [0.2, 0.2]}, "material": "jelly"}]})";

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  firn::set_thread_count(1);
  lay_out(std::string_view(reinterpret_cast<const char*>(data), size));
  const firn::RunFolder folder{scratch()};
  const std::string name = scratch().string();
  for (const auto way :
       {firn::ExistingRun::refuse, firn::ExistingRun::resume, firn::ExistingRun::overwrite})
    firn::check_lines(firn::check_run_folder(folder, way), name);
  firn::require(firn::lost_frames(folder, 20).size() <= 21, "more frames lost than there were");
  const auto point = firn::find_resume_point(folder);
  if (!point) firn::check_lines(point.errors(), name);
  firn::RunOptions options;
  options.scene = *firn::parse_scene(kScene, "scene.json");
  options.scene_file = "scene.json";
  options.folder = scratch();
  options.program = "fuzz";
  options.existing = size % 2 == 0 ? firn::ExistingRun::resume : firn::ExistingRun::overwrite;
  options.frames = 1;
  firn::RunControl control;
  const firn::RunReport report = firn::run_into_folder(options, control, {});
  for (const std::string& line : report.errors)
    firn::require(line.find('\n') == line.npos && line.size() < 4096, "not one clear line", line);
  if (report.status != firn::RunStatus::finished) return -1;
  firn::require(firn::lost_frames(folder, 1).empty(), "complete, and frames are missing");
  firn::check_lines(firn::rewind_run(folder, 0), name);
  return 0;
}
