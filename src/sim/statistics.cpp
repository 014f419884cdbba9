#include "sim/statistics.h"

#include <algorithm>
#include <cmath>

#include "exec/parallel.h"
#include "particles/elastic_energy.h"

namespace firn {
namespace {

struct Sums {
  double mass = 0, kinetic = 0, elastic = 0, potential = 0, max_speed = 0;
  Vec3d momentum{{0, 0, 0}}, angular{{0, 0, 0}};

  void add(const Sums& o) {
    mass += o.mass;
    kinetic += o.kinetic;
    elastic += o.elastic;
    potential += o.potential;
    max_speed = std::max(max_speed, o.max_speed);
    momentum += o.momentum;
    angular += o.angular;
  }
};

// What a particle's affine velocity field m C adds to angular momentum: the antisymmetric part of
// B = C D, with D = h^2 / 4 or h^2 / 3 (APIC, MLS). It belongs to the conserved total.
template <class T, int D>
Vec3d intrinsic_momentum(const ParticleSet<T, D>& set, const Columns<T>& affine, std::size_t p,
                         double d) {
  const auto b = [&](int i, int j) {
    return double(affine[i * D + j][p]) * d * double(set.mass[0][p]);
  };
  Vec3d l{{0, 0, b(1, 0) - b(0, 1)}};
  if constexpr (D == 3) {
    l[0] = b(2, 1) - b(1, 2);
    l[1] = b(0, 2) - b(2, 0);
  }
  return l;
}

// kAffine: whether particles keep affine velocity fields.
template <bool kAffine, class T, int D>
Sums block_sums(const Particles<T, D>& all, const MaterialSet<T, D>& set, int block,
                const Vec3d& gravity) {
  Sums sums;
  const ParticleSet<T, D>& particles = set.particles;
  const Columns<T>& affine = particles[column::affine];
  for (std::uint32_t p = set.begin[block]; p < set.begin[block + 1]; ++p) {
    const Vec3d x = world_position(all, particles, block, p);
    const double m = particles.mass[0][p];
    Vec3d v{{0, 0, 0}};
    for (int a = 0; a < D; ++a) v[a] = particles.velocity[a][p];
    sums.mass += m;
    sums.momentum += m * v;
    if constexpr (kAffine)
      sums.angular += m * cross(x, v) + intrinsic_momentum(particles, affine, p, all.affine_d);
    else
      sums.angular += m * cross(x, v);
    sums.kinetic += 0.5 * m * dot(v, v);
    sums.potential -= m * dot(gravity, x);
    sums.max_speed = std::max(sums.max_speed, dot(v, v));
  }
  sums.elastic = elastic_energy(set, set.begin[block], set.begin[block + 1]);
  return sums;
}

struct SpeciesSums {
  std::size_t particles = 0;
  double mass = 0, kinetic = 0, phi = 0;  // phi times mass
  Vec3d momentum{{0, 0, 0}};

  void add(const SpeciesSums& o) {
    particles += o.particles;
    mass += o.mass;
    kinetic += o.kinetic;
    phi += o.phi;
    momentum += o.momentum;
  }
};

template <class T, int D>
SpeciesSums species_block_sums(const MaterialSet<T, D>& set, std::int64_t block) {
  SpeciesSums sums;
  const ParticleSet<T, D>& particles = set.particles;
  const Columns<T>& phi = particles[column::phi];
  const bool has_phi = phi.components() > 0;
  for (std::uint32_t p = set.begin[block]; p < set.begin[block + 1]; ++p) {
    const double m = particles.mass[0][p];
    Vec3d v{{0, 0, 0}};
    for (int a = 0; a < D; ++a) v[a] = particles.velocity[a][p];
    ++sums.particles;
    sums.mass += m;
    sums.momentum += m * v;
    sums.kinetic += 0.5 * m * dot(v, v);
    if (has_phi) sums.phi += m * double(phi[0][p]);
  }
  return sums;
}

}  // namespace

template <class T, int D>
std::vector<SpeciesStats> measure_species(const Particles<T, D>& all,
                                          const std::vector<std::string>& names) {
  const std::size_t species = names.size();
  const int blocks = all.blocks.occupied();
  std::vector<SpeciesSums> partial(blocks * species);
  bool knows_phi = false;
  for (const auto& set : all.sets)
    knows_phi = knows_phi || set.particles[column::phi].components() > 0;
  parallel_for("statistics of species", blocks, 8, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t b = begin; b < end; ++b)
      for (const auto& set : all.sets)
        partial[b * species + set.species].add(species_block_sums(set, b));
  });
  std::vector<SpeciesSums> totals(species);
  for (std::size_t i = 0; i < partial.size(); ++i) totals[i % species].add(partial[i]);
  std::vector<SpeciesStats> stats;
  for (std::size_t s = 0; s < species; ++s) {
    const SpeciesSums& sums = totals[s];
    stats.push_back({names[s], sums.particles, sums.mass, sums.momentum, sums.kinetic, {}});
    if (knows_phi && sums.mass > 0) stats.back().phi = sums.phi / sums.mass;
  }
  return stats;
}

template <class T, int D>
void measure(const Particles<T, D>& all, const Vec3d& gravity, FrameStats& stats) {
  const int blocks = all.blocks.occupied();
  std::vector<Sums> partial(blocks);
  parallel_for("statistics", blocks, 8, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t b = begin; b < end; ++b)
      for (const auto& set : all.sets) {
        const bool affine = set.particles[column::affine].components() > 0;
        partial[b].add((affine ? block_sums<true, T, D>
                               : block_sums<false, T, D>)(all, set, static_cast<int>(b), gravity));
      }
  });
  Sums total;
  for (const Sums& sums : partial) total.add(sums);
  stats.mass = total.mass;
  stats.momentum = total.momentum;
  stats.angular_momentum = total.angular;
  stats.kinetic = total.kinetic;
  stats.elastic = total.elastic;
  stats.gravity_potential = total.potential;
  stats.max_speed = std::sqrt(total.max_speed);
  stats.grid_nodes = std::size_t(all.blocks.size()) * BlockShape<D>::kNodes;
  stats.particles = all.count();
}

template <class T, int D>
std::vector<double> least_densities(const Particles<T, D>& all) {
  std::vector<double> least;
  for (const auto& set : all.sets) {
    least.push_back(INFINITY);
    const T *mass = set.particles.mass[0], *volume = set.particles.volume[0];
    for (std::size_t p = 0; p < set.particles.size(); ++p)
      least.back() = std::min(least.back(), double(mass[p]) / double(volume[p]));
  }
  return least;
}

#define FIRN_INSTANTIATE(T, D)                                                         \
  template std::vector<SpeciesStats> measure_species(const Particles<T, D>&,           \
                                                     const std::vector<std::string>&); \
  template std::vector<double> least_densities(const Particles<T, D>&);                \
  template void measure<T, D>(const Particles<T, D>&, const Vec3d&, FrameStats&);
FIRN_INSTANTIATE(float, 2)
FIRN_INSTANTIATE(float, 3)
FIRN_INSTANTIATE(double, 2)
FIRN_INSTANTIATE(double, 3)

}  // namespace firn
