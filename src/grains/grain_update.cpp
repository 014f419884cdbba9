// A step of the grains: cell by cell, the grains of a part of it as lanes, against the particles
// that reach them.
#include <algorithm>
#include <cmath>

#include "base/lane_pick.h"
#include "grains/grain_cell_work.h"
#include "grains/grain_lanes.h"
#include "grains/grain_walls.h"

namespace firn {

template <int D>
void GrainCloud<D>::advance_part(const PartStep& given) {
  PartStep step = given;
  const BlockTopology<D>& blocks = order_.blocks();
  if (!prints()) flow_.even_out(count_grains(), step.least_strain, step.keeps_velocity);
  const auto [first, last] = occupied_corners(blocks);
  Bounds box{Vec3d::fill(0), Vec3d::fill(0)};
  for (int a = 0; a < D; ++a) {
    box.low[a] = (double(first[a]) - 1) * BlockShape<D>::kEdge * cell_;
    box.high[a] = (double(last[a]) + 2) * BlockShape<D>::kEdge * cell_;
  }
  if (step.around.obstacles->any_moves())
    step.advance = step.around.obstacles->largest_advance(box, cell_).distance;
  const int cells = order_.cells().count();
  std::vector<float> fastest(blocks.occupied(), 0.0f);
  parallel_for("grains", blocks.occupied(), 1, [&](std::int64_t begin, std::int64_t end) {
    CellWork work;
    for (std::int64_t b = begin; b < end; ++b) {
      work.block = blocks.coord(static_cast<int>(b));
      work.block_end = order_.begin(b + 1, 0);
      work.fastest = 0;
      const double edge = BlockShape<D>::kEdge;
      const Vec<float, D> middle = Vec<float, D>::fill(float(edge / 2));
      // Grains may be a cell beyond their block and go on from there.
      colliders_near(step.around.obstacles->all(), species_, world(work.block, middle),
                     (0.87 * edge + 2) * cell_ + (flow_.longest_way() + 1) * cell_ +
                         2 * step.known_speed * step.dt,
                     step.advance, work.block_walls);
      for (int c = 0; c < cells; ++c) update_cell(step, static_cast<int>(b), c, work);
      fastest[b] = work.fastest;
    }
  });
  for (const float speed : fastest) fastest_ = std::max(fastest_, double(speed));
  updates_ += static_cast<std::int64_t>(grains_.size());
}

template <int D>
void GrainCloud<D>::CellWork::find_near(const CellBox<D>& box) {
  near.resize(reaches.size());
  std::size_t found = 0;
  for (std::size_t k = 0; k < reaches.size(); k += kGrainLanes) {
    const GrainLanes distance2 = box.distance2(reaches.places(k));
    const auto touches = distance2 * reaches.values(k)[0] < GrainLanes(1);
    found += pick_numbers(touches, static_cast<std::uint32_t>(k), &near[found]);
  }
  near.resize(found);
}

template <int D>
void GrainCloud<D>::update_cell(const PartStep& step, int block, int cell, CellWork& work) {
  constexpr int kParts = GrainCells<D>::kParts;
  const auto begin = [&](int part) { return order_.begin(block, cell * kParts + part); };
  if (begin(0) == begin(kParts)) return;
  work.around.clear();
  work.reaches.clear();
  const auto support_of = [&](std::uint32_t k) {
    return Vec<float, 1>{{flow_.nodes()[k].inverse_support2}};
  };
  const int slot = flow_.blocks().find(morton_key<D>(work.block));
  if (slot >= 0)
    flow_.for_around(
        slot, cell, [&](std::uint32_t from, std::uint32_t to, const Vec<float, D>& offset) {
          work.reaches.add(flow_.nodes(), from, to, offset, support_of);
          work.around.insert(work.around.end(), flow_.nodes().begin() + from,
                             flow_.nodes().begin() + to);
          for (std::size_t k = work.around.size() - (to - from); k < work.around.size(); ++k)
            work.around[k].place += offset;
        });
  work.reaches.fill_up();
  Vec<float, D> middle;
  for (int a = 0; a < D; ++a)
    middle[a] = (float(order_.cells().coord(cell)[a]) + 0.5f) * order_.cells().edge();
  const Vec3d gravity = step.around.gravity(world(work.block, middle), step.time + 0.5 * step.dt);
  work.flight = flight_step<D>(gravity, step.dt, settings_.terminal_speed);
  for (int part = 0; part < kParts; ++part)
    if (begin(part) < begin(part + 1)) update_part(step, begin(part), begin(part + 1), work);
}

template <int D>
void GrainCloud<D>::update_part(const PartStep& step, std::uint32_t begin, std::uint32_t end,
                                CellWork& work) {
  if (prints()) return update_part_as_printed(step, begin, end, work);
  const CellBox<D> box = box_of(grains_, begin, end);
  work.find_near(box);
  for (int a = 0; a < D; ++a)
    work.before[a].assign(grains_.place[a].data() + begin, grains_.place[a].data() + end);
  const float speed = float(cell_ / step.dt), cells = float(step.dt / cell_);
  const GrainLanes numbers = lane_numbers();
  GrainLanes fastest2(0);
  for (std::uint32_t i = begin; i < end; i += kGrainLanes) {
    // Grains of the block that come later are loaded and stored with these, unchanged.
    const std::uint32_t left = std::min(work.block_end - i, std::uint32_t(kGrainLanes));
    const int n = static_cast<int>(left);
    const auto real = numbers < GrainLanes(float(end - i));
    const Vec<GrainLanes, D> place = load_lanes(grains_.place, i, n);
    const Vec<GrainLanes, D> before = load_lanes(grains_.velocity, i, n);
    FlowSums<GrainLanes, D> sums;
    for (const std::uint32_t k : work.near) add_flow(sums, work.around[k], place);
    const Vec<GrainLanes, D> flight = fly(before, work.flight);
    Vec<GrainLanes, D> velocity =
        blended_velocity(mean_way(sums), speed, flight, free_share(sums.hold));
    Vec<GrainLanes, D> target = place + velocity * GrainLanes(cells);
    for (int a = 0; a < D; ++a) {
      target[a] = select(real, target[a], place[a]);
      velocity[a] = select(real, velocity[a], before[a]);
    }
    if (!step.keeps_velocity) store_lanes(velocity, grains_.velocity, i, n);
    store_lanes(target, grains_.place, i, n);
    fastest2 = max_of(fastest2, select(real, dot(velocity, velocity), GrainLanes(0)));
  }
  const float fastest = sqrt_of(max_lane(fastest2));
  work.fastest = std::max(work.fastest, fastest);
  if (work.block_walls.empty()) return;
  const double reach = (double(box.radius()) + 0.01) * cell_ + double(fastest) * step.dt;
  const Vec3d center = world(work.block, box.center());
  work.walls.clear();
  for (const int k : work.block_walls)
    if (is_within(step.around.obstacles->all()[k], species_, center, reach, step.advance))
      work.walls.push_back(k);
  if (!work.walls.empty()) meet_obstacles(step, begin, end, work);
}

template <int D>
void GrainCloud<D>::meet_obstacles(const PartStep& step, std::uint32_t begin, std::uint32_t end,
                                   CellWork& work) {
  for (std::uint32_t i = begin; i < end; ++i) {
    Vec<float, D> place, velocity;
    for (int a = 0; a < D; ++a) {
      place[a] = work.before[a][i - begin];
      velocity[a] = grains_.velocity[a][i];
    }
    const Vec3d from = world(work.block, place);
    Vec3d to = world(work.block, grains_.place_of(i));
    if (!stop_grain<D>(step.around.obstacles->all().data(), work.walls.data(),
                       static_cast<int>(work.walls.size()), from, to, velocity, cell_))
      continue;
    for (int a = 0; a < D; ++a) {
      grains_.place[a][i] = float(to[a] / cell_ - double(work.block[a]) * BlockShape<D>::kEdge);
      if (!step.keeps_velocity) grains_.velocity[a][i] = velocity[a];
    }
  }
}

template void GrainCloud<2>::advance_part(const PartStep&);
template void GrainCloud<3>::advance_part(const PartStep&);

}  // namespace firn
