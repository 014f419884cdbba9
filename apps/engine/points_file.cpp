#include "points_file.h"

#include <cstdio>
#include <memory>
#include <vector>

namespace firn::engine {
namespace {

struct CloseFile {
  void operator()(std::FILE* file) const { std::fclose(file); }
};

#pragma pack(push, 1)
struct Point {
  float place[3];
  unsigned char color[3];
};
#pragma pack(pop)
static_assert(sizeof(Point) == 15);

std::vector<Point> points_of(const PointTable& table) {
  std::vector<Point> points(table.count);
  const char* const places[3] = {"x", "y", "z"};
  const char* const colors[3] = {"red", "green", "blue"};
  for (int a = 0; a < 3; ++a) {
    const std::vector<double> place = table.as_double(places[a]);
    const std::vector<double> color = table.as_double(colors[a]);
    for (std::size_t i = 0; i < table.count; ++i) {
      points[i].place[a] = place.empty() ? 0.0f : float(place[i]);
      points[i].color[a] = color.empty() ? 200 : static_cast<unsigned char>(color[i]);
    }
  }
  return points;
}

}  // namespace

Errors write_points(const World& world, const std::string& path) {
  const Frame frame = world.snapshot({"color"});
  const std::vector<Point> points = points_of(frame);
  const std::unique_ptr<std::FILE, CloseFile> file(std::fopen(path.c_str(), "wb"));
  if (!file) return {path + ": cannot be written"};
  std::string header = "ply\nformat binary_little_endian 1.0\ncomment firn";
  for (const auto& [key, value] : frame.metadata) header += " " + key + "=" + value;
  header += "\nelement vertex " + std::to_string(points.size()) + "\n";
  for (const char* name :
       {"float x", "float y", "float z", "uchar red", "uchar green", "uchar blue"})
    header += std::string("property ") + name + "\n";
  header += "end_header\n";
  const bool whole =
      std::fwrite(header.data(), 1, header.size(), file.get()) == header.size() &&
      std::fwrite(points.data(), sizeof(Point), points.size(), file.get()) == points.size();
  if (!whole || std::fflush(file.get()) != 0) return {path + ": the disk is full"};
  return {};
}

}  // namespace firn::engine
