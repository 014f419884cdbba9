// Velocities of the nodes at the end of an implicit step, on a device: what ImplicitStep
// (mpm/implicit_step.h) does on the CPU.
#pragma once

#include <algorithm>
#include <cstring>
#include <functional>
#include <numeric>

#include "mpm/implicit_passes.h"
#include "mpm_cuda/implicit_objective.h"

namespace firn {

// The fastest node, m/s, and the lightest particle, kg: bits of doubles.
struct MotionFindings {
  unsigned long long speed, lightest;
};

template <class T, int D>
__global__ void lightest_kernel(const __grid_constant__ View<T, D> view,
                                const __grid_constant__ SetView<T> set, MotionFindings* found) {
  const Control& control = *view.control;
  const std::uint32_t p = blockIdx.x * blockDim.x + threadIdx.x;
  if (p >= set.begin[control.parity][control.occupied]) return;
  const T mass = set.mass < 0 ? set.same_mass : ParticleWords<T>(set, *set.base_row, p)[set.mass];
  if (set.mass < 0 && p > 0) return;
  atomicMin(&found->lightest, static_cast<unsigned long long>(__double_as_longlong(double(mass))));
}

template <class T, int D>
class DeviceImplicitStep {
 public:
  using Vector = DeviceVector<T>;
  // What a step needs of the solver.
  struct Input {
    const View<T, D>& view;
    const SetStores<T, D>& sets;
    double dt;
    const Control& control;           // as it was last seen on the device
    std::function<bool()> look;       // brings it over; whether to go on
    std::function<bool()> cancelled;  // may be empty
    std::function<bool(const SolveReport&)> accept;
  };

  DeviceImplicitStep(const MpmSettings& settings, cudaStream_t stream)
      : settings_(settings),
        stream_(stream),
        vectors_(stream),
        contacts_(stream),
        following_(stream),
        coarse_(stream),
        cg_(stream),
        gmres_(stream) {
    ImplicitTransfer<T, D>::prepare(settings);
    motion_.allocate(1);
  }
  // Blocks have other numbers, or other obstacles near them, than in the step before.
  void forget_blocks() { known_ = false; }

  // Momentum of the particles becomes velocities after the step in view.velocity, with all that
  // acts within it. Where the step is not accepted, or is dropped, nothing changes.
  SolveReport run(const Input& in);
  std::size_t bytes() const {
    return columns_.bytes() + contacts_.bytes() + following_.bytes() + coarse_.bytes() +
           14 * vector_bytes_;
  }

 private:
  void learn_blocks(const View<T, D>& view, const Control& control);
  double typical_speed(const DeviceSpace<T, D>& nodes, const Vector& before, const Vector& free);
  double largest_motion(const DeviceSpace<T, D>& nodes, const Input& in, const DeviceNode<T>* v);

