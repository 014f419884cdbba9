#include "cases/bench_grains.h"

#include <chrono>
#include <cmath>
#include <memory>

#include "exec/parallel.h"
#include "grains_cuda/device_grains.h"

namespace firn {
namespace {

constexpr std::int64_t kGrains = 7'000'000, kGrainsOnDevice = 21'000'000;
constexpr double kWorkOnDevice = 1e9;  // updates to time
constexpr double kSpacing = 0.01, kCell = 0.02, kDt = 0.002;

// A layer on the floor, four times as wide as high, on a lattice with a little disorder.
template <int D>
CoarseState<D> layer(std::int64_t particles) {
  const double n = double(particles);
  const int high = std::max(1, static_cast<int>(D == 3 ? std::cbrt(n / 16) : std::sqrt(n / 4)));
  const int wide = 4 * high, deep = D == 3 ? wide : 1;
  CoarseState<D> state;
  for (int i = 0; i < wide; ++i)
    for (int j = 0; j < high; ++j)
      for (int k = 0; k < deep; ++k) {
        const int at[3] = {i, j, k};
        Vec<double, D> x;
        for (int a = 0; a < D; ++a)
          x[a] =
              (at[a] + 0.5 + 0.1 * std::sin(12.9898 * i + 78.233 * j + 37.719 * k + a)) * kSpacing;
        state.id.push_back(state.id.size());
        state.position.push_back(x);
      }
  state.velocity.assign(state.size(), Vec<float, D>::zero());
  state.spacing.assign(state.size(), float(kSpacing));
  state.mass.assign(state.size(), 1);
  state.paint.assign(state.size(), 0);
  return state;
}

// A shear with eddies, a quarter of a spacing a step at most.
template <int D>
CoarseState<D> moved(const CoarseState<D>& before) {
  CoarseState<D> state = before;
  state.time += kDt;
  for (std::size_t i = 0; i < state.size(); ++i) {
    Vec<double, D> v = Vec<double, D>::zero();
    const double x = before.position[i][0] / (20 * kSpacing),
                 y = before.position[i][1] / (20 * kSpacing);
    v[0] = 0.6 + 0.4 * std::sin(x) * std::cos(y);
    v[1] = -0.4 * std::cos(x) * std::sin(y);
    state.position[i] += v * kDt;
    state.velocity[i] = v.template cast<float>();
  }
  return state;
}

Collider flat_floor(int dimension) {
  Collider floor;
  floor.shape.kind = ShapeKind::plane;
  floor.shape.dimension = dimension;
  floor.friction = 0.5;
  return floor;
}

// Grains on either device, as the loop below sees them.
template <int D>
class BenchedGrains {
 public:
  BenchedGrains(Device device, const CoarseState<D>& first)
      : obstacles_(new ColliderSet({flat_floor(D)})) {
    obstacles_->set_step(0, kDt);
    around_.obstacles = obstacles_.get();
    around_.gravity = [](const Vec3d&, double) { return Vec3d{{0, -9.81, 0}}; };
    if (device == Device::cpu) {
      fits_ = cloud_.start(first, *obstacles_);
      return;
    }
    fits_ = cloud_.add_all(first, obstacles_->all());
    DeviceGrainSurroundings around;
    around.obstacles = obstacles_;
    around.gravity[1].value = -9.81;
    auto made = make_device_grains<D>(cloud_, around);
    if (!made) {
      errors_ = made.errors();
      return;
    }
    device_ = std::move(*made);
    errors_ = device_->upload(cloud_, first);
    if (errors_.empty()) errors_ = device_->settle();
  }
  Errors errors() const { return fits_ ? errors_ : Errors{"more grains than can be numbered"}; }

  // Seconds that it took; particles are on their device before.
  Result<double> advance(const CoarseState<D>& now, const CoarseState<D>& next) {
    if (device_)
      if (Errors errors = device_->write_rows(next); !errors.empty()) return errors;
    const auto start = std::chrono::steady_clock::now();
    if (device_) {
      const auto moved = device_->advance(next.time);
      if (!moved) return moved.errors();
    } else {
      cloud_.advance(now, next, around_);
    }
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  }
  std::int64_t updates() const { return device_ ? device_->updates() : cloud_.updates(); }
  std::int64_t moved() const { return device_ ? device_->moved() : cloud_.moved(); }
  std::size_t size() const { return cloud_.size(); }
  std::size_t bytes() const { return device_ ? device_->bytes() : cloud_.bytes(); }

 private:
  std::shared_ptr<ColliderSet> obstacles_;
  GrainSurroundings around_;
  GrainCloud<D> cloud_{GrainSettings{}, kCell, kSpacing, {}, 0};
  std::unique_ptr<DeviceGrains<D>> device_;
  bool fits_ = false;
  Errors errors_;
};

template <int D>
Result<BenchResult> bench(const BenchOptions& options) {
  constexpr std::int64_t kStepsBefore = 4;
  const bool on_cpu = options.device == Device::cpu;
  const std::int64_t usual = on_cpu ? kGrains : kGrainsOnDevice;
  const std::int64_t wanted = options.particles > 0 ? options.particles : usual;
  CoarseState<D> now = layer<D>(wanted / GrainSettings{}.per_particle);
  BenchedGrains<D> grains(options.device, now);
  if (Errors errors = grains.errors(); !errors.empty()) return errors;
  BenchResult result;
  double seconds = 0;
  std::int64_t before = 0;
  const double work = on_cpu ? options.work : std::max(options.work, kWorkOnDevice);
  for (std::int64_t step = 0; double(grains.updates() - before) < work || result.steps < 4;
       ++step) {
    options.progress("step " + std::to_string(step));
    CoarseState<D> next = moved(now);
    const Result<double> took = grains.advance(now, next);
    if (!took) return took.errors();
    if (step < kStepsBefore && !on_cpu) {
      before = grains.updates();
    } else {
      seconds += *took;
      ++result.steps;
    }
    now = std::move(next);
  }
  const double updates = double(grains.updates() - before), all = double(grains.updates());
  constexpr double kColumns = 4.0 * (2 * D + 2), kMotion = 4.0 * 2 * D, kPlace = 4.0 * D;
  result.case_name = kGrainBench;
  result.particles = static_cast<std::int64_t>(grains.size());
  result.threads = thread_count();
  result.particle_steps_per_second = updates / seconds;
  result.bytes_per_particle = double(grains.bytes()) / double(grains.size());
  // Places and velocities are read and written, places read once more to count; sorting reads and
  // writes all columns, and places twice more.
  result.bytes_moved_per_particle_step =
      2 * kMotion + kPlace + (2 * kColumns + 2 * kPlace) * double(grains.moved()) / all;
  result.phases = {{"grains", seconds}};
  return result;
}

}  // namespace

Result<BenchResult> bench_grains(const BenchOptions& options) {
  return options.dimension == 2 ? bench<2>(options) : bench<3>(options);
}

}  // namespace firn
