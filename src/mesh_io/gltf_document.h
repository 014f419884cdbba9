// A glTF file as JSON and buffers, with every access checked: what GLB chunks, data URIs and other
// files in the folder hold, and accessors into them.
#pragma once

#include <cstdint>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "base/vec.h"

namespace firn {

class GltfDocument {
 public:
  // Empty, or what is wrong.
  std::string open(std::string_view bytes, const std::filesystem::path& folder);

  // The i-th object of a list at the top, such as "meshes"; null when there is none.
  const nlohmann::json* entry(const char* list, std::size_t i) const;
  std::size_t count(const char* list) const;
  const nlohmann::json& root() const { return json_; }

  // Append the values of an accessor. Empty, or what is wrong.
  std::string read_positions(std::size_t accessor, std::vector<Vec3d>& out) const;
  std::string read_indices(std::size_t accessor, std::vector<std::uint32_t>& out) const;
  // Elements of `components` numbers, 2 to 4; whole ones stand for 0 to 1.
  std::string read_numbers(std::size_t accessor, int components, std::vector<float>& out) const;
  // The file that an entry of "images" holds or names.
  std::string read_image_bytes(std::size_t image, std::string& out) const;

 private:
  struct Span {
    const char* data = nullptr;
    std::size_t count = 0, stride = 0;
  };
  std::string split_glb(std::string_view bytes, std::string_view& text);
  std::string load_buffers(const std::filesystem::path& folder);
  std::string load_buffer(const nlohmann::json& buffer, std::size_t index,
                          const std::filesystem::path& folder, std::string& out) const;
  std::string locate_view(std::size_t index, std::string_view& out, std::size_t& stride) const;
  std::string locate(std::size_t accessor, const char* type, std::size_t element_size,
                     Span& out) const;

  std::filesystem::path folder_;
  nlohmann::json json_;
  bool has_chunk_ = false;
  std::string chunk_;  // the binary chunk of a GLB file
  std::vector<std::string> buffers_;
};

// A whole number of an object that is small enough to count with; false when it is anything else.
// Where the key is missing, `value` stays.
bool read_count(const nlohmann::json& object, const char* key, std::size_t& value);

}  // namespace firn
