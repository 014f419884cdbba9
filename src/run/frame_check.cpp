#include "run/frame_check.h"

#include <algorithm>

#include "frames/ply.h"

namespace firn {
namespace fs = std::filesystem;

namespace {

// Bytes that a value of a property takes at least: lists say their length in the data alone, but
// faces of meshes that we wrote are triangles.
std::uint64_t least_bytes(const PlyHeader& header, const PlyProperty& property) {
  if (!property.is_list) return size_of(property.type);
  return size_of(property.count_type) + (header.meshes.empty() ? 0 : 3 * size_of(property.type));
}

// Bytes that the elements take, as far as that follows from the header: ascii does not say.
bool has_length(const PlyHeader& header, std::uint64_t have) {
  if (header.format == PlyFormat::ascii) return true;
  std::uint64_t needed = header.size;
  for (const PlyElement& element : header.elements) {
    std::uint64_t row = 0;
    for (const PlyProperty& property : element.properties) row += least_bytes(header, property);
    if (row > 0 && element.count > have / row) return false;
    needed += element.count * row;
  }
  return needed <= have;
}

}  // namespace

bool is_whole_frame(const fs::path& path) {
  std::error_code error;
  const std::uintmax_t have = fs::is_regular_file(path, error) ? fs::file_size(path, error) : 0;
  if (error || have == 0) return false;
  const Result<PlyHeader> header = read_ply_header(path);
  return header && has_length(*header, have);
}

std::vector<std::int64_t> lost_frames(const RunFolder& folder, std::int64_t last) {
  std::vector<std::int64_t> lost;
  const std::vector<std::int64_t> there = frame_numbers(folder);
  for (std::int64_t number = 0; number <= last; ++number)
    if (!std::binary_search(there.begin(), there.end(), number) ||
        !is_whole_frame(folder.frame(number)))
      lost.push_back(number);
  return lost;
}

std::string frame_list(const std::vector<std::int64_t>& numbers) {
  constexpr std::size_t kMostPieces = 8;
  std::string text = numbers.size() == 1 ? "frame " : "frames ";
  std::size_t pieces = 0;
  for (std::size_t i = 0; i < numbers.size();) {
    std::size_t end = i;
    while (end + 1 < numbers.size() && numbers[end + 1] == numbers[end] + 1) ++end;
    if (pieces++ == kMostPieces) return text + " and more";
    text += (i > 0 ? ", " : "") + std::to_string(numbers[i]);
    if (end > i) text += " to " + std::to_string(numbers[end]);
    i = end + 1;
  }
  return text;
}

}  // namespace firn
