#include "session/edit.h"

#include <algorithm>
#include <filesystem>

#include "scene_io/scene_document.h"
#include "scene_io/scene_reader.h"
#include "scene_io/scene_writer.h"
#include "session/edit_rules.h"

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

// What an operation of a JSON patch touches, in the scene that has it.
Edits edits_of(const Json& operation, SceneSettings& before, SceneSettings& after) {
  const std::vector<std::string> pieces = pieces_of(operation["path"].get<std::string>());
  EditRule rule(pieces);
  (operation["op"] == "remove" ? before : after).describe(rule);
  return rule.found();
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
Change change_between(SceneSettings before, SceneSettings after) {
  Change change;
  const Json old_document = document_of(before), document = document_of(after);
  const Json operations = Json::diff(old_document, document);
  std::vector<Edits> edits;
  std::vector<std::string> waiting;
  const auto section_of = [](const Json& operation) {
    const std::vector<std::string> at = pieces_of(operation["path"].get<std::string>());
    return at.empty() ? std::string() : at[0];
  };
  for (const Json& operation : operations) {
    edits.push_back(edits_of(operation, before, after));
    if (edits.back() == Edits::at_reset) add_once(waiting, section_of(operation));
  }
  for (std::size_t i = 0; i < operations.size(); ++i) {
    const Json& operation = operations[i];
    const bool waits =
        std::find(waiting.begin(), waiting.end(), section_of(operation)) != waiting.end();
    std::string place = operation["path"].get<std::string>();
    if (place.ends_with("/-")) place.resize(place.size() - 2);  // a new entry at the end of a list
    add_once(waits ? change.verdict.at_reset : change.verdict.at_once, place);
    if (waits) continue;
    change.patch.push_back(operation);
    if (edits[i] != Edits::outside) change.verdict.concerns_world = true;
  }
  // Members of an object in another order: the operations do not tell.
  if (operations.empty() && old_document != document)
    change.verdict.at_reset.push_back("/materials");
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
  return change_between(running, edited).verdict;
}

Result<SceneSettings> with_changes_at_once(const SceneSettings& running,
                                           const SceneSettings& edited) {
  const Change change = change_between(running, edited);
  return parse_scene(document_of(running).patch(change.patch).dump(), label_of(running));
}

Result<SceneSettings> checked_scene(const SceneSettings& edited, const std::string& label) {
  return parse_scene(write_scene(edited), label);
}

}  // namespace firn
