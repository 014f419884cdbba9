// The header of a PLY file: what the reader's two halves, header and data, agree on.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace firn {

enum class PlyFormat { ascii, little_endian, big_endian };
enum class PlyType { int8, uint8, int16, uint16, int32, uint32, float32, float64 };

std::size_t size_of(PlyType type);
bool is_integer(PlyType type);

struct PlyProperty {
  std::string name;
  PlyType type = PlyType::float32;
  bool is_list = false;
  PlyType count_type = PlyType::uint8;  // lists only
};

struct PlyElement {
  std::string name;
  std::uint64_t count = 0;
  std::vector<PlyProperty> properties;
};

// Which faces belong together: the next so many, in the order of these notes.
struct PlyMeshNote {
  std::string name;
  std::uint64_t faces = 0;
};

struct PlyHeader {
  PlyFormat format = PlyFormat::ascii;
  std::vector<PlyElement> elements;
  std::map<std::string, std::string> metadata;
  std::vector<PlyMeshNote> meshes;
  std::size_t size = 0;  // bytes up to and with the line end of end_header
};

Result<PlyHeader> parse_ply_header(std::string_view bytes, const std::string& name);

// The texts of comments, without line end.
std::string metadata_comment(const std::map<std::string, std::string>& metadata);
std::string mesh_comment(const PlyMeshNote& note);

}  // namespace firn
