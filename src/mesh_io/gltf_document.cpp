#include "mesh_io/gltf_document.h"

#include <bit>
#include <cstring>

#include "mesh_io/gltf_uri.h"

namespace firn {
namespace {

using nlohmann::json;

constexpr std::size_t kLargestCount = std::size_t(1) << 40;

enum ComponentType : std::size_t { kUint8 = 5121, kUint16 = 5123, kUint32 = 5125, kFloat = 5126 };

std::size_t bytes_of(std::size_t component_type) {
  switch (component_type) {
    case kUint8:
      return 1;
    case kUint16:
      return 2;
    case kUint32:
    case kFloat:
      return 4;
    default:
      return 0;
  }
}

// Little-endian, as the format demands.
std::uint32_t load(const char* from, std::size_t size) {
  std::uint32_t value = 0;
  for (std::size_t i = size; i-- > 0;) value = value << 8 | static_cast<unsigned char>(from[i]);
  return value;
}

// Extensions that change how geometry is stored, as opposed to how it looks.
std::string unknown_extension(const json& root) {
  const auto list = root.find("extensionsRequired");
  if (list == root.end() || !list->is_array()) return "";
  for (const json& name : *list) {
    const std::string text = name.is_string() ? name.get<std::string>() : "?";
    if (text.starts_with("KHR_materials") || text.starts_with("KHR_texture")) continue;
    return "needs the extension " + quoted_text(text) + ", which is not read";
  }
  return "";
}

}  // namespace

bool read_count(const json& object, const char* key, std::size_t& value) {
  const auto found = object.find(key);
  if (found == object.end()) return true;
  if (!found->is_number_unsigned() || found->get<std::uint64_t>() > kLargestCount) return false;
  value = found->get<std::size_t>();
  return true;
}

std::string GltfDocument::open(std::string_view bytes, const std::filesystem::path& folder) {
  folder_ = folder;
  std::string_view text = bytes;
  if (bytes.starts_with("glTF")) {
    const std::string fault = split_glb(bytes, text);
    if (!fault.empty()) return fault;
  }
  json_ = json::parse(text.begin(), text.end(), nullptr, false);
  if (!json_.is_object()) return "not a glTF file: no JSON object";
  const std::string extension = unknown_extension(json_);
  return extension.empty() ? load_buffers(folder) : extension;
}

std::string GltfDocument::split_glb(std::string_view bytes, std::string_view& text) {
  if (bytes.size() < 20 || load(&bytes[4], 4) != 2) return "not a GLB file of version 2";
  text = {};
  for (std::size_t at = 12; at + 8 <= bytes.size();) {
    const std::size_t size = load(&bytes[at], 4);
    const std::string_view kind = bytes.substr(at + 4, 4);
    at += 8;
    if (size > bytes.size() - at) return "a GLB chunk is longer than the file";
    if (kind == "JSON" && text.empty()) text = bytes.substr(at, size);
    if (kind == std::string_view("BIN\0", 4) && !has_chunk_) {
      chunk_ = bytes.substr(at, size);
      has_chunk_ = true;
    }
    at += size;
  }
  return text.empty() ? "the GLB file has no JSON chunk" : "";
}

const json* GltfDocument::entry(const char* list, std::size_t i) const {
  const auto found = json_.find(list);
  if (found == json_.end() || !found->is_array() || i >= found->size()) return nullptr;
  const json& item = (*found)[i];
  return item.is_object() ? &item : nullptr;
}

std::size_t GltfDocument::count(const char* list) const {
  const auto found = json_.find(list);
  return found != json_.end() && found->is_array() ? found->size() : 0;
}

std::string GltfDocument::load_buffers(const std::filesystem::path& folder) {
  buffers_.resize(count("buffers"));
  for (std::size_t i = 0; i < buffers_.size(); ++i) {
    const json* buffer = entry("buffers", i);
    const std::string fault =
        buffer ? load_buffer(*buffer, i, folder, buffers_[i]) : "it is not an object";
    if (!fault.empty()) return "buffer " + std::to_string(i) + ": " + fault;
  }
  return "";
}

std::string GltfDocument::load_buffer(const json& buffer, std::size_t index,
                                      const std::filesystem::path& folder, std::string& out) const {
  const auto uri = buffer.find("uri");
  if (uri == buffer.end()) {
    if (index != 0 || !has_chunk_) return "it has no uri";
    out = chunk_;
  } else {
    if (!uri->is_string()) return "its uri is not a text";
    const std::string fault = load_uri(uri->get_ref<const std::string&>(), folder, out);
    if (!fault.empty()) return fault;
  }
  std::size_t length = 0;
  if (!read_count(buffer, "byteLength", length) || length > out.size())
    return "it is shorter than its byteLength says";
  return "";
}

std::string GltfDocument::locate_view(std::size_t index, std::string_view& out,
                                      std::size_t& stride) const {
  const json* view = entry("bufferViews", index);
  if (!view) return "it has no bufferView";
  std::size_t buffer = kLargestCount, start = 0, length = 0;
  if (!read_count(*view, "buffer", buffer) || !read_count(*view, "byteOffset", start) ||
      !read_count(*view, "byteLength", length) || !read_count(*view, "byteStride", stride))
    return "the numbers of its bufferView make no sense";
  if (buffer >= buffers_.size()) return "its buffer does not exist";
  const std::size_t size = buffers_[buffer].size();
  if (start > size || length > size - start) return "it reaches beyond its buffer";
  out = std::string_view(buffers_[buffer]).substr(start, length);
  return "";
}

std::string GltfDocument::locate(std::size_t accessor, const char* type, std::size_t element_size,
                                 Span& out) const {
  const json* a = entry("accessors", accessor);
  if (!a) return "no accessor " + std::to_string(accessor);
  const auto is_type = a->find("type");
  if (is_type == a->end() || *is_type != type) return std::string("its type is not ") + type;
  if (a->contains("sparse")) return "sparse accessors are not read";
  std::size_t view_index = kLargestCount, offset = 0, count = 0;
  if (!read_count(*a, "bufferView", view_index) || !read_count(*a, "byteOffset", offset) ||
      !read_count(*a, "count", count))
    return "its numbers make no sense";
  std::string_view view;
  std::size_t stride = 0;
  const std::string fault = locate_view(view_index, view, stride);
  if (!fault.empty()) return fault;
  if (stride == 0) stride = element_size;
  if (stride < element_size || stride > 252) return "its byteStride is out of range";
  if (offset > view.size() ||
      (count > 0 && (view.size() - offset < element_size ||
                     count - 1 > (view.size() - offset - element_size) / stride)))
    return "it reaches beyond its buffer";
  out = {view.data() + offset, count, stride};
  return "";
}

std::string GltfDocument::read_positions(std::size_t accessor, std::vector<Vec3d>& out) const {
  Span span;
  const std::string fault = locate(accessor, "VEC3", 12, span);
  if (!fault.empty()) return fault;
  std::size_t component = 0;
  if (!read_count(*entry("accessors", accessor), "componentType", component) || component != kFloat)
    return "positions must be 32-bit numbers";
  for (std::size_t i = 0; i < span.count; ++i) {
    Vec3d p;
    for (int k = 0; k < 3; ++k)
      p[k] = std::bit_cast<float>(load(span.data + i * span.stride + 4 * k, 4));
    out.push_back(p);
  }
  return "";
}

std::string GltfDocument::read_indices(std::size_t accessor,
                                       std::vector<std::uint32_t>& out) const {
  std::size_t component = 0;
  const json* a = entry("accessors", accessor);
  if (!a || !read_count(*a, "componentType", component) || component == kFloat ||
      bytes_of(component) == 0)
    return "indices must be whole numbers without sign";
  Span span;
  const std::string fault = locate(accessor, "SCALAR", bytes_of(component), span);
  if (!fault.empty()) return fault;
  for (std::size_t i = 0; i < span.count; ++i)
    out.push_back(load(span.data + i * span.stride, bytes_of(component)));
  return "";
}

std::string GltfDocument::read_numbers(std::size_t accessor, int components,
                                       std::vector<float>& out) const {
  const char* const types[] = {"VEC2", "VEC3", "VEC4"};
  std::size_t component = 0;
  const json* a = entry("accessors", accessor);
  if (!a || !read_count(*a, "componentType", component) || bytes_of(component) == 0 ||
      component == kUint32)
    return "its numbers are of no kind that is read";
  const std::size_t bytes = bytes_of(component);
  const auto n = static_cast<std::size_t>(components);
  Span span;
  const std::string fault = locate(accessor, types[components - 2], n * bytes, span);
  if (!fault.empty()) return fault;
  for (std::size_t i = 0; i < span.count; ++i)
    for (std::size_t k = 0; k < n; ++k) {
      const std::uint32_t raw = load(span.data + i * span.stride + k * bytes, bytes);
      out.push_back(component == kFloat ? std::bit_cast<float>(raw)
                                        : float(raw) / (component == kUint8 ? 255.0f : 65535.0f));
    }
  return "";
}

std::string GltfDocument::read_image_bytes(std::size_t image, std::string& out) const {
  const json* entry_of_image = entry("images", image);
  if (!entry_of_image) return "no image " + std::to_string(image);
  const auto uri = entry_of_image->find("uri");
  if (uri != entry_of_image->end())
    return uri->is_string() ? load_uri(uri->get_ref<const std::string&>(), folder_, out)
                            : "its uri is not a text";
  std::size_t view = kLargestCount, stride = 0;
  if (!read_count(*entry_of_image, "bufferView", view)) return "its numbers make no sense";
  std::string_view bytes;
  const std::string fault = locate_view(view, bytes, stride);
  out = bytes;
  return fault;
}

}  // namespace firn
