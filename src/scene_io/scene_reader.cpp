#include "scene_io/scene_reader.h"

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>

#include "scene/check.h"
#include "scene/defaults.h"
#include "scene_io/scene_assets.h"
#include "scene_io/scene_document.h"
#include "scene_io/scene_read_visitor.h"

namespace firn {
namespace {

void add_issues(const std::vector<SceneIssue>& issues, ReadContext& context) {
  for (const SceneIssue& issue : issues)
    if (!issue.warning) context.add_error(issue.pointer, issue.what);
}

Result<SceneSettings> read_document(const Json& document, const std::string& label,
                                    std::vector<std::string> set) {
  ReadContext context(label, std::move(set));
  SceneSettings scene;
  ObjectReader::read(document, "", context, scene);
  if (!document.is_object()) return context.take_errors();
  if (scene.name.empty()) scene.name = std::filesystem::path(label).stem().string();
  scene.folder = std::filesystem::path(label).parent_path().string();
  fill_defaults(scene);
  add_issues(check_names(scene), context);
  if (!context.has_errors())
    load_assets(scene, [&](const std::string& pointer, const std::string& what) {
      context.add_error(pointer, printable(what));
    });
  // Sizes and places mean something only in a scene that is otherwise in order.
  if (!context.has_errors()) add_issues(check_scene(scene), context);
  if (context.has_errors()) return context.take_errors();
  return scene;
}

// Reads at most the limit, also from what has no size of its own (a pipe, a device).
Result<std::string> file_text(const std::string& path) {
  std::error_code ignored;
  if (std::filesystem::is_directory(path, ignored))
    return Result<std::string>::failure(path + ": is a folder, not a scene file");
  std::ifstream file(path, std::ios::binary);
  if (!file) return Result<std::string>::failure(path + ": " + std::strerror(errno));
  std::string text;
  char block[1 << 16];
  while (file.read(block, sizeof(block)), file.gcount() > 0) {
    text.append(block, static_cast<std::size_t>(file.gcount()));
    if (text.size() > kMaxSceneBytes)
      return Result<std::string>::failure(path + ": scene files may have at most " +
                                          std::to_string(kMaxSceneBytes >> 20) + " MiB");
  }
  if (file.bad()) return Result<std::string>::failure(path + ": cannot be read");
  return text;
}

}  // namespace

Result<SceneSettings> parse_scene(std::string_view text, const std::string& label,
                                  const std::vector<std::string>& overrides) {
  Result<Json> document = parse_document(text, label);
  if (!document) return document.errors();
  Errors errors;
  std::vector<std::string> set;
  for (const std::string& setting : overrides) {
    set.push_back(setting.substr(0, setting.find('=')));
    const std::string problem = override_document(*document, setting);
    if (!problem.empty()) errors.push_back("--set " + printable(setting) + ": " + problem);
  }
  if (!errors.empty()) return errors;
  return read_document(*document, label, std::move(set));
}

Result<SceneSettings> read_scene(const std::string& path,
                                 const std::vector<std::string>& overrides) {
  const Result<std::string> text = file_text(path);
  if (!text) return text.errors();
  return parse_scene(*text, path, overrides);
}

Result<std::string> apply_override(std::string_view text, const std::string& setting) {
  Result<Json> document = parse_document(text, "scene");
  if (!document) return document.errors();
  const std::string problem = override_document(*document, setting);
  if (!problem.empty())
    return Result<std::string>::failure("--set " + printable(setting) + ": " + problem);
  return readable(*document);
}

}  // namespace firn
