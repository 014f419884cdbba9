#include "sph/flat_particles.h"

#include <atomic>

#include "sph/pair_lanes.h"

namespace firn {
namespace {

constexpr std::int64_t kPiece = 4096;

}  // namespace

template <class T, int D>
void FlatParticles<T, D>::resize(std::size_t n) {
  const std::size_t padded = whole_packs<T>(n);
  count = n;
  row.resize(n);
  set.resize(n);
  place.resize(padded);
  velocity.resize(padded);
  stress.resize(padded * kStressFours<D>);
  leading.resize(padded * kStressFours<D>);
}

template <class T, int D>
void FlatParticles<T, D>::load(const Particles<T, D>& all) {
  const double cells = 1 / all.spacing;
  double unit = 1;
  for (int a = 0; a < D; ++a) unit *= cells;
  std::atomic<bool> even{true};
  parallel_for("load particles", static_cast<std::int64_t>(count), kPiece,
               [&](std::int64_t first, std::int64_t last) {
                 bool same = true;
                 const T volume_of_first = all.sets[set[0]].particles.volume[0][row[0]];
                 for (std::int64_t i = first; i < last; ++i) {
                   const ParticleSet<T, D>& from = all.sets[set[i]].particles;
                   const std::uint32_t p = row[i];
                   const T volume = from.volume[0][p];
                   same = same && volume == volume_of_first;
                   place[i] = velocity[i] = {};
                   for (int a = 0; a < D; ++a) {
                     place[i][a] = from.position[a][p];
                     velocity[i][a] = from.velocity[a][p];
                   }
                   place[i][3] = T(double(volume) * unit);
                   velocity[i][3] = from.mass[0][p] / volume;
                   SymMat<T, D> sigma;
                   const Columns<T>& column = from[column::stress];
                   for (int k = 0; k < sigma.kSize; ++k) sigma.e[k] = column[k][p];
                   set_stress(stress.data(), i, sigma);
                   shift_pressure_at<D>(stress.data(), i) = from[kShiftPressure][0][p];
                   set_stress(leading.data(), i, sigma);
                 }
                 if (!same) even = false;
               });
  even_volume = even;
  const T away = T(kFarAway);
  for (std::size_t i = count; i < place.size(); ++i) {
    place[i] = {{away, away, away, T(0)}};
    velocity[i] = {{T(0), T(0), T(0), T(1)}};
  }
  for (std::size_t four = count * kStressFours<D>; four < stress.size(); ++four)
    stress[four] = leading[four] = {};
}

template <class T, int D>
void FlatParticles<T, D>::store(Particles<T, D>& all) const {
  parallel_for("store particles", static_cast<std::int64_t>(count), kPiece,
               [&](std::int64_t first, std::int64_t last) {
                 for (std::int64_t i = first; i < last; ++i) {
                   ParticleSet<T, D>& to = all.sets[set[i]].particles;
                   const std::uint32_t p = row[i];
                   for (int a = 0; a < D; ++a) {
                     to.position[a][p] = place[i][a];
                     to.velocity[a][p] = velocity[i][a];
                   }
                   const SymMat<T, D> sigma = stress_at<T, D>(stress.data(), i);
                   Columns<T>& column = to[column::stress];
                   for (int k = 0; k < sigma.kSize; ++k) column[k][p] = sigma.e[k];
                   to[kShiftPressure][0][p] = shift_pressure_at<D>(stress.data(), i);
                 }
               });
}

template struct FlatParticles<float, 2>;
template struct FlatParticles<float, 3>;
template struct FlatParticles<double, 2>;
template struct FlatParticles<double, 3>;

}  // namespace firn
