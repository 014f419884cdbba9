// Packs: one run, or the agreement of many on CPU and device.
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <optional>

#include "cases/agreement_packs.h"
#include "commands.h"
#include "cuda/device.h"
#include "points_file.h"

namespace firn::engine {
namespace {

struct RunChoice {
  std::string pack, points;  // a file for the last frame; empty: none
  Device device = Device::cpu;
  bool deterministic = false;
  std::optional<Precision> precision;    // none: as usual
  std::int64_t frames = -1, steps = -1;  // -1: as the scene says
};

int usage() {
  std::fputs(
      "usage: firn_engine run PACK [--device cpu|cuda] [--deterministic] [--precision "
      "float|double] "
      "[--frames N | --steps N] [--points FILE.ply]\n",
      stderr);
  return kBadUsage;
}

int failure(const Errors& errors, int status) {
  std::fprintf(stderr, "%s\n", errors.front().c_str());
  return status;
}

bool take_count(const std::string& text, std::int64_t& count) {
  char* end = nullptr;
  count = std::strtoll(text.c_str(), &end, 10);
  return end != text.c_str() && *end == '\0' && count >= 0;
}

bool take_choice(const Words& words, RunChoice& choice) {
  for (std::size_t i = 0; i < words.size(); ++i) {
    const std::string& word = words[i];
    if (!word.starts_with("--")) {
      if (!choice.pack.empty()) return false;
      choice.pack = word;
      continue;
    }
    if (word == "--deterministic") {
      choice.deterministic = true;
      continue;
    }
    if (++i == words.size()) return false;
    const std::string& value = words[i];
    if (word == "--points")
      choice.points = value;
    else if (word == "--device" && (value == "cpu" || value == "cuda"))
      choice.device = value == "cuda" ? Device::cuda : Device::cpu;
    else if (word == "--precision" && (value == "float" || value == "double"))
      choice.precision = value == "double" ? Precision::double_ : Precision::single;
    else if (word == "--frames" ? !take_count(value, choice.frames)
                                : word != "--steps" || !take_count(value, choice.steps))
      return false;
  }
  if (choice.deterministic && choice.device == Device::cuda)
    choice.device = Device::cuda_deterministic;
  return !choice.pack.empty() && (choice.frames < 0 || choice.steps < 0);
}

void show(const World& world, double seconds) {
  const FrameStats stats = world.statistics();
  const double work = double(stats.particles) * double(world.total_steps());
  std::printf(
      "frame %lld t %.9g s, %lld steps, %zu particles, mass %.9g kg, momentum (%.6g, %.6g, %.6g), "
      "kinetic %.9g J, elastic %.9g J, %.3f s, %.3f M particle-steps/s",
      static_cast<long long>(stats.frame), stats.time, static_cast<long long>(world.total_steps()),
      stats.particles, stats.mass, stats.momentum[0], stats.momentum[1], stats.momentum[2],
      stats.kinetic, stats.elastic, seconds, seconds > 0 ? work / seconds * 1e-6 : 0.0);
  if (stats.grains)
    std::printf(", %lld + %lld iterations, density error %.3g, %d missed",
                static_cast<long long>(stats.grains->iterations),
                static_cast<long long>(stats.grains->shift_iterations),
                stats.grains->mean_density_error, static_cast<int>(stats.grains->missed_steps));
  if (stats.solves)
    std::printf(", %lld Newton steps, %lld products, %lld halved, %lld missed",
                static_cast<long long>(stats.solves->newton_iterations),
                static_cast<long long>(stats.solves->krylov_iterations),
                static_cast<long long>(stats.solves->halved_steps),
                static_cast<long long>(stats.solves->missed_steps));
  std::printf("\n");
  std::fflush(stdout);
}

Errors run_world(World& world, const RunChoice& choice, std::int64_t scene_frames) {
  const auto start = std::chrono::steady_clock::now();
  const auto seconds = [&] {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  };
  for (std::int64_t step = 0; step < choice.steps; ++step)
    if (const Result<double> dt = world.advance_step(); !dt) return dt.errors();
  const std::int64_t frames = choice.frames >= 0  ? choice.frames
                              : choice.steps >= 0 ? 0
                                                  : scene_frames;
  const std::atomic<bool> never{false};
  for (std::int64_t frame = 0; frame < frames; ++frame) {
    const Result<FrameOutcome> outcome = world.advance_frame(never);
    if (!outcome) return outcome.errors();
    show(world, seconds());
  }
  if (frames == 0) show(world, seconds());
  return {};
}

std::string name_of(const std::string& path) {
  const std::size_t slash = path.rfind('/');
  const std::string file = slash == std::string::npos ? path : path.substr(slash + 1);
  return file.substr(0, file.rfind('.'));
}

struct Counts {
  int agree = 0, differ = 0, refused = 0, failed = 0;
};

void show(const std::string& name, Precision precision, const PackCheck& check, Counts& counts) {
  std::printf("%-28s %-6s %8zu particles  ", name.c_str(),
              precision == Precision::double_ ? "double" : "float", check.particles);
  switch (check.verdict) {
    case PackVerdict::agrees:
    case PackVerdict::differs:
      ++(check.agreement.pass() ? counts.agree : counts.differ);
      std::printf("%9.2g of %-9s %s\n", check.agreement.difference, check.agreement.field.c_str(),
                  check.agreement.pass() ? "ok" : "FAILED");
      break;
    case PackVerdict::refused:
      ++counts.refused;
      std::printf("CPU ok, not on the device: %s\n", check.words.c_str());
      break;
    case PackVerdict::failed:
      ++counts.failed;
      std::printf("FAILED: %s\n", check.words.c_str());
  }
  std::fflush(stdout);
}

}  // namespace

int run_pack(const Words& words) {
  RunChoice choice;
  if (!take_choice(words, choice)) return usage();
  const Result<WorldPack> pack = read_pack(choice.pack);
  if (!pack) return failure(pack.errors(), kBadUsage);
  if (choice.device != Device::cpu)
    if (const Result<std::string> name = device_name(); !name)
      return failure(name.errors(), kBadUsage);
  const auto world =
      world_of(*pack, choice.precision.value_or(usual_precision(pack->scene)), choice.device);
  if (!world) return failure({choice.pack + ": " + world.errors().front()}, kBadUsage);
  Errors errors = run_world(**world, choice, pack->scene.frames);
  if (errors.empty() && !choice.points.empty()) errors = write_points(**world, choice.points);
  return errors.empty() ? kDone : failure({choice.pack + ": " + errors.front()}, kFailed);
}

int agree_packs(const Words& packs) {
  Counts counts;
  bool all_read = true;
  for (const std::string& path : packs) {
    const Result<WorldPack> pack = read_pack(path);
    if (!pack) {
      all_read = false;
      std::fprintf(stderr, "%s\n", pack.errors().front().c_str());
      continue;
    }
    for (const Precision precision : {Precision::double_, Precision::single})
      show(name_of(path), precision, check_pack(*pack, precision), counts);
  }
  std::printf(
      "%zu packs in double (tolerance of explicit steps %.0e) and float (%.0e): %d agree, %d "
      "differ, %d not yet on the device, %d failed\n",
      packs.size(), agreement_tolerance(Precision::double_), agreement_tolerance(Precision::single),
      counts.agree, counts.differ, counts.refused, counts.failed);
  if (!all_read) return kBadUsage;
  if (const Result<std::string> name = device_name(); !name)
    return failure(name.errors(), kBadUsage);
  return counts.differ + counts.failed > 0 ? kFailed : kDone;
}

}  // namespace firn::engine
