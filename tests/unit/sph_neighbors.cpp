// Lists of neighbours against a search of all pairs.
#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <set>

#include "particles/sort.h"
#include "sph/neighbors.h"

namespace firn {
namespace {

template <class T, int D>
Particles<T, D> cloud(int count, double extent, const std::array<BlockPeriod, D>& periods) {
  Particles<T, D> all;
  SetLayout layout;
  layout.declare(column::stress, SymMat<T, D>::kSize).declare(kShiftPressure, 1);
  for (int s = 0; s < 2; ++s) all.sets.push_back({s, 0, {}, ParticleSet<T, D>(layout), {}, {}});
  all.spacing = 0.5;
  all.blocks.set_periods(periods);
  std::mt19937 random(7);
  std::uniform_real_distribution<double> place(0, extent);
  std::vector<std::vector<Vec3d>> world(2);
  for (int s = 0; s < 2; ++s) {
    auto& set = all.sets[s].particles;
    set.resize(count);
    for (int p = 0; p < count; ++p) {
      Vec3d x{{0, 0, 0}};
      for (int a = 0; a < D; ++a) x[a] = place(random);
      world[s].push_back(x);
      set.mass[0][p] = T(1);
      set.volume[0][p] = T(1);
      set.id[0][p] = s * count + p;
      for (int a = 0; a < D; ++a) set.velocity[a][p] = T(0);
      for (int k = 0; k < SymMat<T, D>::kSize; ++k) set[column::stress][k][p] = T(0);
      set[kShiftPressure][0][p] = T(0);
    }
  }
  EXPECT_TRUE(sort_from_world(all, world));
  return all;
}

using Pairs = std::set<std::pair<std::uint64_t, std::uint64_t>>;

// Within a reach, in cells; `length` of the period along x in cells, 0: none.
template <class T, int D>
Pairs all_pairs(const Particles<T, D>& all, double reach, double length) {
  std::vector<std::pair<std::uint64_t, Vec3d>> places;
  for (const auto& set : all.sets)
    for (int b = 0; b < all.blocks.occupied(); ++b)
      for (std::uint32_t p = set.begin[b]; p < set.begin[b + 1]; ++p)
        places.push_back(
            {set.particles.id[0][p], world_position(all, set.particles, b, p) / all.spacing});
  Pairs pairs;
  for (const auto& [i, x] : places)
    for (const auto& [j, y] : places) {
      Vec3d way = x - y;
      if (length > 0) way[0] -= length * std::round(way[0] / length);
      if (i != j && dot(way, way) < reach * reach) pairs.insert({i, j});
    }
  return pairs;
}

template <class T, int D>
void expect_all_pairs(const Particles<T, D>& all, double length) {
  FlatParticles<T, D> flat;
  NeighborLists<T, D> lists;
  ASSERT_TRUE(lists.order(all, flat));
  flat.load(all);
  lists.list(all.blocks, flat);
  ASSERT_EQ(flat.count, all.count());
  Pairs found;
  const auto id = [&](std::uint32_t i) {
    return all.sets[flat.set[i]].particles.id[0][flat.row[i]];
  };
  for (std::uint32_t i = 0; i < flat.count; ++i) {
    const std::size_t pack = i / lists.kTogether, lane = i % lists.kTogether;
    for (const std::uint32_t* n = lists.begin(pack); n != lists.end(pack); n += lists.kTogether) {
      const std::uint32_t j = Neighbor::number(n[lane]);
      if (j == flat.count) continue;
      double r2 = 0;
      for (int a = 0; a < D; ++a)
        r2 += square(double(flat.place[i][a]) - double(flat.place[j][a]) -
                     double(lists.offset(a).value[Neighbor::block(n[lane])]));
      EXPECT_LT(std::sqrt(r2), 1 + 1e-5);
      EXPECT_TRUE(found.insert({id(i), id(j)}).second) << "listed twice";
    }
  }
  const Pairs inner = all_pairs(all, 1 - 1e-4, length);
  const Pairs outer = all_pairs(all, 1 + 1e-4, length);
  EXPECT_GT(inner.size(), 1000u);
  for (const auto& pair : inner) EXPECT_TRUE(found.count(pair));
  for (const auto& pair : found) EXPECT_TRUE(outer.count(pair));
}

TEST(SphNeighbors, AreAllPairsWithinReach) {
  expect_all_pairs(cloud<float, 2>(400, 6, {}), 0);
  expect_all_pairs(cloud<double, 3>(800, 3, {}), 0);
}

TEST(SphNeighbors, ReachAcrossPeriods) {
  std::array<BlockPeriod, 2> flat{};
  flat[0] = {0, 2};  // 16 cells, 8 m
  expect_all_pairs(cloud<double, 2>(500, 7.999, flat), 16);
  std::array<BlockPeriod, 3> deep{};
  deep[0] = {0, 2};  // 8 cells, 4 m
  expect_all_pairs(cloud<float, 3>(900, 3.999, deep), 8);
}

}  // namespace
}  // namespace firn
