#include "run/run_resume.h"

#include "scene_io/scene_document.h"
#include "scene_io/scene_reader.h"
#include "scene_io/scene_writer.h"

namespace firn {
namespace fs = std::filesystem;

namespace {

Json what_matters(const SceneSettings& scene) {
  Json json = Json::parse(write_scene(scene));
  for (const char* key : {"name", "description", "frames", "output", "view"}) json.erase(key);
  return json;
}

std::string value_at(const Json& json, const std::string& pointer) {
  const Json::json_pointer place(pointer);
  return json.contains(place) ? printable(json.at(place).dump()) : "not there";
}

}  // namespace

std::optional<Precision> ResumePoint::precision() const {
  if (!checkpoint) return {};
  const auto found = checkpoint->state.integers.find("scalar_bytes");
  if (found == checkpoint->state.integers.end()) return {};
  return found->second == sizeof(double) ? Precision::double_ : Precision::single;
}

Result<std::optional<ResumePoint>> find_resume_point(const RunFolder& folder) {
  std::error_code ignored;
  ResumePoint point;
  if (fs::exists(folder.checkpoint(), ignored)) {
    Result<Checkpoint> checkpoint = read_checkpoint(folder.checkpoint());
    if (!checkpoint) return checkpoint.errors();
    point.checkpoint = std::move(*checkpoint);
  }
  // The folder's scene is newer than the checkpoint's when a continued run was killed.
  const bool has_scene = fs::exists(folder.scene(), ignored);
  if (has_scene && !fs::is_regular_file(folder.scene(), ignored))  // a pipe would keep us waiting
    return Result<std::optional<ResumePoint>>::failure(folder.scene().string() +
                                                       ": is no plain file, not a scene file");
  if (!has_scene && !point.checkpoint) return std::optional<ResumePoint>();
  Result<SceneSettings> scene =
      has_scene ? read_scene(folder.scene().string())
                : parse_scene(point.checkpoint->scene, folder.checkpoint().string());
  if (!scene) return scene.errors();
  point.scene = std::move(*scene);
  return std::optional<ResumePoint>(std::move(point));
}

std::string scene_difference(const SceneSettings& running, const SceneSettings& given) {
  const Json before = what_matters(running);
  const Json after = what_matters(given);
  if (before == after) return "";
  const Json changes = Json::diff(before, after);
  const std::string pointer = changes.empty() ? "" : changes[0]["path"].get<std::string>();
  return pointer + ": is " + value_at(after, pointer) + ", in the run " + value_at(before, pointer);
}

}  // namespace firn
