#include "run/frame_files.h"

#include <algorithm>
#include <cmath>

#include "frames/bgeo.h"
#include "frames/body_file.h"
#include "frames/ply.h"
#include "frames/vdb.h"
#include "frames/vtu.h"
#include "scene/defaults.h"
#include "scene/output_fields.h"

namespace firn {
namespace {

std::vector<std::int64_t> frames_without(const RunFolder& folder, const std::string& format) {
  const std::vector<std::int64_t> all = frame_numbers(folder), have = frame_numbers(folder, format);
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

}  // namespace

double voxel_size(const SceneSettings& scene) {
  double finest = INFINITY;
  for (const ObjectSettings& object : scene.objects)
    finest = std::min(finest, particle_spacing(scene, object.sampling));
  for (const EmitterSettings& emitter : scene.emitters)
    finest = std::min(finest, particle_spacing(scene, emitter.sampling));
  return finest;
}

Errors write_frame_file(const RunFolder& folder, std::int64_t number, const std::string& format,
                        const Frame& frame, double voxel) {
  return write_table(folder.frame(number, format), format, frame, voxel);
}

std::vector<std::string> grain_formats(const std::vector<std::string>& formats) {
  std::vector<std::string> kept;
  for (const std::string& format : formats)
    if (format == "vtu" || format == "bgeo") kept.push_back(format);
  return kept;
}

Errors write_grain_files(const RunFolder& folder, std::int64_t number,
                         const std::vector<std::string>& formats, const Frame& grains) {
  for (const std::string& format : grain_formats(formats)) {
    Errors errors = write_table(folder.grains(number, format), format, grains, 0);
    if (!errors.empty()) return errors;
  }
  return write_table(folder.grains(number), "ply", grains, 0);
}

Errors write_bodies_file(const RunFolder& folder, std::int64_t number, double time,
                         const std::vector<BodyPose>& bodies) {
  if (bodies.empty()) return {};
  const auto written = write_bodies(folder.bodies(number), number, time, bodies);
  return written ? Errors{} : written.errors();
}

// Anew with each frame: it is complete at any time, also after a run was resumed.
Errors write_collection(const RunFolder& folder, double fps) {
  std::vector<TimedFile> files;
  for (const std::int64_t number : frame_numbers(folder, "vtu"))
    files.push_back({static_cast<double>(number) / fps,
                     "frames/" + folder.frame(number, "vtu").filename().string()});
  const auto written = write_pvd(folder.collection(), files);
  return written ? Errors{} : written.errors();
}

Errors add_missing_formats(const RunFolder& folder, const SceneSettings& scene,
                           std::vector<std::string>& notes) {
  for (const std::string& format : scene.output.formats)
    for (const std::int64_t number : frames_without(folder, format)) {
      const Result<Frame> table = read_ply(folder.frame(number));
      if (!table) {
        notes.push_back("a frame is not written as " + format + ": " + table.errors().front());
        continue;
      }
      const std::string reason = lacking(*table, format);
      if (!reason.empty()) {
        notes.push_back("earlier frames are not written as " + format + ": " + reason +
                        "; start anew with --overwrite to have them");
        break;
      }
      const Errors errors = write_frame_file(folder, number, format, *table, voxel_size(scene));
      if (!errors.empty()) return errors;
    }
  std::error_code ignored;
  const auto& formats = scene.output.formats;
  const bool listed = std::find(formats.begin(), formats.end(), "vtu") != formats.end() ||
                      std::filesystem::exists(folder.collection(), ignored);
  return listed ? write_collection(folder, scene.fps) : Errors{};
}

}  // namespace firn
