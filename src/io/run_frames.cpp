#include "io/run_frames.h"

#include <cmath>
#include <type_traits>

#include "io/ply.h"
#include "io/probes_file.h"
#include "io/vtu.h"

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

Errors FrameWriter::submit(PointTable table, FrameStats stats, int dimension) {
  Errors errors = finish();
  if (!errors.empty()) return errors;
  pending_ =
      std::async(std::launch::async, [this, table = std::move(table), stats = std::move(stats),
                                      dimension] { return write(table, stats, dimension); });
  return {};
}

Errors FrameWriter::finish() {
  if (!pending_.valid()) return {};
  Errors errors = pending_.get();
  if (errors.empty()) stats_.sync();
  if (errors.empty() && probes_) probes_->sync();
  return errors;
}

Errors FrameWriter::write(const PointTable& table, const FrameStats& stats, int dimension) {
  const std::int64_t number = stats.frame;
  const std::string column = column_with_nan(table);
  if (!column.empty())
    return {"the simulation became unstable: frame " + std::to_string(number) +
            " would hold values of " + column + " that are not numbers"};
  const Result<std::filesystem::path> frame = write_ply(folder_.frame(number), table);
  if (!frame) return frame.errors();
  Errors errors = write_exports(number, table);
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

Errors FrameWriter::write_exports(std::int64_t number, const PointTable& table) {
  for (const std::string& format : formats_)
    if (format == "vtu") {
      const auto written = write_vtu(folder_.frame(number, format), table);
      if (!written) return written.errors();
      return write_collection();
    }
  return {};
}

// Anew with each frame: it is complete at any time, also after a run was resumed.
Errors FrameWriter::write_collection() {
  std::vector<TimedFile> files;
  for (const std::int64_t number : frame_numbers(folder_, "vtu"))
    files.push_back({static_cast<double>(number) / fps_,
                     "frames/" + folder_.frame(number, "vtu").filename().string()});
  const auto written = write_pvd(folder_.collection(), files);
  return written ? Errors{} : written.errors();
}

}  // namespace firn
