// Grid to particles and the update of their material, one model a launch, one thread a particle.
// The velocities around a block lie in shared memory; particles that follow each other are mostly
// of one cell, so that a warp reads few different nodes at once.
#pragma once

#include "mpm/advance_material.h"
#include "mpm/porous_particle.h"
#include "mpm_cuda/gather_transfer.h"

namespace firn {

// Thread blocks that a multiprocessor is to hold at once: what bounds the registers. Models without
// F need few.
template <class Model, class T>
constexpr int kGatherGroups = sizeof(T) == 8 ? 2
                              : Model::kHasF ? 4
                                             : 5;

template <class T>
__device__ void report_findings(const ThreadFindings<T>& mine, StepFindings& found) {
  const T signal = warp_max(mine.signal), speed2 = warp_max(mine.speed2);
  const unsigned plastic = warp_sum(mine.plastic);
  if (threadIdx.x % 32 != 0) return;
  keep_max(&found.signal, double(signal));
  keep_max(&found.speed2, double(speed2));
  if (plastic > 0) atomicAdd(&found.plastic, static_cast<unsigned long long>(plastic));
}

// Of transfers that move particles at other velocities than their own.
template <class Transfer, class T>
__device__ void report_motion(const ThreadFindings<T>& mine, StepFindings& found) {
  if constexpr (Transfer::kNeedsVelocity) {
    const T motion = warp_max(mine.motion);
    if (threadIdx.x % 32 == 0) keep_max(&found.motion, double(motion));
  }
}

template <class Model, class T, int D>
__device__ MaterialState<T, D, Model::kScalars> load_state(const ParticleWords<T>& particle) {
  using C = ModelColumns<Model, D>;
  MaterialState<T, D, Model::kScalars> state;
  if constexpr (Model::kHasF)
    for (int i = 0; i < D; ++i)
      for (int j = 0; j < D; ++j) state.F(i, j) = load_now(&particle[C::kGradient + i * D + j]);
  for (int k = 0; k < Model::kScalars; ++k) state.scalar[k] = load_now(&particle[C::kScalar + k]);
  return state;
}

// What a model makes of its parameters: the same for all particles of a set.
template <class Model, class T, int D>
struct SameModel {
  typename Model::template Constants<T> constants;
  T viscosity;

  __device__ const SameModel& of(const SetView<T>&, const ParticleWords<T>&) const { return *this; }
};
// Or with values of the particle's own, of which the words of the parameters are overwritten.
template <class Model, class T, int D>
struct VariedModel {
  using Parameters = typename Model::template ParametersOf<T>;
  static constexpr int kWords = sizeof(Parameters) / sizeof(T);
  static_assert(kWords <= kMostParameterWords && sizeof(Parameters) % sizeof(T) == 0);
  Parameters parameters;

