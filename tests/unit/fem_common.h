// Blocks of cells of either order for the tests of meshed solids, and the materials that they are
// tested with.
#pragma once

#include <algorithm>
#include <array>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "base/random.h"
#include "fem/fem_body.h"
#include "geometry/simplex_mesh.h"
#include "material/models.h"

namespace firn {

// n cubes of `size` along each axis, each cut into D! simplices.
template <int D>
SimplexMesh<D> cut_cubes(const std::array<int, D>& n, double size) {
  SimplexMesh<D> mesh;
  std::size_t points = 1, cubes = 1;
  for (int k : n) points *= std::size_t(k) + 1, cubes *= std::size_t(k);
  const auto number = [&](const std::array<int, D>& at) {
    std::size_t index = 0;
    for (int a = D - 1; a >= 0; --a) index = index * std::size_t(n[a] + 1) + std::size_t(at[a]);
    return static_cast<std::uint32_t>(index);
  };
  const auto place = [](std::size_t index, const auto& count) {
    std::array<int, D> at;
    for (int a = 0; a < D; ++a)
      at[a] = static_cast<int>(index % std::size_t(count(a))), index /= std::size_t(count(a));
    return at;
  };
  for (std::size_t i = 0; i < points; ++i) {
    const auto at = place(i, [&](int a) { return n[a] + 1; });
    Vec<double, D> x;
    for (int a = 0; a < D; ++a) x[a] = size * at[a];
    mesh.points.push_back(x);
  }
  for (std::size_t cube = 0; cube < cubes; ++cube) {
    const auto origin = place(cube, [&](int a) { return n[a]; });
    std::array<int, D> axes;
    for (int a = 0; a < D; ++a) axes[a] = a;
    do {
      std::array<int, D> at = origin;
      typename SimplexMesh<D>::Cell cell;
      for (int k = 0; k <= D; ++k) {
        cell[k] = number(at);
        if (k < D) ++at[axes[k]];
      }
      mesh.cells.push_back(cell);
      if (cell_volume(mesh, mesh.cells.size() - 1) < 0)
        std::swap(mesh.cells.back()[D - 1], mesh.cells.back()[D]);
    } while (std::next_permutation(axes.begin(), axes.end()));
  }
  return mesh;
}

template <int D>
FemBody<D> body_of(const SimplexMesh<D>& mesh, int order) {
  FemBody<D> body;
  body.name = "block";
  body.order = order;
  body.rest = mesh.points;
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> middles;
  for (const auto& cell : mesh.cells) {
    body.cells.insert(body.cells.end(), cell.begin(), cell.end());
    for (int e = 0; e < SimplexEdges<D>::kCount && order == 2; ++e) {
      const auto [i, j] =
          std::minmax(cell[SimplexEdges<D>::kCorners[e][0]], cell[SimplexEdges<D>::kCorners[e][1]]);
      const auto [there, is_new] =
          middles.try_emplace({i, j}, static_cast<std::uint32_t>(body.rest.size()));
      if (is_new) body.rest.push_back((mesh.points[i] + mesh.points[j]) * 0.5);
      body.cells.push_back(there->second);
    }
  }
  return body;
}

template <int D>
std::vector<double> rest_places(const FemBody<D>& body) {
  std::vector<double> x;
  for (const auto& p : body.rest)
    for (int a = 0; a < D; ++a) x.push_back(p[a]);
  return x;
}

// Each coordinate off by up to `far`.
inline std::vector<double> shaken(std::vector<double> x, double far, std::uint64_t seed) {
  RandomStream random(seed, 0);
  for (double& c : x) c += far * (2 * random.next_double() - 1);
  return x;
}

struct SolidUnderTest {
  ModelParameters parameters;
  bool inverts;  // has energy for whatever F
};

inline std::vector<SolidUnderTest> solids_under_test() {
  std::vector<SolidUnderTest> list = {
      {FixedCorotated::Parameters{}, true},   {StVenantKirchhoff::Parameters{}, true},
      {StableNeoHookean::Parameters{}, true}, {NeoHookean::Parameters{}, false},
      {Hencky::Parameters{}, false},          {Viscoelastic::Parameters{}, false}};
  for (SolidUnderTest& solid : list)
    visit_model(solid.parameters, [](auto& p) {
      if constexpr (requires { p.youngs_modulus; }) {
        p.youngs_modulus = 1000;
        p.poisson_ratio = 0.3;
      }
    });
  return list;
}

}  // namespace firn
