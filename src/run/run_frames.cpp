#include "run/run_frames.h"

#include <algorithm>
#include <cmath>
#include <type_traits>

#include "exec/parallel.h"
#include "run/frame_files.h"
#include "run/probes_file.h"

namespace firn {
namespace {

// The name of a column that holds a NaN; empty when none does.
std::string column_with_nan(const PointTable& table) {
  for (const Column& column : table.columns) {
    const bool found = std::visit(
        [](const auto& values) {
          if constexpr (std::is_floating_point_v<
                            typename std::decay_t<decltype(values)>::value_type>)
            for (const auto value : values)
              if (std::isnan(value)) return true;
          return false;
        },
        column.values);
    if (found) return column.name;
  }
  return {};
}

}  // namespace

FrameWriter::FrameWriter(RunFolder folder, StatsFile stats, const SceneSettings& scene)
    : folder_(std::move(folder)),
      stats_(std::move(stats)),
      formats_(frame_formats(scene)),
      grain_formats_(scene.grains ? grain_formats(scene) : FileFormats{}),
      fields_(firn::fields_to_take(scene.output.fields, scene.output.formats)) {}

Errors FrameWriter::submit(Frame frame, std::optional<Frame> grains, FrameStats stats,
                           int dimension) {
  Errors errors = finish();
  if (!errors.empty()) return errors;
  pending_ =
      std::async(std::launch::async, [this, frame = std::move(frame), grains = std::move(grains),
                                      stats = std::move(stats), dimension]() mutable {
        const OwnThreadScope own_thread;
        return write(frame, grains, stats, dimension);
      });
  return {};
}

Errors FrameWriter::finish() {
  if (!pending_.valid()) return {};
  Errors errors = pending_.get();
  if (errors.empty()) stats_.sync();
  if (errors.empty() && probes_) probes_->sync();
  return errors;
}

// A frame counts as there once its PLY file is, so that where bodies and grains are is written
// before it.
Errors FrameWriter::write(Frame& frame, std::optional<Frame>& grains, const FrameStats& stats,
                          int dimension) {
  const std::int64_t number = stats.frame;
  std::string column = column_with_nan(frame);
  if (column.empty() && grains) column = column_with_nan(*grains);
  for (const FrameMesh& mesh : frame.meshes)
    if (column.empty()) column = column_with_nan(mesh.values);
  if (!column.empty())
    return {"the simulation became unstable: frame " + std::to_string(number) +
            " would hold values of " + column + " that are not numbers"};
  Errors errors = write_bodies_file(folder_, number, stats.time, frame.bodies);
  if (errors.empty() && grains)
    errors = write_grain_files(folder_, number, grain_formats_, *grains);
  if (errors.empty()) errors = write_frame_files(folder_, number, formats_, frame);
  if (errors.empty()) errors = stats_.append(stats_line(stats, dimension));
  return errors.empty() && !stats.probes.empty() ? write_probes(stats) : errors;
}

Errors FrameWriter::write_probes(const FrameStats& stats) {
  if (!probes_) {
    Result<StatsFile> file = StatsFile::open(folder_.probes());
    if (!file) return file.errors();
    probes_.emplace(std::move(*file));
    std::error_code error;
    if (std::filesystem::file_size(folder_.probes(), error) == 0) {
      Errors errors = probes_->append(probes_header(stats));
      if (!errors.empty()) return errors;
    }
  }
  return probes_->append(probes_line(stats));
}

}  // namespace firn
