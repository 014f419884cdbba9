// Plain settings of a scene, as the scene file states them (SI units, degrees). Nothing here runs.
// Each struct describes itself once (base/describe.h); reader, writer and schema follow from that.
#pragma once

#include <array>
#include <cmath>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/describe.h"
#include "base/vec.h"
#include "material/presets.h"
#include "scene/air_settings.h"
#include "scene/collider_settings.h"
#include "scene/copies_settings.h"
#include "scene/grain_keys.h"
#include "scene/look_settings.h"
#include "scene/mesh_settings.h"
#include "scene/output_fields.h"
#include "scene/parameter_keys.h"
#include "scene/porous_keys.h"
#include "scene/probe_settings.h"
#include "scene/sampling_settings.h"
#include "scene/solver_settings.h"
#include "scene/source_settings.h"
#include "scene/transition_settings.h"
#include "scene/varying.h"

namespace firn {

inline constexpr const char* kAxisNames[3] = {"x", "y", "z"};

enum class VolumeKind { constant, estimated };

inline constexpr std::int64_t kMaxFrames = 10'000'000;
inline constexpr std::size_t kMaxScalars = 8;

// What takes energy out of a meshed solid beside its model.
struct DampingSettings {
  double stiffness = 0;  // s
  double mass = 0;       // 1/s

  template <class V>
  void describe(V& v) {
    v.number("stiffness", stiffness,
             {"seconds by which forces lag, of the stiffness at hand: damps fast vibrations most",
              "s", 0, 1e6});
    v.number("mass", mass,
             {"share of the velocity lost a second: damps slow motions most", "1/s", 0, 1e6});
  }
};

struct MaterialSettings {
  std::string name;
  std::string preset;          // empty: none
  ModelParameters parameters;  // the preset's values with those given in the file on top
  std::vector<ParameterExpression> expressions{};  // in place of some of them
  std::optional<DampingSettings> damping{};        // none: no more than the model's own

  template <class V>
  void describe(V& v) {
    int model = static_cast<int>(parameters.index());
    v.require("model");
    v.alternatives("model", model, {model_names(), "constitutive model"}, [&](auto& w, int chosen) {
      if (static_cast<int>(parameters.index()) != chosen) {
        parameters = default_parameters(chosen);
        expressions.clear();
      }
      w.edits(Edits::at_once);  // the model chooses what particles carry, its parameters do not
      w.word("preset", preset, preset_names(chosen), "named set of parameters to start from", [&] {
        parameters = preset_parameters(chosen, preset);
        expressions.clear();
      });
      visit_model(parameters, [&](auto& p) { describe_parameters(w, p); });
      w.object("damping", damping, "solver fem: damping beside that of the model");
    });
  }

 private:
  template <class V, class P>
  void describe_parameters(V& v, P& p) {
    ParameterKeys<V> keys(v, expressions);
    p.describe(keys);
    if constexpr (requires { p.given_mu; })
      for (const char* lame : {"mu", "lambda"})
        for (const char* other : {"youngs_modulus", "poisson_ratio"}) v.conflict(lame, other);
    keys.complete(p);
  }
};

// An initial particle quantity that may vary inside an object.
struct InitialField {
  std::string name;          // see initial_field_names
  NumberOrExpression value;  // in x, y, z, the starting position, m
};

enum class InitialStressKind { hydrostatic, k0 };

// The stress that an object starts with: the weight of what lies above, along gravity.
struct InitialStressSettings {
  InitialStressKind kind = InitialStressKind::k0;
  double surface = NAN;  // m; NAN: the top of the object
  double k0 = -1;        // -1: the model's own
  double surcharge = 0;  // Pa
  double density = 0;    // kg/m3; 0: the object's own

