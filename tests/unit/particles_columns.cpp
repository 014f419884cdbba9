// Columns that a set declares by name, beside those that every particle has.
#include <gtest/gtest.h>

#include <thread>

#include "particles/particle_set.h"

namespace firn {
namespace {

TEST(ParticleColumns, AreThereOnlyWhereTheyWereDeclared) {
  const ColumnName heat("test heat"), pressure("test pressure");
  ParticleSet<float, 3> set(SetLayout().declare(heat, 1).declare(column::stress, 6));
  set.resize(5);
  EXPECT_EQ(set[heat].components(), 1);
  EXPECT_EQ(set[column::stress].components(), 6);
  EXPECT_EQ(set[pressure].components(), 0);
  EXPECT_EQ(set[column::affine].components(), 0);
  set[heat][0][4] = 3;
  EXPECT_EQ(set[ColumnName("test heat")][0][4], 3);
  const ParticleSet<float, 3> bare;
  EXPECT_EQ(bare[heat].components(), 0);
}

TEST(ParticleColumns, DeclaredAgainChangeTheirSize) {
  SetLayout layout;
  layout.declare(column::scalar, 1).declare(column::user, 2).declare(column::scalar, 4);
  EXPECT_EQ(layout.columns().size(), 2u);
  EXPECT_EQ(layout.components(column::scalar), 4);
  EXPECT_EQ(layout.components(column::user), 2);
  EXPECT_EQ(layout.components(column::dilation), 0);
}

TEST(ParticleColumns, MoveAndCountWithTheirParticles) {
  const ColumnName heat("test heat");
  const auto filled = [&](std::uint64_t first) {
    ParticleSet<double, 2> set(SetLayout().declare(heat, 2));
    set.resize(3);
    for (std::uint64_t p = 0; p < 3; ++p) set[heat][1][p] = double(set.id[0][p] = first + p) + 0.5;
    return set;
  };
  ParticleSet<double, 2> set = filled(10);
  const std::size_t three = set.bytes();
  set.append(filled(20));
  EXPECT_EQ(set.bytes(), 2 * three);
  const std::uint32_t order[] = {5, 0, 3, 1};
  set.reorder(order, 4);
  ASSERT_EQ(set.size(), 4u);
  EXPECT_EQ(set.id[0][0], 22u);
  for (std::size_t p = 0; p < 4; ++p) EXPECT_EQ(set[heat][1][p], double(set.id[0][p]) + 0.5);
  std::vector<std::string> names;
  set.for_each_field([&](const std::string& name, const auto&) { names.push_back(name); });
  EXPECT_EQ(std::count(names.begin(), names.end(), "test heat"), 1);
}

TEST(ParticleColumns, NamesAreTheSameInEveryThread) {
  int numbers[2][50];
  const auto name_all = [&](int* found) {
    for (int k = 0; k < 50; ++k)
      found[k] = ColumnName(("test " + std::to_string(k)).c_str()).number();
  };
  std::thread other(name_all, numbers[0]);
  name_all(numbers[1]);
  other.join();
  for (int k = 0; k < 50; ++k) {
    EXPECT_EQ(numbers[0][k], numbers[1][k]);
    EXPECT_EQ(ColumnName(("test " + std::to_string(k)).c_str()).text(),
              "test " + std::to_string(k));
  }
}

}  // namespace
}  // namespace firn
