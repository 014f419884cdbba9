// Blocks of triangles or tetrahedra that overlap, for the tests of contact between them.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <vector>

#include "base/random.h"
#include "fem/self_contact.h"

namespace firn {

template <int D>
struct Blocks {
  std::vector<SelfCell<D>> cells;
  std::vector<double> rest;

  std::size_t vertices() const { return rest.size() / D; }

  // n cubes of side `size` along each axis from `origin` on, each of D! simplices, positively
  // oriented; those cubes that `holds` wants.
  void add(
      const std::array<int, D>& n, const Vec<double, D>& origin, double size,
      const std::function<bool(const std::array<int, D>&)>& holds = [](const auto&) {
        return true;
      }) {
    std::size_t points = 1, cubes = 1;
    for (int k : n) points *= k + 1, cubes *= k;
    std::vector<std::uint32_t> number(points, kNoFace);
    for (std::size_t cube = 0; cube < cubes; ++cube) {
      std::array<int, D> at;
      std::size_t left = cube;
      for (int a = 0; a < D; ++a) at[a] = static_cast<int>(left % n[a]), left /= n[a];
      if (!holds(at)) continue;
      std::array<int, D> axes;
      for (int a = 0; a < D; ++a) axes[a] = a;
      do {
        std::array<int, D> place = at;
        SelfCell<D> cell;
        int turns = 0;
        for (int i = 0; i < D; ++i)
          for (int j = 0; j < i; ++j) turns += axes[j] > axes[i];
        for (int k = 0; k <= D; ++k) {
          std::size_t point = 0;
          for (int a = D - 1; a >= 0; --a) point = point * (n[a] + 1) + place[a];
          if (number[point] == kNoFace) {
            number[point] = static_cast<std::uint32_t>(vertices());
            for (int a = 0; a < D; ++a) rest.push_back(origin[a] + size * place[a]);
          }
          cell[k] = number[point];
          if (k < D) ++place[axes[k]];
        }
        if (turns % 2 == 1) std::swap(cell[D - 1], cell[D]);
        cells.push_back(cell);
      } while (std::next_permutation(axes.begin(), axes.end()));
    }
  }
  SelfContact<D> contact(double stiffness = 1, bool all = false) const {
    std::vector<double> k(vertices());
    for (std::size_t v = 0; v < k.size(); ++v) k[v] = stiffness * (1 + 0.1 * double(v % 7));
    return SelfContact<D>(vertices(), cells, boundary_of<D>(cells), rest.data(), std::move(k), all);
  }
};

template <int D>
std::array<int, D> cubes_along(int first, int others) {
  std::array<int, D> n;
  n.fill(others);
  n[0] = first;
  return n;
}

inline double random_within(RandomStream& random, double size) {
  return size * (2 * random.next_double() - 1);
}

template <int D>
Vec<double, D> place_in(const std::vector<double>& x, std::size_t v) {
  Vec<double, D> p;
  for (int a = 0; a < D; ++a) p[a] = x[D * v + a];
  return p;
}

inline double inner(const std::vector<double>& a, const std::vector<double>& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
  return sum;
}

inline std::vector<double> random_field(RandomStream& random, std::size_t n, double size) {
  std::vector<double> field(n);
  for (double& value : field) value = random_within(random, size);
  return field;
}

// Three blocks that overlap by a third of a cube or so, turned a little and shaken.
template <int D>
struct Overlap {
  Blocks<D> blocks;
  std::vector<double> x;

  explicit Overlap(int trial, double shake = 0.12) {
    RandomStream random(11, trial);
    for (int b = 0; b < 3; ++b) {
      Vec<double, D> origin = Vec<double, D>::fill(4.0 * b);
      blocks.add(cubes_along<D>(3 + b % 2, 2), origin, 1);
    }
    x = blocks.rest;
    for (std::size_t v = 0; v < blocks.vertices(); ++v) {
      const int b = blocks.rest[D * v + 1] < 3 ? 0 : blocks.rest[D * v + 1] < 7 ? 1 : 2;
      double* p = &x[D * v];
      for (int a = 0; a < D; ++a) p[a] -= 4.0 * b;
      const double turn = 0.2 * b, c = std::cos(turn), s = std::sin(turn), px = p[0];
      p[0] = c * px - s * p[1];
      p[1] = s * px + c * p[1];
      // The second lies on the first one, the third at the end of both.
      if (b == 1) p[1] += 1.7, p[0] += 0.3;
      if (b == 2) p[0] += 2.8, p[1] += 0.6;
      for (int a = 0; a < D; ++a) p[a] += random_within(random, shake) + 0.05 * a * b;
    }
  }
};

}  // namespace firn
