#include "cases/repeat.h"

#include <atomic>

#include "cases/agree_scenes.h"

namespace firn {
namespace {

constexpr Device kDevice = Device::cuda_deterministic;
constexpr double kFps = 50, kMaxDt = 4e-4;  // 1/s, s: at least fifty steps a frame
constexpr int kStepsBeforeSave = 27;

using Outcome = Result<StateImage>;

Outcome finish_frame(Result<std::unique_ptr<World>> world) {
  if (!world) return world.errors();
  const std::atomic<bool> stop{false};
  const Result<FrameOutcome> done = (*world)->advance_frame(stop);
  if (!done) return done.errors();
  return (*world)->save();
}

Errors take_steps(World& world, int steps) {
  for (int step = 0; step < steps; ++step)
    if (const Result<double> dt = world.advance_step(); !dt) return dt.errors();
  return {};
}

Outcome run_frame(const SceneSettings& scene, Precision precision) {
  return finish_frame(World::create(scene, precision, kDevice));
}

// The host starts each step.
Outcome run_stepwise(const SceneSettings& scene, Precision precision) {
  auto world = World::create(scene, precision, kDevice);
  if (!world) return world.errors();
  while ((*world)->frame() < 1)
    if (Errors errors = take_steps(**world, 1); !errors.empty()) return errors;
  return (*world)->save();
}

// The blocks have other numbers afterwards.
Outcome run_interrupted(const SceneSettings& scene, Precision precision) {
  auto world = World::create(scene, precision, kDevice);
  if (!world) return world.errors();
  if (Errors errors = take_steps(**world, kStepsBeforeSave); !errors.empty()) return errors;
  const StateImage image = (*world)->save();
  return finish_frame(World::restore(scene, precision, image, kDevice));
}

// Of particles, and what they did to obstacles where it was summed in the same stretches.
bool same_bytes(const StateImage& a, const StateImage& b, bool impulses) {
  for (const auto& [name, array] : a.arrays) {
    if (name == "collider_impulses" && !impulses) continue;
    const auto found = b.arrays.find(name);
    if (found == b.arrays.end() || found->second != array) return false;
  }
  return a.integers.at("total_steps") == b.integers.at("total_steps") &&
         a.reals.at("drift") == b.reals.at("drift");
}

}  // namespace

Result<std::vector<Repeat>> check_repeats() {
  struct Manner {
    const char* name;
    Outcome (*run)(const SceneSettings&, Precision);
    bool impulses;
  };
  const Manner manners[] = {{"again", run_frame, true},
                            {"step by step", run_stepwise, false},
                            {"from a checkpoint", run_interrupted, false}};
  std::vector<Repeat> results;
  for (const int dimension : {2, 3})
    for (const TransferKind transfer : {TransferKind::mls, TransferKind::flip})
      for (const Precision precision : {Precision::single, Precision::double_}) {
        SceneSettings scene =
            fall_scene(dimension, {model_index_by_name("sand"), model_index_by_name("fluid"),
                                   model_index_by_name("neo_hookean")});
        scene.fps = kFps;
        scene.integrator.max_dt = kMaxDt;
        scene.transfer = transfer;
        const std::string name =
            std::string(precision == Precision::double_ ? "double " : "float ") +
            std::to_string(dimension) + "D " + (transfer == TransferKind::mls ? "mls" : "flip");
        const Outcome plain = run_frame(scene, precision);
        if (!plain) return Errors{name + ": " + plain.errors().front()};
        for (const Manner& manner : manners) {
          const Outcome other = manner.run(scene, precision);
          if (!other) return Errors{name + " " + manner.name + ": " + other.errors().front()};
          results.push_back({name, manner.name, same_bytes(*plain, *other, manner.impulses)});
        }
      }
  return results;
}

}  // namespace firn