  __device__ SameModel<Model, T, D> of(const SetView<T>& set,
                                       const ParticleWords<T>& particle) const {
    T words[kWords];
    memcpy(words, &parameters, sizeof words);
    FIRN_UNROLL
    for (int w = 0; w < kWords; ++w)
      if (set.varied_word[w] >= 0) words[w] = particle[set.varied + set.varied_word[w]];
    Parameters own = parameters;
    memcpy(&own, words, sizeof words);
    return {Model::template constants<T, D>(own, T(1)), viscosity_of<Model, T>(own)};
  }
};

// F, plastic state and stress of a particle from the velocity gradient.
template <class Model, class T, int D>
__device__ void update_particle(const SetView<T>& set, const ParticleWords<T>& particle,
                                const typename Model::template Constants<T>& constants, T viscosity,
                                T dt, const Vec<T, D>& v, Mat<T, D> rate,
                                MaterialState<T, D, Model::kScalars>& state, int set_number,
                                Control& control, ThreadFindings<T>& found) {
  using C = ModelColumns<Model, D>;
  T source(0);
  if constexpr (!Model::kHasF) source = particle[C::kSource];
  if constexpr (keeps_dilation<Model>)
    if (set.source >= 0) source = particle[set.source];
  const T stiffness = set.stiffness < 0 ? set.same_stiffness : particle[set.stiffness];
  const auto stiffened = constants.stiffened(stiffness);
  if constexpr (!Model::kHasF)
    if (set.swelling >= 0) swell_instead(particle[set.swelling], rate);
  if (set.loose >= 0) use_dilation<Model, T, D>(dt, particle[set.loose], rate, source, state);
  const StressUpdate<T, D> update =
      advance_material<Model, T, D>(stiffened, dt, rate, source, state, control.damps != 0);
  if constexpr (Model::kHasF)
    for (int i = 0; i < D; ++i)
      for (int j = 0; j < D; ++j) particle[C::kGradient + i * D + j] = state.F(i, j);
  for (int k = 0; k < Model::kScalars; ++k) particle[C::kScalar + k] = state.scalar[k];
  if (Model::kIsotropicStress && set.stress_components == 1) {
    particle[C::kStress] = update.tau.e[0];
  } else {
    const SymMat<T, D> tau = whole_stress<Model, T, D>(update.tau, viscosity, rate, state);
    for (int k = 0; k < SymMat<T, D>::kSize; ++k) particle[C::kStress + k] = tau.e[k];
  }
  const T mass = set.mass < 0 ? set.same_mass : particle[set.mass];
  const T volume = stressed_volume(set, particle);
  const T speed2 = dot(v, v);
  const T signal = sqrt_of(update.wave_modulus * volume / mass) + sqrt_of(speed2);
  if (!(signal < T(1e15))) {
    atomicMin(&control.found.bad_id, particle_id(set, particle));
    control.found.bad_set = set_number;
  }
  found.signal = max_of(signal, found.signal);
  found.speed2 = max_of(speed2, found.speed2);
  found.plastic += update.plastic > T(0) ? 1 : 0;
}

template <class Model, class T, int D, class Transfer, class Source>
__global__ void __launch_bounds__(kGatherThreads, kGatherGroups<Model, T>)
    gather_kernel(const __grid_constant__ View<T, D> view, const __grid_constant__ SetView<T> set,
                  const __grid_constant__ Source source, int set_number) {
  using C = ModelColumns<Model, D>;
  constexpr int kNeighbors = BlockShape<D>::kNeighbors;
  __shared__ typename Transfer::Nodes nodes;
  __shared__ std::int32_t neighbors[kNeighbors];
  Control& control = *view.control;
  const int parity = control.parity, occupied = control.occupied;
  const int base_row = *set.base_row, spare = spare_column(set, base_row);
  const T dt = T(control.dt);
  ThreadFindings<T> found;
#pragma unroll 1
  for (int block = blockIdx.x; block < occupied; block += gridDim.x) {
    const std::uint32_t begin = set.begin[parity][block], end = set.begin[parity][block + 1];
    if (begin == end) continue;
    if (block != blockIdx.x) __syncthreads();  // the nodes of the block before are read
    if (threadIdx.x < kNeighbors)
      neighbors[threadIdx.x] =
          view.neighbors[parity][std::size_t(block) * kNeighbors + threadIdx.x];
    // Each head is asked for one round ahead, the first while the nodes are on their way.
    const auto head_of = [&](std::uint32_t p) {
      const ParticleWords<T> particle(set, base_row, min(p, end - 1));
      ParticleHead<T, D> head;
      for (int a = 0; a < D; ++a) {
        head.position[a] = load_now(&particle[C::kPosition + a]);
        if constexpr (Transfer::kNeedsVelocity)
          head.velocity[a] = load_now(&particle[C::kVelocity + a]);
      }
      return head;
    };
    // What is read of the particles of a round, two rounds ahead.
    constexpr int kTiles = kGatherThreads / kTile + 1;
    constexpr int kHead = Transfer::kNeedsVelocity ? 2 * D : D;
    const auto prefetch_round = [&](std::uint32_t first, std::uint32_t last, int tile) {
      if (tile >= kTiles) return;
      last = min(last, first + kGatherThreads);
      prefetch_columns(set, base_row, first, last, tile, C::kPosition, kHead);
      prefetch_columns(set, base_row, first, last, tile, C::kGradient, C::kStress - C::kGradient);
    };
    prefetch_round(begin, end, threadIdx.x);
    prefetch_round(begin + kGatherThreads, end, threadIdx.x);
    ParticleHead<T, D> next = head_of(begin + threadIdx.x);
    const bool guarded = view.collider_count > 0 && view.near_particles.count[block] > 0;
    __syncthreads();
    Transfer::load(view, neighbors, nodes);
    __syncthreads();

    for (std::uint32_t p = begin + threadIdx.x; p < end; p += kGatherThreads) {
      const ParticleWords<T> particle(set, base_row, p);
      ParticleHead<T, D> head = next;
      prefetch_round(p - threadIdx.x + 2 * kGatherThreads, end, threadIdx.x);
      next = head_of(p + kGatherThreads);
      // Asked for before the nodes are summed, so that it has arrived afterwards.
      MaterialState<T, D, Model::kScalars> state = load_state<Model, T, D>(particle);
      const Mat<T, D> rate =
          Transfer::advance(view, dt, particle, nodes, guarded, spare, head, found);
      const auto& model = source.of(set, particle);
      update_particle<Model, T, D>(set, particle, model.constants, model.viscosity, dt,
                                   head.velocity, rate, state, set_number, control, found);
    }
  }
  __syncwarp();
  report_findings(found, control.found);
  report_motion<Transfer>(found, control.found);
}

}  // namespace firn
