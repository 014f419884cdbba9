#include <algorithm>

#include "grains/grain_cloud.h"

namespace firn {
namespace {

bool wants(const std::vector<std::string>& fields, const char* name) {
  return std::find(fields.begin(), fields.end(), name) != fields.end();
}

// Rows of grains in the order of ids. They are numbers below `ids`, and each has one grain at most.
template <int D>
std::vector<std::uint32_t> rows_by_id(const GrainColumns<D>& grains, std::uint64_t ids) {
  std::vector<std::uint32_t> row(ids, kNoGrain);
  for (std::size_t i = 0; i < grains.size(); ++i) row[grains.id[i]] = static_cast<std::uint32_t>(i);
  std::erase(row, kNoGrain);
  return row;
}

}  // namespace

template <int D>
PointTable GrainCloud<D>::table(const std::vector<std::string>& fields) const {
  constexpr const char* kAxes[3] = {"x", "y", "z"};
  const std::vector<std::uint32_t> rows = rows_by_id(grains_, next_id_);
  PointTable table;
  table.count = rows.size();
  table.columns.reserve(13);
  const auto fill = [&](auto& values, auto&& of) {
    parallel_for("grain table", static_cast<std::int64_t>(rows.size()), 16384,
                 [&](std::int64_t begin, std::int64_t end) {
                   for (std::int64_t i = begin; i < end; ++i)
                     values[i] = static_cast<std::decay_t<decltype(values[i])>>(of(rows[i]));
                 });
  };
  std::vector<float>* axes[3];
  for (int a = 0; a < 3; ++a) axes[a] = &table.add<float>(kAxes[a]);
  std::vector<std::uint32_t> place(rows.size());  // by row: where it goes
  for (std::size_t i = 0; i < rows.size(); ++i) place[rows[i]] = static_cast<std::uint32_t>(i);
  parallel_for("grain table", order_.blocks().occupied(), 1,
               [&](std::int64_t begin, std::int64_t end) {
                 for (std::int64_t b = begin; b < end; ++b)
                   for (std::uint32_t i = order_.begin(b, 0); i < order_.begin(b + 1, 0); ++i) {
                     const Vec3d x = wrapped_world(static_cast<int>(b), i);
                     for (int a = 0; a < D; ++a) (*axes[a])[place[i]] = static_cast<float>(x[a]);
                   }
               });
  if (wants(fields, "velocity"))
    for (int a = 0; a < 3; ++a)
      if (auto& values = table.add<float>(std::string("v") + kAxes[a]); a < D)
        fill(values, [&](std::uint32_t i) { return grains_.velocity[a][i]; });
  if (wants(fields, "id"))
    fill(table.add<std::uint32_t>("id"), [&](std::uint32_t i) { return grains_.id[i]; });
  if (wants(fields, "material"))
    fill(table.add<std::int32_t>("material"),
         [&](std::uint32_t i) { return grains_.paint[i] >> 24; });
  if (wants(fields, "color")) {
    constexpr const char* kChannels[3] = {"red", "green", "blue"};
    for (int c = 0; c < 3; ++c)
      fill(table.add<std::uint8_t>(kChannels[c]),
           [&](std::uint32_t i) { return grains_.paint[i] >> (16 - 8 * c) & 255; });
  }
  const auto share_of = [&](std::uint32_t i) -> const GrainShare& {
    return shares_[grains_.id[i] / static_cast<std::uint32_t>(settings_.per_particle)];
  };
  if (wants(fields, "mass"))
    fill(table.add<float>("mass"), [&](std::uint32_t i) { return share_of(i).mass; });
  if (wants(fields, "volume"))
    fill(table.add<float>("volume"), [&](std::uint32_t i) { return share_of(i).volume; });
  return table;
}

template <int D>
Vec3d GrainCloud<D>::wrapped_world(int block, std::uint32_t grain) const {
  Vec3d x{{0, 0, 0}};
  for (int a = 0; a < D; ++a)
    x[a] = order_.blocks().wrapped_cells(
               double(order_.blocks().coord(block)[a]) * BlockShape<D>::kEdge +
                   double(grains_.place[a][grain]),
               a) *
           cell_;
  return x;
}

template PointTable GrainCloud<2>::table(const std::vector<std::string>&) const;
template PointTable GrainCloud<3>::table(const std::vector<std::string>&) const;

}  // namespace firn