  template <class V>
  void describe(V& v) {
    v.require("type");
    v.choice("type", kind, {"hydrostatic", "k0"},
             "hydrostatic: the same stress in all directions; k0: horizontal = k0 x vertical");
    v.number("surface", surface,
             {"height of the free surface, against gravity; the object's top when not given", "m"});
    v.number(
        "k0", k0,
        {"horizontal over vertical stress; when not given nu / (1 - nu), or the least above it "
         "that the material bears, and 1 for fluids",
         "", 0, 100});
    v.number("surcharge", surcharge, {"pressure on the free surface", "Pa", 0, 1e12});
    v.number("density", density,
             {"density whose weight the object bears: of a bed under water that of the grains less "
              "that of the water in their place; the object's own when not given",
              "kg/m^3", 0, INFINITY, true});
  }
};

struct ObjectSettings {
  std::string name;
  std::optional<ObjectMeshSettings> mesh;  // of the solver fem; none: the default one
  MeshStart start = MeshStart::rest;
  ShapeSettings shape;
  TransformSettings transform;
  std::optional<RepeatSettings> repeat;
  std::optional<ScatterSettings> scatter;
  int material = 0;  // index into SceneSettings::materials
  std::string species = kDefaultSpecies;
  double density = 0;                 // kg/m3; 0: the preset's or model's own
  VaryingVector velocity{};           // in x, y, z
  Vec3d angular_velocity{{0, 0, 0}};  // degrees/s about the shape's centre
  Sampling sampling;
  VolumeKind volume = VolumeKind::constant;
  std::vector<WeightedColor> colors;  // empty: one from the palette
  std::vector<InitialField> fields;
  std::optional<InitialStressSettings> initial_stress;  // none: free of stress
  std::optional<std::uint64_t> seed;  // of sampling and colours; none: from the scene's seed
  std::optional<ParticleLook> look;   // none: that of its material

  // Whether a file of cells stands in place of the shape.
  bool has_mesh_file() const { return mesh && mesh->kind == MeshKind::file; }

  template <class V>
  void describe(V& v) {
    v.text("name", name, "unique name of the object");
    v.object("mesh", mesh,
             "solver fem: the cells that the shape is cut into, or a file of cells in place of "
             "the shape; a stuffing of twice the grid's spacing when not given");
    if (has_mesh_file()) {
      v.reserved("shape", "is in the mesh file already; remove it, or choose another /mesh/type");
    } else {
      v.require("shape");
      v.object("shape", shape, "what the object fills at the start");
      // A schema cannot know what the mesh is.
      if constexpr (sees_all_keys<V>()) v.replaced_by("shape", "mesh");
    }
    v.require("material");
    v.choice("start", start, {"rest", "random", "point"},
             "solver fem: vertices start at rest, at random places of the box around the object, "
             "or all in its centre");
    v.object("transform", transform, "moves the shape, after its own center and rotation");
    v.object("repeat", repeat, "copies in rows");
    v.object("scatter", scatter, "copies at random places");
    v.conflict("repeat", "scatter");
    v.reference("material", material, "materials", "name of an entry of materials");
    v.text("species", species, kSpeciesMeaning);
    v.edits(Edits::at_once);
    v.number("density", density,
             {"initial density; the preset's or model's own when not given", "kg/m^3", 0, INFINITY,
              true});
    v.edits(Edits::at_reset);
    v.varying_vector("velocity", velocity, {"initial velocity", "m/s"}, space_variables());
    v.rotation("angular_velocity", angular_velocity,
               {"initial spin about the centre of the shape", "degrees/s"});
    v.object("sampling", sampling, "how particles are placed");
    v.choice("volume", volume, {"constant", "estimated"},
             "particle volume: object volume / particles (a fluid's evened out on the grid), or "
             "estimated from the grid's density");
    v.list("colors", colors, {"colours of the particles, picked by probability"});
    v.expressions(
        "fields", fields,
        "initial values by particle, numbers or expressions in x, y, z: mass_scale, "
        "stiffness_scale, the scalars of the model, red, green and blue (0 to 1, in place "
        "of colors), and the scene's scalars");
    v.object("initial_stress", initial_stress,
             "start under the weight of what lies above, so that a bed is at rest");
    v.natural("seed", seed, "seed of sampling and colours; from the scene's when not given");
    v.edits(Edits::outside);
    v.object("look", look, "how pictures show it; like its material when not given");
  }
};

struct OutputSettings {
  std::vector<std::string> fields = {"velocity", "id", "material", "color"};
  std::vector<std::string> formats = {"ply"};
  double checkpoint_interval = 60;  // s of wall-clock time; 0: at the end only

  template <class V>
  void describe(V& v) {
    v.words("fields", fields, output_field_names(), "what frames carry besides positions",
            "scalars");
    v.words("formats", formats, frame_format_names(),
            "files that each frame is written as; ply always is");
    v.number("checkpoint_interval", checkpoint_interval,
             {"wall-clock time between checkpoints; 0: at the end only", "s", 0});
  }
};

struct CameraSettings {
  Vec3d eye{{0, 0, 0}};
  Vec3d target{{0, 0, 0}};
  double field_of_view = 40;  // degrees, vertical

