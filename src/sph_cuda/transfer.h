// Particles to the device and back. What does not change there stays on the host; a tag on the
// device says whose the rest is.
#pragma once

#include "sph/sph_solver.h"
#include "sph_cuda/store.h"

namespace firn {

// f(number, block, set, row) for all particles, set by set.
template <class T, int D, class F>
void for_rows(const Particles<T, D>& all, F&& f) {
  std::uint32_t i = 0;
  for (std::size_t s = 0; s < all.sets.size(); ++s)
    for (int b = 0; b < all.blocks.occupied(); ++b)
      for (std::uint32_t p = all.sets[s].begin[b]; p < all.sets[s].begin[b + 1]; ++p)
        f(i++, b, s, p);
}
// The number of the first particle of each set.
template <class T, int D>
std::vector<std::uint32_t> first_numbers(const Particles<T, D>& all) {
  std::vector<std::uint32_t> first(all.sets.size(), 0);
  for (std::size_t s = 1; s < all.sets.size(); ++s)
    first[s] = first[s - 1] + static_cast<std::uint32_t>(all.sets[s - 1].particles.size());
  return first;
}

// Particles as the device has them.
template <class T, int D>
struct PackedParticles {
  std::vector<Four<T>> place, velocity, stress;
  std::vector<ParticleTag> tags;
  std::vector<std::uint32_t> block_of;

  explicit PackedParticles(std::size_t n)
      : place(n), velocity(n), stress(n * kStressFours<D>), tags(n), block_of(n) {}

  // Number i: particle p of a set, at one of its columns of places. `cells`: of a volume of 1.
  void pack(std::size_t i, const ParticleSet<T, D>& from, std::uint32_t p, const Columns<T>& places,
            double cells) {
    const T volume = from.volume[0][p];
    place[i] = velocity[i] = {};
    for (int a = 0; a < D; ++a) {
      place[i][a] = places[a][p];
      velocity[i][a] = from.velocity[a][p];
    }
    place[i][3] = T(double(volume) * cells);
    velocity[i][3] = from.mass[0][p] / volume;
    const Columns<T>& kept = from[column::stress];
    SymMat<T, D> sigma;
    for (int k = 0; k < sigma.kSize; ++k) sigma.e[k] = kept[k][p];
    set_stress(stress.data(), i, sigma);
    shift_pressure_at<D>(stress.data(), i) = from[kShiftPressure][0][p];
  }
  // Behind the `before` first ones.
  void send(SphStore<T, D>& store, std::size_t before, cudaStream_t stream) const {
    store.place().upload(place.data(), place.size(), stream, before);
    store.velocity().upload(velocity.data(), velocity.size(), stream, before);
    store.stress().upload(stress.data(), stress.size(), stream, before * kStressFours<D>);
    store.tags().upload(tags.data(), tags.size(), stream, before);
    store.block_of().upload(block_of.data(), block_of.size(), stream, before);
  }
};

template <class T, int D>
void take_particles(const Particles<T, D>& all, bool at_listed_places, SphStore<T, D>& store,
                    cudaStream_t stream) {
  const double cells = 1 / std::pow(all.spacing, D);
  PackedParticles<T, D> packed(all.count());
  std::vector<const Columns<T>*> places;
  for (const auto& set : all.sets)
    places.push_back(at_listed_places ? &set.particles[kListedPlace] : &set.particles.position);
  for_rows(all, [&](std::uint32_t i, int block, std::size_t s, std::uint32_t p) {
    packed.pack(i, all.sets[s].particles, p, *places[s], cells);
    packed.tags[i] = {all.sets[s].particles.id[0][p], p, static_cast<std::uint32_t>(s)};
    packed.block_of[i] = static_cast<std::uint32_t>(block);
  });
  std::vector<BlockCoord<D>> coords(all.blocks.occupied());
  for (int b = 0; b < all.blocks.occupied(); ++b) coords[b] = all.blocks.coord(b);
  packed.send(store, 0, stream);
  store.coord().upload(coords.data(), coords.size(), stream);
}

template <class T, int D>
__global__ void restore_places_kernel(const __grid_constant__ DeviceSphView<T, D> view,
                                      const Four<T>* places, const std::uint32_t* first) {
  const std::uint32_t i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= view.count) return;
  for (int a = 0; a < D; ++a)
    view.place[i][a] = places[first[view.tags[i].set] + view.tags[i].row][a];
}
// Where particles are, once lists have been made for the places that they had.
template <class T, int D>
void restore_places(const Particles<T, D>& all, const DeviceSphView<T, D>& view,
                    cudaStream_t stream) {
  if (view.count == 0) return;
  std::vector<Four<T>> places(view.count);
  for_rows(all, [&](std::uint32_t i, int, std::size_t s, std::uint32_t p) {
    for (int a = 0; a < D; ++a) places[i][a] = all.sets[s].particles.position[a][p];
  });
  DeviceArray<Four<T>> there;
  there.assign(places, stream);
  DeviceArray<std::uint32_t> first;
  first.assign(first_numbers(all), stream);
  restore_places_kernel<T, D><<<static_cast<int>((view.count + 127) / 128), 128, 0, stream>>>(
      view, there.data(), first.data());
  must(cudaGetLastError(), "upload");
  wait_for(stream, "upload");
}