  const MpmSettings& settings_;
  cudaStream_t stream_;
  VectorStore<T, D> vectors_;
  ContactStore<T, D> contacts_;
  FollowingStore<T, D> following_;
  CoarseStore<T, D> coarse_;
  CgStore<T, D> cg_;
  GmresStore<T, D> gmres_;
  ImplicitColumns<T, D> columns_;
  DeviceArray<MotionFindings> motion_;
  PinnedArray<MotionFindings> motion_here_{1};
  bool known_ = false;
  std::size_t vector_bytes_ = 0;
};

template <class T, int D>
void DeviceImplicitStep<T, D>::learn_blocks(const View<T, D>& view, const Control& control) {
  const std::size_t blocks = control.blocks;
  std::vector<BlockCoord<D>> coords(blocks);
  std::vector<std::int32_t> near(blocks, 0);
  must(cudaMemcpyAsync(coords.data(), view.coord[control.parity], blocks * sizeof(coords[0]),
                       cudaMemcpyDeviceToHost, stream_),
       "reading blocks");
  if (view.collider_count > 0)
    must(cudaMemcpyAsync(near.data(), view.near_nodes.count, blocks * sizeof(near[0]),
                         cudaMemcpyDeviceToHost, stream_),
         "reading blocks");
  wait_for(stream_, "reading blocks");
  std::vector<std::uint64_t> keys;
  for (const BlockCoord<D>& coord : coords) keys.push_back(morton_key<D>(coord));
  std::vector<std::int32_t> order(blocks), rank(blocks);
  std::iota(order.begin(), order.end(), 0);
  std::sort(order.begin(), order.end(), [&](int a, int b) { return keys[a] < keys[b]; });
  for (std::size_t i = 0; i < blocks; ++i) rank[order[i]] = static_cast<std::int32_t>(i);
  vectors_.set(view.capacity, rank);
  contacts_.set(near);
  following_.set(view, settings_.kernel, rank);
  if (settings_.implicit.preconditioner == PreconditionerKind::multigrid)
    coarse_.set_blocks(coords, order, view);
  vector_bytes_ = std::size_t(view.capacity) * BlockShape<D>::kNodes * sizeof(DeviceNode<T>);
  known_ = true;
}

template <class T, int D>
double DeviceImplicitStep<T, D>::typical_speed(const DeviceSpace<T, D>& nodes, const Vector& before,
                                               const Vector& free) {
  nodes.start_sum(StartTerm<T, D>{nodes.mass(), before.data(), free.data()});
  const double* sums = vectors_.fetch();
  return std::max({std::sqrt(sums[1] / sums[0]), std::sqrt(sums[2] / sums[0]), 1e-12});
}

template <class T, int D>
double DeviceImplicitStep<T, D>::largest_motion(const DeviceSpace<T, D>& nodes, const Input& in,
                                                const DeviceNode<T>* v) {
  constexpr int kThreads = 256;
  motion_here_[0] = {0, ~0ull >> 1};
  motion_here_.send(motion_, stream_);
  for (int s = 0; s < in.sets.count(); ++s) {
    const SetView<T>& set = in.sets.view(s);
    if (set.capacity == 0) continue;
    lightest_kernel<T, D>
        <<<static_cast<int>((set.capacity + kThreads - 1) / kThreads), kThreads, 0, stream_>>>(
            in.view, set, motion_.data());
  }
  nodes.for_nodes(
      FindSpeed<T, D>{nodes.mass(), v, &motion_.data()->lightest, &motion_.data()->speed});
  motion_here_.fetch(motion_, stream_);
  wait_for(stream_, "an implicit step");
  double speed;
  std::memcpy(&speed, &motion_here_[0].speed, sizeof speed);
  return speed;
}

template <class T, int D>
SolveReport DeviceImplicitStep<T, D>::run(const Input& in) {
  const View<T, D>& view = in.view;
  if (!known_) learn_blocks(view, in.control);
  columns_.set(in.sets, std::size_t(view.capacity) * power(view.transfer.arena_width, D));
  const DeviceSpace<T, D> nodes(vectors_);
  ImplicitTransfer<T, D>::momentum(view, settings_, stream_);
  Vector before = nodes.make(), free = nodes.make();
  nodes.for_nodes(FindVelocities<T, D>{view, vectors_.mass(), before.data(), free.data()});
  const double moves = typical_speed(nodes, before, free);
  if (!following_.empty())
    following_.build(nodes, view, ImplicitTransfer<T, D>::stress(view, settings_, stream_), free,
                     settings_.implicit.tolerance * moves);
  const DeviceSpace<T, D> space(vectors_, following_.weights());
  contacts_.build(space, view, T(in.dt), free, following_.view());
  SolveReport report;
  if (!in.look()) return report;

  DeviceObjective<T, D> objective(space, view, in.sets, settings_, columns_, cg_, gmres_, free,
                                  contacts_, following_, coarse_);
  space.start_sum(MassTerm<T>{space.mass()}, 0);
  objective.start_stiffness(1);
  const double* sums = vectors_.fetch();
  objective.set_sums(sums[0], sums[1]);
  const SolveGoal goal = SolveGoal::of<T>(settings_.implicit.tolerance, moves,
                                          objective.stiffness() / objective.total_mass(),
                                          double(T(in.dt)), settings_.spacing);
  if (settings_.implicit.kind == IntegratorKind::semi_implicit)
    objective.make_quadratic(settings_.implicit.beta);

  const bool rubs = contacts_.rubs() && view.grip[0] != nullptr;
  Vector v = space.make(), guess = space.make(), g = space.make();
  space.copy(before, v);
  space.copy(free, guess);
  contacts_.keep_free(space, v);
  contacts_.keep_free(space, guess);
  ImplicitPasses<T, DeviceSpace<T, D>, DeviceObjective<T, D>> passes(
      space, objective, settings_.implicit, rubs, goal, in.cancelled);
  report = passes.run(v, guess, g, [&](const Vector& at, const Vector& gradient) {
    return contacts_.update_friction(space, at, gradient);
  });
  if (report.cancelled) return report;
  const DeviceNode<T>* all = objective.whole_velocities(v);
  report.speed = largest_motion(nodes, in, all);
  if (!in.accept(report)) return report;
  contacts_.keep(space, view, v, g);
  if (!following_.empty()) following_.give_impulses(view, objective.whole_impulses());
  nodes.for_nodes(StoreVelocities<T, D>{nodes.mass(), all, before.data(), view.velocity,
                                        view.transfer.split ? view.before : nullptr});
  return report;
}

}  // namespace firn
