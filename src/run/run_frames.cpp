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
      formats_(scene.output.formats),
      fields_(firn::fields_to_take(scene.output.fields, formats_)),
      columns_for_formats_(columns_for_formats(scene.output.fields, formats_)),
      fps_(scene.fps),
      voxel_(voxel_size(scene)) {}

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

// Formats that need more columns than the frame has come first; what the others write, PLY above
// all, does not depend on the formats asked for. A frame counts as there once its PLY file is, so
// that where bodies are is written before it.
Errors FrameWriter::write(Frame& frame, const std::optional<Frame>& grains, const FrameStats& stats,
                          int dimension) {
  const std::int64_t number = stats.frame;
  std::string column = column_with_nan(frame);
  if (column.empty() && grains) column = column_with_nan(*grains);
  for (const FrameMesh& mesh : frame.meshes)
    if (column.empty()) column = column_with_nan(mesh.values);
  if (!column.empty())
    return {"the simulation became unstable: frame " + std::to_string(number) +
            " would hold values of " + column + " that are not numbers"};
  Errors errors = write_as("bgeo", number, frame);
  if (errors.empty()) errors = write_as("vdb", number, frame);
  std::erase_if(frame.columns, [this](const Column& c) {
    return std::find(columns_for_formats_.begin(), columns_for_formats_.end(), c.name) !=
           columns_for_formats_.end();
  });
  if (errors.empty()) errors = write_bodies_file(folder_, number, stats.time, frame.bodies);
  if (errors.empty() && grains) errors = write_grain_files(folder_, number, formats_, *grains);
  if (errors.empty()) errors = write_as("ply", number, frame);
  if (errors.empty()) errors = write_as("vtu", number, frame);
  if (errors.empty() && writes("vtu")) errors = write_collection(folder_, fps_);
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

bool FrameWriter::writes(const std::string& format) const {
  return format == "ply" || std::find(formats_.begin(), formats_.end(), format) != formats_.end();
}

Errors FrameWriter::write_as(const std::string& format, std::int64_t number, const Frame& frame) {
  if (!writes(format)) return {};
  return write_frame_file(folder_, number, format, frame, voxel_);
}

}  // namespace firn
