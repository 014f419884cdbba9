// Fuzz target of checkpoints. The checksum of a file catches every accident, so what is changed
// here is the state in it, by a list of edits in JSON. It is taken up and stepped on, or refused.
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "exec/parallel.h"
#include "require.h"
#include "scene/output_fields.h"
#include "scene_io/scene_reader.h"
#include "sim/world.h"

namespace {

using Json = nlohmann::json;

constexpr const char* kScenes[] = {
    R"({"dimension": 2, "frames": 3, "fps": 100, "grid": {"spacing": 0.1},
  "materials": {"jelly": {"model": "neo_hookean", "youngs_modulus": 1000},
                "water": {"model": "fluid", "bulk_modulus": 2000}},
  "objects": [{"name": "block", "shape": {"type": "box", "size": [0.2, 0.2]}, "material": "jelly"},
              {"name": "pool", "shape": {"type": "box", "size": [0.4, 0.2], "center": [0.6, 0]},
               "material": "water"}],
  "emitters": [{"name": "jet", "shape": {"type": "box", "size": [0.2, 0.2], "center": [0, 1]},
                "velocity": [0, -2], "material": "water"}],
  "colliders": [{"name": "floor", "shape": {"type": "plane", "normal": [0, 1], "point": [0, -0.2]},
                 "friction": "0.1+0.1*x*x"}]})",
    R"({"dimension": 3, "frames": 3, "fps": 100, "grid": {"spacing": 0.1, "periodic": {"x": [0, 1.2]}},
  "materials": {"sand": {"model": "sand"}},
  "objects": [{"name": "heap", "shape": {"type": "box", "size": [0.3, 0.2, 0.2], "center": [0.5, 0, 0]},
               "material": "sand", "velocity": [1, 0, 0]}],
  "colliders": [{"name": "paddle", "shape": {"type": "box", "size": [0.1, 0.4, 0.4], "center": [1, 0, 0]},
                 "motion": {"translation": ["0-0.5*t", 0, 0]}}]})",
    R"j({"dimension": 2, "frames": 3, "fps": 100, "grid": {"spacing": 0.1},
  "materials": {"sand": {"model": "sand", "cohesion": "500*(1 - phi)", "friction_angle": "30 + x"},
                "water": {"model": "fluid", "bulk_modulus": 2000}},
  "objects": [{"shape": {"type": "box", "size": [0.4, 0.2]}, "material": "sand", "species": "sand"},
              {"shape": {"type": "box", "size": [0.4, 0.2], "center": [0.2, 0.1]},
               "material": "water", "species": "water"}],
  "porous": {"coupling": "mixture",
             "pairs": [{"solid": "sand", "fluid": "water", "grain_diameter": 0.002}]},
  "colliders": [{"name": "floor", "shape": {"type": "plane", "point": [0, -0.1]},
                 "friction": 0.3}]})j"};

struct Start {
  firn::SceneSettings scene;
  firn::StateImage image;
};

const Start& start_of(std::size_t which) {
  static const std::vector<Start> starts = [] {
    std::vector<Start> made;
    for (const char* text : kScenes) {
      const auto scene = firn::parse_scene(text, "scene.json");
      firn::require(scene.ok(), "the scene is wrong", scene.ok() ? "" : scene.errors().front());
      auto world = firn::World::create(*scene, firn::Precision::single);
      firn::require(world.ok(), "the world is wrong", world.ok() ? "" : world.errors().front());
      for (int i = 0; i < 3; ++i)
        firn::require((*world)->advance_step().ok(), "the world does not step");
      made.push_back({*scene, (*world)->save()});
    }
    return made;
  }();
  return starts[which % starts.size()];
}

double number_of(const Json& value) {
  if (value.is_number()) return value.get<double>();
  return value == "nan" ? NAN : value == "inf" ? INFINITY : value == "-inf" ? -INFINITY : 0;
}

std::size_t count_of(const Json& value, std::size_t most) {
  const double number = std::abs(number_of(value));
  return number < static_cast<double>(most) ? static_cast<std::size_t>(number) : most;
}

template <class V>
V cast(double value) {
  if constexpr (std::is_floating_point_v<V>) {
    return static_cast<V>(value);
  } else {
    constexpr V most = std::numeric_limits<V>::max();
    if (!(value >= 0)) return most - V(3);
    return value < static_cast<double>(most) ? static_cast<V>(value) : most;
  }
}

void edit_array(const Json& edit, firn::StateImage::Array& array) {
  std::visit(
      [&](auto& list) {
        using Value = typename std::decay_t<decltype(list)>::value_type;
        if (edit.contains("resize")) list.resize(count_of(edit["resize"], 5000));
        if (list.empty() || !edit.contains("value")) return;
        const std::size_t at = edit.contains("at") ? count_of(edit["at"], 1 << 20) : 0;
        list[at % list.size()] = cast<Value>(number_of(edit["value"]));
      },
      array);
}

void apply(const Json& edit, firn::StateImage& image) {
  if (!edit.is_object()) return;
  for (const auto& [key, name] : edit.items()) {
    if (!name.is_string()) continue;
    const auto text = name.get<std::string>();
    if (key == "array")
      if (const auto found = image.arrays.find(text); found != image.arrays.end())
        edit_array(edit, found->second);
    if (key == "remove")
      image.arrays.erase(text), image.reals.erase(text), image.integers.erase(text);
    if (key == "real" && edit.contains("value")) image.reals[text] = number_of(edit["value"]);
    if (key == "integer" && edit.contains("value"))
      image.integers[text] =
          static_cast<std::int64_t>(cast<std::uint64_t>(number_of(edit["value"])));
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  firn::set_thread_count(1);
  const Json json = Json::parse(data, data + size, nullptr, false);
  if (!json.is_object()) return -1;
  const Start& start = start_of(json.contains("scene") ? count_of(json["scene"], 2) : 0);
  firn::StateImage image = start.image;
  if (json.contains("edits") && json["edits"].is_array())
    for (const Json& edit : json["edits"]) apply(edit, image);
  const auto world = firn::World::restore(start.scene, firn::Precision::single, image);
  if (!world) {
    for (const std::string& line : world.errors())
      firn::require(line.find('\n') == line.npos && line.size() < 4096, "not one clear line", line);
    return -1;
  }
  for (int i = 0; i < 4; ++i)
    if (const auto dt = (*world)->advance_step(); !dt) return 0;
  (*world)->statistics();
  (*world)->snapshot(firn::output_field_names());
  (*world)->save();
  return 0;
}
