// Particles at random places whose columns say which particle they belong to.
#pragma once

#include <gtest/gtest.h>

#include <map>
#include <random>

#include "particles/sort.h"

namespace firn {

constexpr double kCell = 0.05;  // m

template <class T, int D>
Particles<T, D> empty_sets(int sets, bool periodic = false) {
  Particles<T, D> all;
  all.spacing = kCell;
  all.shift = 0.5;
  all.sets.resize(sets);
  for (auto& set : all.sets) {
    SetLayout layout;
    layout.declare(column::scalar, 1);
    set.particles = ParticleSet<T, D>(layout);
  }
  typename BlockTopology<D>::Periods periods{};
  if (periodic) periods[0] = {-1, 3};
  all.blocks.set_periods(periods);
  return all;
}

// What a particle of an id carries.
template <class T, int D>
void sign(ParticleSet<T, D>& set, std::size_t p, std::uint64_t id) {
  set.for_each_field([&](const char*, auto& columns) {
    using Value = std::decay_t<decltype(columns[0][0])>;
    for (int c = 0; c < columns.components(); ++c) columns[c][p] = Value(id % 1000 + c);
  });
  set.id[0][p] = id;
}
// Positions change; nothing else may.
template <class T, int D>
void expect_signed(const ParticleSet<T, D>& set, std::size_t p) {
  set.for_each_field([&](const std::string& name, const auto& columns) {
    using Value = std::decay_t<decltype(columns[0][0])>;
    if (name == "position" || name == "id") return;
    for (int c = 0; c < columns.components(); ++c)
      EXPECT_EQ(columns[c][p], Value(set.id[0][p] % 1000 + c)) << name;
  });
}

// In a box of so many cells around the origin.
template <int D>
std::vector<Vec3d> random_places(std::size_t count, double cells, unsigned seed) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> at(-0.5 * cells * kCell, 0.5 * cells * kCell);
  std::vector<Vec3d> places(count, Vec3d::zero());
  for (Vec3d& x : places)
    for (int a = 0; a < D; ++a) x[a] = at(random);
  return places;
}

// Ranges cover the sets, places lie in their blocks, no block is empty, columns follow ids.
template <class T, int D>
void expect_sorted(const Particles<T, D>& all) {
  const int occupied = all.blocks.occupied();
  std::vector<std::uint32_t> in_block(occupied, 0);
  for (const auto& set : all.sets) {
    ASSERT_EQ(set.begin.size(), std::size_t(occupied) + 1);
    EXPECT_EQ(set.begin[0], 0u);
    EXPECT_EQ(set.begin[occupied], set.particles.size());
    for (int b = 0; b < occupied; ++b) {
      ASSERT_LE(set.begin[b], set.begin[b + 1]);
      in_block[b] += set.begin[b + 1] - set.begin[b];
      for (std::uint32_t p = set.begin[b]; p < set.begin[b + 1]; ++p) {
        expect_signed(set.particles, p);
        for (int a = 0; a < D; ++a) {
          EXPECT_GE(set.particles.position[a][p], T(0));
          EXPECT_LT(set.particles.position[a][p], T(BlockShape<D>::kEdge));
        }
      }
    }
  }
  for (int b = 0; b < occupied; ++b) {
    EXPECT_GT(in_block[b], 0u);
    if (b > 0) {
      EXPECT_LT(all.blocks.key(b - 1), all.blocks.key(b));
    }
  }
  EXPECT_EQ(all.drift, 0);
}

// Where each particle is, by id.
template <class T, int D>
std::map<std::uint64_t, Vec3d> places_of(const Particles<T, D>& all) {
  std::map<std::uint64_t, Vec3d> places;
  for (const auto& set : all.sets)
    for (int b = 0; b < all.blocks.occupied(); ++b)
      for (std::uint32_t p = set.begin[b]; p < set.begin[b + 1]; ++p) {
        EXPECT_EQ(places.count(set.particles.id[0][p]), 0u) << "an id twice";
        places[set.particles.id[0][p]] = world_position(all, set.particles, b, p);
      }
  return places;
}

template <class T, int D>
void expect_places(const Particles<T, D>& all, const std::map<std::uint64_t, Vec3d>& expected) {
  const auto found = places_of(all);
  ASSERT_EQ(found.size(), expected.size());
  const double tolerance = 32 * kCell * double(std::numeric_limits<T>::epsilon());
  for (const auto& [id, x] : expected) {
    ASSERT_TRUE(found.count(id));
    for (int a = 0; a < D; ++a) EXPECT_NEAR(found.at(id)[a], x[a], tolerance);
  }
}

template <class Scalar, int Dimension>
struct Kind {
  using T = Scalar;
  static constexpr int D = Dimension;
};
using AllKinds = ::testing::Types<Kind<float, 2>, Kind<float, 3>, Kind<double, 2>, Kind<double, 3>>;

}  // namespace firn
