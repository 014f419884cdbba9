#include "sph/smoothing.h"

#include <algorithm>
#include <cmath>

#include "base/vec.h"

namespace firn {
namespace {

// f(place in cells) for each point of the lattice within the support, but for the one at 0.
template <int D, class F>
void for_lattice(double spacing, F&& f) {
  const int reach = static_cast<int>(std::ceil(1 / spacing));
  for (int i = -reach; i <= reach; ++i)
    for (int j = -reach; j <= reach; ++j)
      for (int k = D == 3 ? -reach : 0; k <= (D == 3 ? reach : 0); ++k)
        if (i != 0 || j != 0 || k != 0) f(Vec3d{{i * spacing, j * spacing, k * spacing}});
}

}  // namespace

template <int D>
double lattice_sum(SmoothingKind kind, double spacing) {
  return with_smoothing<D>(kind, [&](auto kernel) {
    double sum = kernel.value(0.0);
    for_lattice<D>(spacing, [&](const Vec3d& x) { sum += kernel.value(std::sqrt(dot(x, x))); });
    return sum * std::pow(spacing, D);
  });
}

template <int D>
double lattice_share_behind(SmoothingKind kind, double spacing) {
  return with_smoothing<D>(kind, [&](auto kernel) {
    double sum = 0;
    for_lattice<D>(spacing, [&](const Vec3d& x) {
      if (x[1] < 0) sum += kernel.value(std::sqrt(dot(x, x)));
    });
    return sum * std::pow(spacing, D) / lattice_sum<D>(kind, spacing);
  });
}

template <int D>
double lattice_jitter(double spacing) {
  double sum = 0;
  for_lattice<D>(spacing, [&](const Vec3d& x) {
    const bool against = std::lround(x[0] / spacing) % 2 != 0;
    if (against) sum += std::max(0.0, 1 - std::sqrt(dot(x, x)));
  });
  return sum * std::pow(spacing, D);
}

template <int D>
double lattice_moment(SmoothingKind kind, double spacing) {
  return with_smoothing<D>(kind, [&](auto kernel) {
    double sum = 0;
    for_lattice<D>(spacing, [&](const Vec3d& x) {
      sum -= dot(x, x) * slope_over_r(kernel, std::sqrt(dot(x, x))) / D;
    });
    return sum * std::pow(spacing, D) / lattice_sum<D>(kind, spacing);
  });
}

template <int D>
double lattice_stiffness(SmoothingKind kind, double spacing) {
  constexpr int kWaves = 24;
  return with_smoothing<D>(kind, [&](auto kernel) {
    const auto at_wave = [&](const Vec3d& wave) {
      Vec3d gradient = Vec3d::zero();
      double diagonal = 0;
      for_lattice<D>(spacing, [&](const Vec3d& x) {
        const double slope = slope_over_r(kernel, std::sqrt(dot(x, x)));
        gradient += x * (slope * std::sin(dot(wave, x)));
        diagonal += dot(x, x) * slope * slope;
      });
      return dot(gradient, gradient) / diagonal;
    };
    double largest = 0;
    const double unit = 3.14159265358979323846 / (spacing * kWaves);
    for (int i = 0; i <= kWaves; ++i)
      for (int j = 0; j <= i; ++j)
        for (int k = 0; k <= (D == 3 ? j : 0); ++k)
          largest = std::max(largest, at_wave(Vec3d{{i * unit, j * unit, k * unit}}));
    return largest;
  });
}

template double lattice_sum<2>(SmoothingKind, double);
template double lattice_sum<3>(SmoothingKind, double);
template double lattice_share_behind<2>(SmoothingKind, double);
template double lattice_share_behind<3>(SmoothingKind, double);
template double lattice_jitter<2>(double);
template double lattice_jitter<3>(double);
template double lattice_moment<2>(SmoothingKind, double);
template double lattice_moment<3>(SmoothingKind, double);
template double lattice_stiffness<2>(SmoothingKind, double);
template double lattice_stiffness<3>(SmoothingKind, double);

}  // namespace firn