  template <class V>
  void describe(V& v) {
    v.require("eye", "target");
    v.vector("eye", eye,
             {"position of the camera; in 2D its distance sets the size of the view", "m"});
    v.vector("target", target, {"point that the camera looks at", "m"});
    v.number("field_of_view", field_of_view,
             {"vertical opening angle", "degrees", 0, 180, true, true});
  }
};

struct NamedCameraSettings : CameraSettings {
  std::string name;
};

struct ViewSettings {
  std::optional<CameraSettings> camera;  // none: frames the first and last state
  std::vector<NamedCameraSettings> cameras;
  Vec3d light{{0.4, 1.0, 0.5}};  // direction towards the light
  std::string color_by = "color";
  std::optional<Interval> color_range;  // none: from what the frames hold
  ColorMap color_map = ColorMap::viridis;
  bool legend = true;
  double point_radius = 0;  // m; 0: from the particle volume
  Vec3d background{{0.93, 0.94, 0.96}};
  bool ground_shadow = true;
  double speed = 0;  // of the window, simulated s a second; 0: as fast as it goes
  LookSettings look;

  template <class V>
  void describe(V& v) {
    v.object("camera", camera, "camera; frames the particles when not given");
    v.dictionary("cameras", cameras, {"further cameras by name"});
    v.vector("light", light, {"direction towards the light"});
    v.word(
        "color_by", color_by, color_by_names(), "quantity that colours the particles", [] {},
        "scalars");
    v.interval("color_range", color_range,
               {"[low, high]: values at the ends of the colours; from the frames when not given"});
    v.choice("color_map", color_map, color_map_names(), "colours from low to high");
    v.flag("legend", legend, "whether the meaning of the colours is drawn");
    v.number("point_radius", point_radius,
             {"radius of a drawn particle; 0: from its volume", "m", 0});
    v.color("background", background, "colour behind everything");
    v.flag("ground_shadow", ground_shadow, "draw the shadow on the ground");
    v.number(
        "speed", speed,
        {"simulated seconds that the window shows a second, at most: 1 is real time; 0: as fast "
         "as it goes",
         "", 0, 100});
    v.object("look", look, "style of particles and colliders, shadows");
  }
};

// Directions in which the scene repeats.
struct PeriodicSettings {
  std::array<std::optional<Interval>, 3> axes;  // m

  template <class V>
  void describe(V& v) {
    for (int a = 0; a < 3; ++a)
      v.interval(kAxisNames[a], axes[a],
                 {"[low, high]: what leaves at one end comes in at the other; both a whole number "
                  "of blocks (2D: 8 cells, 3D: 4 cells) from 0",
                  "m"});
  }
};

struct GridSettings {
  double spacing = 0.02;  // m
  PeriodicSettings periodic;

  template <class V>
  void describe(V& v) {
    v.number("spacing", spacing, {"edge of a grid cell", "m", 0, INFINITY, true});
    v.object("periodic", periodic, "directions in which the scene repeats");
  }
};

// What was noticed in a file that a shape is made of.
struct LoadWarning {
  std::string pointer, what;
};

struct SceneSettings {
  std::string folder;  // of the scene file: paths in it are relative to that
  std::vector<LoadWarning> load_warnings;
  std::int64_t format = 1;
  std::string name;
  std::string description;
  std::uint64_t seed = 1;
  std::int64_t dimension = 3;
  SolverKind solver = SolverKind::mpm;
  MpmKeys mpm;  // where the solver is that
  SphKeys sph;
  FemKeys fem;
  std::int64_t frames = 60;
  double fps = 30;
  VaryingVector gravity{{0, -9.81, 0}};  // in x, y, z, t
  GridSettings grid;
  IntegratorSettings integrator;
  std::optional<PorousKeys> porous;  // none: one species
  std::optional<AirKeys> air;        // none: vacuum
  std::optional<GrainKeys> grains;   // none: particles alone
  std::vector<std::string> scalars;  // names
  std::vector<MaterialSettings> materials;
  std::vector<ObjectSettings> objects;
  std::vector<EmitterSettings> emitters;
  std::vector<TransitionSettings> transitions;
  std::vector<SinkSettings> sinks;
  std::vector<ColliderSettings> colliders;
  std::vector<ProbeSettings> probes;
  OutputSettings output;
  ViewSettings view;

