#include "run/frame_files.h"

#include <algorithm>
#include <cmath>

#include "frames/bgeo.h"
#include "frames/body_file.h"
#include "frames/grain_files.h"
#include "frames/ply.h"
#include "frames/vdb.h"
#include "frames/vtu.h"
#include "scene/defaults.h"
#include "scene/output_fields.h"

namespace firn {
namespace {

// Files of each frame: its particles, or its fine grains.
struct Series {
  std::filesystem::path (RunFolder::*file)(std::int64_t, const std::string&) const;
  std::vector<std::int64_t> (*numbers)(const RunFolder&, const std::string&);
  std::filesystem::path (RunFolder::*collection)() const;
  const char *one, *earlier;  // of them, in words
  const char* remedy;         // for earlier ones that lack columns
};
constexpr Series kParticles{&RunFolder::frame,      frame_numbers,
                            &RunFolder::collection, "a frame is",
                            "earlier frames are",   "start anew with --overwrite to have them"};
constexpr Series kGrains{&RunFolder::grains,
                         grain_numbers,
                         &RunFolder::grain_collection,
                         "the grains of a frame are",
                         "grains of earlier frames are",
                         "make them anew with firn upsample --overwrite to have them"};

std::vector<std::int64_t> numbers_without(const Series& series, const RunFolder& folder,
                                          const std::string& format) {
  const std::vector<std::int64_t> all = series.numbers(folder, "ply"),
                                  have = series.numbers(folder, format);
  std::vector<std::int64_t> missing;
  std::set_difference(all.begin(), all.end(), have.begin(), have.end(),
                      std::back_inserter(missing));
  return missing;
}

// Why the table cannot be written in the format; "" when it can.
std::string lacking(const PointTable& table, const std::string& format) {
  for (const std::string& name : columns_for_formats({}, {format}))
    if (!table.has(name)) return "they lack " + name;
  return "";
}

Errors write_table(const std::filesystem::path& path, const std::string& format, const Frame& frame,
                   double voxel) {
  const auto written = format == "bgeo"  ? write_bgeo(path, frame)
                       : format == "vdb" ? write_vdb(path, frame, voxel)
                       : format == "vtu" ? write_vtu(path, frame)
                                         : write_ply(path, frame);
  return written ? Errors{} : written.errors();
}

// The list of ParaView files, anew with each frame: it is complete at any time, also after a run
// was resumed.
Errors write_list(const Series& series, const RunFolder& folder, double fps) {
  std::vector<TimedFile> files;
  for (const std::int64_t number : series.numbers(folder, "vtu"))
    files.push_back({static_cast<double>(number) / fps,
                     "frames/" + (folder.*series.file)(number, "vtu").filename().string()});
  const auto written = write_pvd((folder.*series.collection)(), files);
  return written ? Errors{} : written.errors();
}

// Formats that need more columns than the frame has come first; what the others write, PLY above
// all, does not depend on the formats asked for.
Errors write_files(const Series& series, const RunFolder& folder, std::int64_t number,
                   const FileFormats& formats, Frame& frame) {
  const auto write = [&](const char* format) {
    return write_table((folder.*series.file)(number, format), format, frame, formats.voxel);
  };
  Errors errors;
  for (const char* format : {"bgeo", "vdb"})
    if (errors.empty() && formats.has(format)) errors = write(format);
  std::erase_if(frame.columns, [&](const Column& c) {
    return std::find(formats.extra.begin(), formats.extra.end(), c.name) != formats.extra.end();
  });
  if (errors.empty()) errors = write("ply");
  if (!errors.empty() || !formats.has("vtu")) return errors;
  errors = write("vtu");
  return errors.empty() ? write_list(series, folder, formats.fps) : errors;
}

double voxel_size(const SceneSettings& scene) {
  double finest = INFINITY;
  for (const ObjectSettings& object : scene.objects)
    finest = std::min(finest, particle_spacing(scene, object.sampling));
  for (const EmitterSettings& emitter : scene.emitters)
    finest = std::min(finest, particle_spacing(scene, emitter.sampling));
  return finest;
}

Errors add_missing(const Series& series, const RunFolder& folder, const FileFormats& formats,
                   std::vector<std::string>& notes) {
  for (const std::string& format : formats.formats)
    for (const std::int64_t number : numbers_without(series, folder, format)) {
      const Result<Frame> table = read_ply((folder.*series.file)(number, "ply"));
      if (!table) {
        notes.push_back(std::string(series.one) + " not written as " + format + ": " +
                        table.errors().front());
        continue;
      }
      const std::string reason = lacking(*table, format);
      if (!reason.empty()) {
        notes.push_back(std::string(series.earlier) + " not written as " + format + ": " + reason +
                        "; " + series.remedy);
        break;
      }
      const Errors errors =
          write_table((folder.*series.file)(number, format), format, *table, formats.voxel);
      if (!errors.empty()) return errors;
    }
  std::error_code ignored;
  const bool listed =
      formats.has("vtu") || std::filesystem::exists((folder.*series.collection)(), ignored);
  return listed ? write_list(series, folder, formats.fps) : Errors{};
}

}  // namespace

bool FileFormats::has(const std::string& format) const {
  return std::find(formats.begin(), formats.end(), format) != formats.end();
}

FileFormats frame_formats(const SceneSettings& scene) {
  const OutputSettings& output = scene.output;
  return {output.formats, columns_for_formats(output.fields, output.formats), scene.fps,
          voxel_size(scene)};
}

FileFormats grain_formats(const SceneSettings& scene) {
  FileFormats formats = frame_formats(scene);
  formats.voxel *= std::pow(double(scene.grains->per_particle), -1.0 / double(scene.dimension));
  return formats;
}

Errors write_frame_files(const RunFolder& folder, std::int64_t number, const FileFormats& formats,
                         Frame& frame) {
  return write_files(kParticles, folder, number, formats, frame);
}

Errors write_grain_files(const RunFolder& folder, std::int64_t number, const FileFormats& formats,
                         Frame& grains) {
  return write_files(kGrains, folder, number, formats, grains);
}

Errors write_bodies_file(const RunFolder& folder, std::int64_t number, double time,
                         const std::vector<BodyPose>& bodies) {
  if (bodies.empty()) return {};
  const auto written = write_bodies(folder.bodies(number), number, time, bodies);
  return written ? Errors{} : written.errors();
}

Errors add_missing_formats(const RunFolder& folder, const SceneSettings& scene,
                           std::vector<std::string>& notes) {
  Errors errors = add_missing(kParticles, folder, frame_formats(scene), notes);
  if (!errors.empty() || grain_numbers(folder).empty()) return errors;
  const Result<SceneSettings> fine = scene_of_grains(folder, scene);
  if (fine) return add_missing(kGrains, folder, frame_formats(*fine), notes);
  notes.push_back(fine.errors().front());
  return {};
}

}  // namespace firn