template <class E>
std::vector<E> fetched(const DeviceArray<E>& from, std::size_t n, cudaStream_t stream) {
  std::vector<E> values(n);
  if (n > 0) from.download(values.data(), n, stream);
  return values;
}

// The host's particles take the order of the device, by block; those that have gone go here too.
template <class T, int D>
void take_order(Particles<T, D>& all, const std::vector<BlockCoord<D>>& coords,
                const std::vector<std::uint32_t>& block_of, const std::vector<ParticleTag>& tags) {
  std::vector<std::uint64_t> keys;
  for (const BlockCoord<D>& c : coords) keys.push_back(morton_key<D>(c));
  all.blocks.build(keys);
  const std::size_t sets = all.sets.size(), blocks = keys.size();
  std::vector<Buffer<std::uint32_t>> order(sets);
  std::vector<std::uint32_t> next(sets, 0), size(sets, 0);
  for (const ParticleTag& tag : tags) ++size[tag.set];
  for (std::size_t s = 0; s < sets; ++s) {
    order[s].resize(size[s]);
    all.sets[s].begin.resize(blocks + 1);
  }
  std::size_t i = 0;
  for (std::size_t b = 0; b <= blocks; ++b) {
    for (std::size_t s = 0; s < sets; ++s) all.sets[s].begin[b] = next[s];
    for (; i < tags.size() && block_of[i] == b; ++i) {
      const std::uint32_t s = tags[i].set;
      order[s][next[s]++] = tags[i].row;
    }
  }
  for (std::size_t s = 0; s < sets; ++s) all.sets[s].particles.reorder(order[s].data(), size[s]);
}

// What changed on the device, of the particles that there are; tags then speak of the rows that
// these have now.
template <class T, int D>
void give_particles(SphStore<T, D>& store, std::size_t n, int blocks, Particles<T, D>& all,
                    cudaStream_t stream) {
  const auto place = fetched(store.place(), n, stream), listed = fetched(store.listed(), n, stream),
             velocity = fetched(store.velocity(), n, stream),
             stress = fetched(store.stress(), n * kStressFours<D>, stream);
  auto tags = fetched(store.tags(), n, stream);
  take_order(all, fetched(store.coord(), blocks, stream), fetched(store.block_of(), n, stream),
             tags);
  std::vector<std::uint32_t> next(all.sets.size(), 0);
  std::vector<Columns<T>*> stresses, places, pressures;
  for (auto& set : all.sets) {
    stresses.push_back(&set.particles[column::stress]);
    places.push_back(&set.particles[kListedPlace]);
    pressures.push_back(&set.particles[kShiftPressure]);
  }
  for (std::size_t i = 0; i < n; ++i) {
    const std::uint32_t s = tags[i].set, p = next[s]++;
    ParticleSet<T, D>& to = all.sets[s].particles;
    for (int a = 0; a < D; ++a) {
      to.position[a][p] = place[i][a];
      to.velocity[a][p] = velocity[i][a];
      (*places[s])[a][p] = listed[i][a];
    }
    const SymMat<T, D> sigma = stress_at<T, D>(stress.data(), i);
    for (int k = 0; k < sigma.kSize; ++k) (*stresses[s])[k][p] = sigma.e[k];
    (*pressures[s])[0][p] = shift_pressure_at<D>(stress.data(), i);
    tags[i].row = p;
  }
  store.tags().upload(tags.data(), n, stream);
}

// For those who follow particles on the device.
template <class T, int D>
__global__ void write_rows_kernel(const __grid_constant__ DeviceSphView<T, D> view,
                                  const __grid_constant__ ParticleRows<D> rows) {
  const std::uint32_t i = thread_number();
  if (i == 0) *rows.count = static_cast<std::uint32_t>(view.count);
  if (i >= view.count) return;
  const Vec3d x = world_position(view, i);
  for (int a = 0; a < D; ++a) {
    rows.position[i][a] = x[a];
    rows.velocity[i][a] = float(view.velocity[i][a]);
  }
  rows.id[i] = view.tags[i].id;
  rows.spacing[i] = float(pow(double(view.place[i][3]), 1.0 / D) * view.context.spacing);
}

// Of particle number i, m.
template <class T, int D>
Vec3d place_of(SphStore<T, D>& store, const DeviceSphView<T, D>& view, std::size_t i,
               cudaStream_t stream) {
  Vec3d x{{0, 0, 0}};
  if (i >= view.count) return x;
  Four<T> place;
  std::uint32_t block;
  BlockCoord<D> coord;
  store.place().download(&place, 1, stream, i);
  store.block_of().download(&block, 1, stream, i);
  store.coord().download(&coord, 1, stream, block);
  for (int a = 0; a < D; ++a)
    x[a] = wrapped_cells<D>(view.periods[a],
                            double(coord[a]) * BlockShape<D>::kEdge + double(place[a])) *
           view.context.spacing;
  return x;
}

}  // namespace firn