  // In settings.cpp: in each file that holds a scene they took half a second to compile.
  SceneSettings();
  ~SceneSettings();
  SceneSettings(const SceneSettings&);
  SceneSettings(SceneSettings&&) noexcept;
  SceneSettings& operator=(const SceneSettings&);
  SceneSettings& operator=(SceneSettings&&) noexcept;

  template <class V>
  void describe(V& v) {
    v.require("materials");
    v.hint("$schema", "where editors find the JSON Schema of scenes; firn itself reads past it");
    describe_run(v);
    v.names("scalars", scalars, kMaxScalars,
            "names of quantities that each particle carries along unchanged; objects set them in "
            "fields, frames and pictures can show them");
    v.dictionary("materials", materials, {"materials by name", 1});
    v.list("objects", objects, {"bodies of particles"});
    v.list("emitters", emitters, {"where particles come in during the run"});
    v.list("transitions", transitions, {"what becomes of particles where a condition holds"});
    v.edits(Edits::at_once);
    v.list("sinks", sinks, {"where particles are removed"});
    v.list("colliders", colliders, {"obstacles, at rest or moving"});
    v.list("probes", probes, {"what is measured in every frame, for stats.jsonl and probes.csv"});
    v.edits(Edits::outside);
    v.object("output", output, "what a run writes");
    v.dimension(3);  // the camera of a flat scene, too, stands in front of it
    v.object("view", view, "how pictures are drawn");
  }

 private:
  template <class V>
  void describe_run(V& v) {
    v.integer("format", format, {"version of this file format", 1, 1});
    v.edits(Edits::outside);
    v.text("name", name, "short name; the file's when not given");
    v.text("description", description, "one line on what the scene shows");
    v.edits(Edits::at_reset);
    v.natural("seed", seed, "seed of everything random");
    v.integer("dimension", dimension, {"2 (plane strain) or 3", 2, 3});
    v.dimension(static_cast<int>(dimension));
    v.typed("solver", solver, solver_info(),
            [this](auto& w, SolverKind kind) { describe_solver(w, kind); });
    v.number("fps", fps, {"frames per second of simulated time", "1/s", 0, INFINITY, true});
    v.edits(Edits::outside);
    v.integer("frames", frames, {"number of frames after the initial one", 1, kMaxFrames});
    v.shorthand("duration", "frames", {"simulated time, instead of frames", "s", 0, INFINITY, true},
                [this](double seconds) { return set_duration(seconds); });
    v.edits(Edits::at_once);
    v.varying_vector("gravity", gravity, {"acceleration of gravity; y is up", "m/s^2"},
                     space_time_variables());
    v.edits(Edits::at_reset);
    v.object("grid", grid, "background grid");
    v.also_here("solver", "mpm", solver == SolverKind::mpm, [this](auto& w) { mpm.describe(w); });
    v.edits(Edits::at_once);
    // Meshed solids have one kind alone: it is theirs unless the file names another.
    if (solver == SolverKind::fem && integrator.is_explicit())
      integrator.kind = IntegratorKind::optimization;
    v.typed("integrator", integrator.kind, integrator_info(),
            [this](auto& w, IntegratorKind kind) { integrator.describe(w, kind, solver); });
    v.edits(Edits::at_reset);
    v.object("porous", porous, "how species that share space act on each other");
    v.edits(Edits::at_once);
    v.object("air", air, "wind and drag on grains, of the solver sph");
    v.object("grains", grains, "the run shown as many finer grains, in files of their own");
    v.edits(Edits::at_reset);
  }

  template <class V>
  void describe_solver(V& v, SolverKind kind) {
    switch (kind) {
      case SolverKind::mpm:
        return mpm.describe(v);
      case SolverKind::sph:
        return sph.describe(v);
      case SolverKind::fem:
        return fem.describe(v);
    }
  }

  std::string set_duration(double seconds) {
    const double count = std::round(seconds * fps);
    if (!(count >= 1)) return "is shorter than one frame; raise it or /fps";
    if (!(count <= static_cast<double>(kMaxFrames)))
      return "gives more than " + std::to_string(kMaxFrames) + " frames; lower it or /fps";
    frames = static_cast<std::int64_t>(count);
    return "";
  }
};

}  // namespace firn
