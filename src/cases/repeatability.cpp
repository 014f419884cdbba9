#include "cases/repeatability.h"

#include <algorithm>
#include <atomic>
#include <iterator>
#include <thread>

#include "cases/agreement_scenes.h"
#include "cases/compare_devices.h"
#include "exec/parallel.h"

namespace firn {
namespace {

constexpr int kStepsBeforeSave = 27;
constexpr int kSphStepsBeforeSave = 7;  // of some fifteen in a frame
constexpr int kRoundsBeside = 2;
constexpr double kRoughly = 1e-4;  // tolerance of solves: bytes repeat, whatever they are

struct Run {
  std::string name;
  SceneSettings scene;
  Precision precision;
  Device device;
  int steps_before_save = kStepsBeforeSave;

  std::string full_name() const {
    return (precision == Precision::double_ ? "double " : "float ") +
           std::to_string(static_cast<int>(scene.dimension)) + "D " + name;
  }
  Result<std::unique_ptr<World>> world() const { return World::create(scene, precision, device); }
};

using Outcome = Result<StateImage>;

Outcome finish_frame(Result<std::unique_ptr<World>> world) {
  if (!world) return world.errors();
  const std::atomic<bool> stop{false};
  const Result<FrameOutcome> done = (*world)->advance_frame(stop);
  if (!done) return done.errors();
  return (*world)->save();
}

Outcome run_frame(const Run& run) {
  return finish_frame(run.world());
}

// The host starts each step.
Outcome run_stepwise(const Run& run) {
  auto world = run.world();
  if (!world) return world.errors();
  while ((*world)->frame() < 1)
    if (Errors errors = take_steps(**world, 1); !errors.empty()) return errors;
  return (*world)->save();
}

// The blocks have other numbers afterwards.
Outcome run_interrupted(const Run& run) {
  auto world = run.world();
  if (!world) return world.errors();
  if (Errors errors = take_steps(**world, run.steps_before_save); !errors.empty()) return errors;
  if ((*world)->frame() > 0) return Errors{"the frame ended before the checkpoint"};
  const StateImage image = (*world)->save();
  return finish_frame(World::restore(run.scene, run.precision, image, run.device));
}

// What differs first: of particles, and of what they did to obstacles where it was summed in the
// same stretches.
std::string difference(const StateImage& a, const Outcome& outcome, bool impulses) {
  if (!outcome) return outcome.errors().front();
  const StateImage& b = *outcome;
  if (a.integers.at("total_steps") != b.integers.at("total_steps")) return "total_steps";
  for (const auto& [name, array] : a.arrays) {
    if (name == "collider_impulses" && !impulses) continue;
    const auto found = b.arrays.find(name);
    if (found == b.arrays.end() || found->second != array) return name;
  }
  return a.reals.at("drift") == b.reals.at("drift") ? "" : "drift";
}

struct Manner {
  const char* name;
  Outcome (*run)(const Run&);
  bool impulses;
};
constexpr Manner kManners[] = {{"again", run_frame, true},
                               {"step by step", run_stepwise, false},
                               {"from a checkpoint", run_interrupted, false}};

// Viscous enough to bound dt, so that dt depends on the density of what came.
void thicken(SceneSettings& scene) {
  for (MaterialSettings& material : scene.materials)
    if (auto* fluid = std::get_if<Fluid::Parameters>(&material.parameters)) fluid->viscosity = 500;
}

// Solvers take the same steps too.
void add_implicit_runs(int dimension, Precision precision, Device device, std::vector<Run>& runs) {
  const std::vector<std::string> names{"implicit optimization rough_balls",
                                       "implicit newton balls",
                                       "implicit semi_implicit snow",
                                       "implicit flip quadratic",
                                       "implicit wedge",
                                       "implicit moving_box",
                                       "implicit emitter_and_sink",
                                       "implicit optimization mirrors",
                                       "implicit backward quadratic",
                                       "implicit cfl_12",
                                       "implicit multigrid newton rough_balls",
                                       "implicit multigrid fine_balls",
                                       "implicit multigrid mirrors"};
  for (AgreementScene& test : implicit_scenes(dimension, precision)) {
    if (std::find(names.begin(), names.end(), test.name) == names.end()) continue;
    IntegratorSettings& integrator = test.scene.integrator;
    const bool long_steps = integrator.implicit_cfl > 1;
    if (long_steps && dimension == 3) continue;  // a minute, and nothing that 2D does not show
    test.scene.fps = long_steps ? 2.5 : 30;
    integrator.implicit_max_dt = long_steps ? integrator.fixed_dt : 1e-3;
    integrator.fixed_dt = 0;
    integrator.tolerance = kRoughly;
    runs.push_back({test.name, test.scene, precision, device});
  }
}

// So does granular SPH, with as many iterations as it needs.
void add_sph_runs(int dimension, Precision precision, Device device, std::vector<Run>& runs) {
  std::vector<std::string> names{"sph moving_box", "sph emitter_and_sink"};
  // On the CPU those take minutes in three dimensions, and show nothing that 2D does not.
  if (device == Device::cuda || dimension == 2)
    names.insert(names.end(), {"sph spiky", "sph gravity_in_space", "sph interactive_force"});
  // On the CPU grains have tests of their own (tests/determinism/grain_runs.cpp).
  if (device == Device::cuda)
    names.insert(names.end(),
                 {"sph grains spiky", "sph grains moving_box", "sph grains emitter_and_sink"});
  for (AgreementScene& test : sph_scenes(dimension, precision)) {
    if (std::find(names.begin(), names.end(), test.name) == names.end()) continue;
    test.scene.fps = 8;
    test.scene.integrator.fixed_dt = 0;
    test.scene.sph.tolerance = 1e-3;
    test.scene.sph.max_iterations = dimension == 3 ? 25 : 100;
    runs.push_back({test.name, test.scene, precision, device, kSphStepsBeforeSave});
  }
}

std::vector<Run> all_runs(Device device) {
  const std::vector<std::string> around{"moving_box",
                                        "rotating_paddle",
                                        "fluid_tank",
                                        "emitter_and_sink",
                                        "emitter_alone",
                                        "varied_viscosity",
                                        "varied_emitter",
                                        "species flip quadratic",
                                        "species emitter_and_sink",
                                        "species rough_slope",
                                        "species rough_sieve",
                                        "species fluid_tank for one",
                                        "species explicit conductivity",
                                        "species gravity_in_space by phi",
                                        "mixture mls linear",
                                        "mixture flip quadratic",
                                        "mixture emitter_and_sink",
                                        "mixture rough_slope"};
  std::vector<Run> runs;
  for (const int dimension : {2, 3})
    for (const Precision precision : {Precision::single, Precision::double_}) {
      SceneSettings fall =
          fall_scene(dimension, {model_index_by_name("sand"), model_index_by_name("fluid"),
                                 model_index_by_name("neo_hookean")});
      fall.fps = 50;
      fall.integrator.explicit_max_dt = 4e-4;
      runs.push_back({"mls", fall, precision, device});
      fall.mpm.transfer = TransferKind::flip;
      runs.push_back({"flip", fall, precision, device});
      std::vector<AgreementScene> scenes = agreement_scenes(dimension);
      for (AgreementScene& test : species_scenes(dimension)) scenes.push_back(std::move(test));
      for (AgreementScene& test : scenes) {
        if (std::find(around.begin(), around.end(), test.name) == around.end()) continue;
        // On the CPU mixtures of three dimensions take minutes; tests/unit/world_species.cpp is
        // about their bits.
        if (device == Device::cpu && dimension == 3 && test.name.starts_with("mixture")) continue;
        test.scene.fps = 20;
        test.scene.integrator.explicit_max_dt = 1e-3;
        if (!test.scene.emitters.empty()) thicken(test.scene);
        runs.push_back({test.name, test.scene, precision, device});
      }
      add_implicit_runs(dimension, precision, device, runs);
      add_sph_runs(dimension, precision, device, runs);
    }
  return runs;
}

// Two worlds at the same time, each in a thread of its own.
void check_beside(const Run (&runs)[2], const StateImage (&plain)[2],
                  const std::function<void(const Repeat&)>& tell) {
  std::string differences[2];
  for (int round = 0; round < kRoundsBeside; ++round) {
    Outcome outcomes[2] = {Errors{}, Errors{}};
    const auto work = [&](int i) {
      const OwnThreadScope own;
      outcomes[i] = kManners[(round + i) % std::size(kManners)].run(runs[i]);
    };
    std::thread other(work, 1);
    work(0);
    other.join();
    for (int i = 0; i < 2; ++i)
      if (differences[i].empty()) differences[i] = difference(plain[i], outcomes[i], false);
  }
  for (int i = 0; i < 2; ++i) tell({runs[i].full_name(), "beside another", differences[i]});
}

}  // namespace

Errors check_repeats(Device device, const std::vector<std::string>& names,
                     const std::function<void(const Repeat&)>& tell) {
  std::vector<Run> runs = all_runs(device);
  std::erase_if(runs, [&](const Run& run) { return !is_among(run.name, names); });
  if (runs.empty()) return {"no such case"};
  std::vector<StateImage> plain;
  for (const Run& run : runs) {
    const Outcome first = run_frame(run);
    if (!first) return {run.full_name() + ": " + first.errors().front()};
    for (const Manner& manner : kManners)
      tell({run.full_name(), manner.name, difference(*first, manner.run(run), manner.impulses)});
    plain.push_back(*first);
  }
  for (std::size_t i = 0; i + 1 < runs.size(); i += 2)
    check_beside({runs[i], runs[i + 1]}, {plain[i], plain[i + 1]}, tell);
  return {};
}

}  // namespace firn
