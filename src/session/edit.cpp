#include "session/edit.h"

#include <algorithm>
#include <filesystem>

#include "scene_io/scene_document.h"
#include "scene_io/scene_reader.h"
#include "scene_io/scene_writer.h"

namespace firn {
namespace {

Json document_of(const SceneSettings& scene) {
  return Json::parse(write_scene(scene));
}

std::vector<std::string> pieces_of(const std::string& pointer) {
  std::vector<std::string> pieces;
  for (std::size_t at = 0; at < pointer.size();) {
    const std::size_t end = std::min(pointer.find('/', at + 1), pointer.size());
    pieces.push_back(pointer.substr(at + 1, end - at - 1));
    at = end;
  }
  return pieces;
}

// Sections that a running world takes over: what its state does not depend on.
bool is_free_section(const std::string& section) {
  static const char* const kFree[] = {"name",       "description", "frames", "gravity", "colliders",
                                      "integrator", "sinks",       "probes", "output",  "view"};
  return std::find(std::begin(kFree), std::end(kFree), section) != std::end(kFree);
}

// How an object or a collider is shown.
bool is_look(const std::vector<std::string>& at) {
  return at.size() > 2 && (at[0] == "objects" || at[0] == "colliders") && at[2] == "look";
}

// What no step depends on.
bool is_outside_of_the_world(const std::vector<std::string>& at) {
  static const char* const kOutside[] = {"name", "description", "frames", "output", "view"};
  return is_look(at) ||
         std::find(std::begin(kOutside), std::end(kOutside), at[0]) != std::end(kOutside);
}

// Whether one operation of a JSON patch can be applied to a world that runs.
bool holds_at_once(const Json& operation) {
  const std::vector<std::string> at = pieces_of(operation["path"].get<std::string>());
  if (at.empty()) return false;
  if (is_free_section(at[0]) || is_look(at)) return true;
  if (at[0] == "solver")
    return at.size() == 2 && (at[1] == "flip_ratio" || at[1] == "particle_collisions");
  const bool within_entry = at.size() > 2;
  // Particles are kept by material, so that the list itself is fixed; so is the columns' choice.
  if (at[0] == "materials") return within_entry && at[2] != "model";
  if (at[0] == "emitters") return within_entry;
  return false;
}

struct Change {
  Json patch = Json::array();  // the operations that hold at once
  EditVerdict verdict;
};

void add_once(std::vector<std::string>& list, const std::string& entry) {
  if (std::find(list.begin(), list.end(), entry) == list.end()) list.push_back(entry);
}

// A section is taken over as a whole or not at all: a model that waits for the reset keeps its
// parameters waiting too.
Change change_between(const Json& before, const Json& after) {
  Change change;
  const Json operations = Json::diff(before, after);
  std::vector<std::string> waiting;
  const auto place_of = [](const Json& operation) {
    return pieces_of(operation["path"].get<std::string>());
  };
  const auto section_of = [&](const Json& operation) {
    const std::vector<std::string> at = place_of(operation);
    return at.empty() ? std::string() : at[0];
  };
  for (const Json& operation : operations)
    if (!holds_at_once(operation)) add_once(waiting, section_of(operation));
  for (const Json& operation : operations) {
    const bool waits =
        std::find(waiting.begin(), waiting.end(), section_of(operation)) != waiting.end();
    std::string place = operation["path"].get<std::string>();
    if (place.ends_with("/-")) place.resize(place.size() - 2);  // a new entry at the end of a list
    add_once(waits ? change.verdict.at_reset : change.verdict.at_once, place);
    if (waits) continue;
    change.patch.push_back(operation);
    if (!is_outside_of_the_world(place_of(operation))) change.verdict.concerns_world = true;
  }
  // Members of an object in another order: the operations do not tell.
  if (operations.empty() && before != after) change.verdict.at_reset.push_back("/materials");
  change.verdict.effect = !change.verdict.at_reset.empty()  ? EditEffect::at_reset
                          : !change.verdict.at_once.empty() ? EditEffect::at_once
                                                            : EditEffect::none;
  return change;
}

std::string listed(const std::vector<std::string>& pointers) {
  constexpr std::size_t kMost = 3;
  std::string text;
  for (std::size_t i = 0; i < std::min(pointers.size(), kMost); ++i)
    text += (i > 0 ? ", " : "") + pointers[i];
  if (pointers.size() > kMost) text += " and " + std::to_string(pointers.size() - kMost) + " more";
  return text;
}

std::string label_of(const SceneSettings& scene) {
  return (std::filesystem::path(scene.folder) / "scene.json").string();
}

}  // namespace

std::string EditVerdict::words() const {
  if (effect == EditEffect::none) return "nothing changed";
  std::string text;
  if (!at_once.empty()) text = listed(at_once) + ": in effect";
  if (!at_reset.empty())
    text += (text.empty() ? "" : "; ") + listed(at_reset) + ": takes effect at reset";
  return text;
}

EditVerdict classify_edit(const SceneSettings& running, const SceneSettings& edited) {
  return change_between(document_of(running), document_of(edited)).verdict;
}

Result<SceneSettings> with_changes_at_once(const SceneSettings& running,
                                           const SceneSettings& edited) {
  const Json before = document_of(running);
  const Change change = change_between(before, document_of(edited));
  return parse_scene(before.patch(change.patch).dump(), label_of(running));
}

Result<SceneSettings> checked_scene(const SceneSettings& edited, const std::string& label) {
  return parse_scene(write_scene(edited), label);
}

}  // namespace firn
