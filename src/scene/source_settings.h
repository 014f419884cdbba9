// Emitters, which make particles during a run, and sinks, which remove them.
#pragma once

#include <cmath>
#include <optional>
#include <string>
#include <vector>

#include "scene/sampling_settings.h"
#include "scene/shape_settings.h"
#include "scene/solver_settings.h"

namespace firn {

struct EmitterSettings {
  std::string name;
  SourceShapeSettings shape;
  int material = 0;  // index into SceneSettings::materials
  std::string species = kDefaultSpecies;
  double density = 0;  // kg/m3; 0: the preset's or model's own
  Vec3d velocity{{0, 0, 0}};
  double rate = 0;  // kg/s; 0: as much as the velocity carries
  bool until_full = false;
  double start = 0;
  double stop = INFINITY;
  Sampling sampling;
  std::vector<WeightedColor> colors;
  std::optional<std::uint64_t> seed;

  template <class V>
  void describe(V& v) {
    v.require("shape", "material", "velocity");
    v.edits(Edits::at_once);
    v.text("name", name, "unique name of the emitter");
    v.object("shape", shape, "the mouth: particles enter through the side they come from");
    v.reference("material", material, "materials", "name of an entry of materials");
    v.text("species", species, kSpeciesMeaning);
    v.number("density", density,
             {"density of what comes out; the preset's or model's own when not given", "kg/m^3", 0,
              INFINITY, true});
    v.vector("velocity", velocity, {"velocity of what comes out", "m/s"});
    v.number("rate", rate,
             {"mass flow; what fills the mouth at the velocity when not given", "kg/s", 0, INFINITY,
              true});
    v.flag("until_full", until_full, "pause wherever there is no room");
    v.number("start", start, {"when it opens", "s", 0});
    v.number("stop", stop, {"when it closes; never when not given", "s", 0, INFINITY, true, true});
    v.object("sampling", sampling, "how particles are placed: grid, or stratified otherwise");
    v.list("colors", colors, {"colours of the particles, picked by probability"});
    v.natural("seed", seed, "seed of places and colours; from the scene's when not given");
  }
};

struct SinkSettings {
  std::string name;
  ColliderShapeSettings shape;
  double start = 0;
  double stop = INFINITY;

  template <class V>
  void describe(V& v) {
    v.require("shape");
    v.text("name", name, "unique name of the sink");
    v.object("shape", shape,
             "particles inside are removed; with \"inside\": true those outside of it");
    v.number("start", start, {"when it opens", "s", 0});
    v.number("stop", stop, {"when it closes; never when not given", "s", 0, INFINITY, true, true});
  }
};

}  // namespace firn
