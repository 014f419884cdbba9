// Panels that edit the scene: objects and surroundings, materials, how it is simulated and looks.
#include <imgui.h>
#include <imgui_stdlib.h>

#include <algorithm>
#include <cfloat>

#include "cuda/device.h"
#include "edit_list.h"
#include "edit_visitor.h"
#include "edit_widgets.h"
#include "panels.h"
#include "scene/particle_sets.h"

namespace firn::viewer {
namespace {

// Keys that are edited elsewhere than in the scene panel; what the format gains appears there.
bool is_simulation_key(const std::string& key) {
  static const char* const kKeys[] = {"dimension", "solver", "fps",        "frames",
                                      "grid",      "seed",   "integrator", "output"};
  return std::find(std::begin(kKeys), std::end(kKeys), key) != std::end(kKeys);
}

bool is_scene_key(const std::string& key) {
  return key != "materials" && key != "view" && key != "format" && !is_simulation_key(key);
}

void edit(PanelContext& c, const std::function<bool(const std::string&)>& shows) {
  if (edit_scene(c.work.document.scene(), c.items, c.work.errors_by_pointer(), shows))
    c.work.document.touch();
}

void add_preset(Document& document, int model, const Preset& preset) {
  SceneSettings& scene = document.scene();
  std::vector<std::string> names;
  for (const MaterialSettings& material : scene.materials) names.push_back(material.name);
  MaterialSettings material;
  material.name = unique_name(preset.name, names);
  material.preset = preset.name;
  material.parameters = preset_parameters(model, preset.name);
  scene.materials.push_back(std::move(material));
  document.touch();
}

void draw_speed_rows(PanelContext& c) {
  SessionPace pace = c.work.pace();
  begin_labelled("steps a picture");
  int steps = static_cast<int>(pace.steps);
  if (ImGui::DragInt("##steps", &steps, 0.2f, 0, 10000, steps == 0 ? "a whole frame" : "%d"))
    pace.steps = std::clamp(steps, 0, 10000);
  c.items.note("simulation/steps");
  if (!c.recorder.recording()) c.work.set_pace(pace);
  begin_labelled("speed limit");
  double& limit = c.work.document.scene().view.speed;
  float speed = static_cast<float>(limit);
  if (ImGui::DragFloat("##speed", &speed, 0.01f, 0, 100,
                       speed == 0 ? "none" : "%.2f x real time")) {
    limit = std::clamp(speed, 0.0f, 100.0f);
    c.work.document.touch();
  }
  c.items.note("simulation/speed");
  show_tip("/view/speed: at most so fast; how fast it is stands in the bar of tools");
}

// Where there is a choice.
void draw_device_row(PanelContext& c) {
  static const Result<std::string> name = device_name();
  if (!name) return;
  begin_labelled("device");
  int index = c.work.status.device == Device::cpu ? 0 : 1;
  if (edit_choice("##device", index, {"CPU", *name}))
    c.work.session.set_device(index == 1 ? Device::cuda : Device::cpu);
  c.items.note("simulation/device");
}

void draw_slice_rows(PanelContext& c) {
  SliceForm& slice = c.view.slice;
  const bool open = ImGui::CollapsingHeader("Grid slice");
  c.items.note("look/slice/header");
  if (!open) return;
  bool changed = ImGui::Checkbox("show", &slice.shown);
  c.items.note("look/slice");
  ImGui::SameLine();
  changed |= ImGui::Checkbox("without particles", &slice.alone);
  begin_labelled("field");
  changed |= edit_choice("##field", slice.field, grid_quantity_names());
  c.items.note("look/slice/field");
  if (is_vector_quantity(grid_quantity_names()[static_cast<std::size_t>(slice.field)])) {
    begin_labelled("part");
    changed |= edit_choice("##part", slice.part, vector_part_names());
    c.items.note("look/slice/part");
  }
  std::vector<std::string> species = species_names(c.work.document.scene());
  if (species.size() > 1) {
    begin_labelled("species");
    species.insert(species.begin(), "any");
    changed |= edit_choice("##species", slice.species, species);
    c.items.note("look/slice/species");
    show_tip("whose particles count; any: all, of the gradient of pressure the fluids");
  }
  if (c.work.document.scene().dimension == 3) {
    begin_labelled("across");
    changed |= edit_choice("##axis", slice.axis, {"x", "y", "z"});
    begin_labelled("position");
    changed |= edit_number("##position", slice.position, {"of the slice along its axis", "m"});
  }
  begin_labelled("own range");
  changed |= ImGui::Checkbox("##own", &slice.own_range);
  if (slice.own_range) {
    begin_labelled("low, high");
    Vec3d ends{{slice.low, slice.high, 0}};
    changed |= edit_vector("##range", ends, 2, {});
    slice.low = ends[0];
    slice.high = ends[1];
  }
  if (changed) c.view.make_again();
}

// A line of the tree of species that leads to the entry it names.
void draw_species_line(PanelContext& c, const std::string& path, const std::string& label,
                       const std::string& pointer) {
  ImGui::PushID(pointer.c_str());
  if (ImGui::Selectable(label.c_str())) c.items.go_to(pointer);
  c.items.note(path + pointer);
  ImGui::PopID();
}

// What is of a species, and the pairs it takes part in.
void draw_species_parts(PanelContext& c, const std::string& path, const std::string& species) {
  const SceneSettings& scene = c.work.document.scene();
  const auto draw = [&](const auto& entries, const char* kind) {
    for (std::size_t i = 0; i < entries.size(); ++i) {
      if (entries[i].species != species) continue;
      const std::string number = std::to_string(i);
      draw_species_line(c, path,
                        kind + (" " + (entries[i].name.empty() ? number : entries[i].name)),
                        "/" + std::string(kind) + "s/" + number + "/species");
    }
  };
  draw(scene.objects, "object");
  draw(scene.emitters, "emitter");
  draw(scene.colliders, "collider");
  if (!scene.porous) return;
  for (std::size_t i = 0; i < scene.porous->pairs.size(); ++i) {
    const PorousPair& pair = scene.porous->pairs[i];
    const std::string pointer = "/porous/pairs/" + std::to_string(i) + "/drag";
    if (pair.solid == species)
      draw_species_line(c, path, pair.fluid + " passes through it", pointer);
    if (pair.fluid == species) draw_species_line(c, path, "passes through " + pair.solid, pointer);
  }
}

// Where there are several species: who is of which.
void draw_species(PanelContext& c) {
  const std::vector<std::string> names = species_names(c.work.document.scene());
  if (names.size() < 2) return;
  const bool open =
      ImGui::TreeNode("tree of species", "species (%d)", static_cast<int>(names.size()));
  c.items.note("species");
  if (!open) return;
  for (std::size_t s = 0; s < names.size(); ++s) {
    const std::string path = "species/" + names[s];
    ImGui::PushID(static_cast<int>(s));
    const bool shown =
        ImGui::TreeNodeEx("species", ImGuiTreeNodeFlags_DefaultOpen, "%s", names[s].c_str());
    c.items.note(path);
    if (shown) {
      draw_species_parts(c, path, names[s]);
      ImGui::TreePop();
    }
    ImGui::PopID();
  }
  ImGui::TreePop();
}

// The looks of all objects or colliders in one place; each is also a part of its entry in the
// scene.
template <class Thing>
void draw_looks(PanelContext& c, const char* title, const std::string& list,
                std::vector<Thing>& things) {
  if (things.empty()) return;
  const std::string path = "look/" + list;
  if (c.items.leads_into(path)) ImGui::SetNextItemOpen(true);
  const bool open = ImGui::CollapsingHeader(title);
  c.items.note(path);
  if (!open) return;
  EditContext context{c.items, [](const std::string&) { return true; }};
  for (std::size_t i = 0; i < things.size(); ++i) {
    const std::string number = std::to_string(i);
    const std::string label = things[i].name.empty() ? number : things[i].name;
    ImGui::PushID(static_cast<int>(i));
    EditVisitor visitor(context, path + "/" + number);
    visitor.object(label.c_str(), things[i].look, "a look of its own");
    ImGui::PopID();
  }
  if (context.changed) c.work.document.touch();
}

}  // namespace

bool named_button(Items& items, const std::string& path, const char* label) {
  const bool clicked = ImGui::Button(label);
  items.note(path);
  return clicked;
}

void begin_labelled(const char* label) {
  ImGui::AlignTextToFramePadding();
  ImGui::TextUnformatted(label);
  ImGui::SameLine(ImGui::GetContentRegionMax().x * kLabelShare);
  ImGui::SetNextItemWidth(-FLT_MIN);
}

const char* panel_of(const std::string& pointer) {
  const std::string key = pointer.substr(1, pointer.find('/', 1) - 1);
  if (key == "materials") return "Materials";
  if (key == "view") return "Look";
  return is_simulation_key(key) ? "Simulation" : "Scene";
}

void draw_scene_panel(PanelContext& c) {
  draw_species(c);
  edit(c, is_scene_key);
}

void draw_materials_panel(PanelContext& c) {
  ImGui::SetNextItemWidth(-FLT_MIN);
  if (ImGui::BeginCombo("##presets", "Add a preset ...", ImGuiComboFlags_HeightLarge)) {
    for (int model = 0; model < model_count; ++model) {
      ImGui::TextDisabled("%s", model_name(model));
      for (const Preset& preset : presets(model)) {
        ImGui::PushID(model);
        if (ImGui::Selectable(preset.name.c_str())) add_preset(c.work.document, model, preset);
        c.items.note(std::string("presets/") + model_name(model) + "/" + preset.name);
        ImGui::PopID();
        show_tip(preset.description);
      }
    }
    ImGui::EndCombo();
  }
  c.items.note("presets");
  edit(c, [](const std::string& key) { return key == "materials"; });
}

void draw_simulation_panel(PanelContext& c) {
  if (!c.work.plays_back()) {
    draw_transport(c, "simulation");
    draw_device_row(c);
    draw_speed_rows(c);
    ImGui::Separator();
  }
  edit(c, is_simulation_key);
}

void draw_look_panel(PanelContext& c) {
  draw_slice_rows(c);
  if (named_button(c.items, "look/fit", "Fit the colours")) c.view.fit_colors();
  show_tip("the range of the colours from what is there now");
  SceneSettings& scene = c.work.document.scene();
  draw_looks(c, "Objects", "objects", scene.objects);
  draw_looks(c, "Colliders", "colliders", scene.colliders);
  edit(c, [](const std::string& key) { return key == "view"; });
}

}  // namespace firn::viewer
