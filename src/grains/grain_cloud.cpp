#include "grains/grain_cloud.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "grains/grain_pattern.h"
#include "grains/grain_walls.h"

namespace firn {
namespace {

constexpr double kMostGrains = kNoGrain;  // ids

}  // namespace

template <int D>
GrainCloud<D>::GrainCloud(const GrainSettings& settings, double cell, double spacing,
                          const Periods& periods, int species)
    : settings_(settings),
      cell_(cell),
      spacing_(spacing),
      species_(species),
      order_(GrainCells<D>(std::max(settings.support / 2 + kMostDrift, kGradientReach) * spacing /
                           cell),
             periods),
      flow_(order_.cells(), periods, settings.support, settings.per_particle) {}

template <int D>
Vec3d GrainCloud<D>::world(const BlockCoord<D>& block, const Vec<float, D>& place) const {
  Vec3d x{{0, 0, 0}};
  for (int a = 0; a < D; ++a)
    x[a] = (double(block[a]) * BlockShape<D>::kEdge + double(place[a])) * cell_;
  return x;
}

template <int D>
bool GrainCloud<D>::start(const CoarseState<D>& particles, ColliderSet& obstacles) {
  if (!add_all(particles, obstacles.all())) return false;
  if (!prints() && size() > 0) settle(particles, obstacles);
  updates_ = moved_ = 0;
  return true;
}

template <int D>
bool GrainCloud<D>::add_all(const CoarseState<D>& particles,
                            const std::vector<Collider>& obstacles) {
  std::vector<std::uint32_t> every(particles.size());
  for (std::size_t i = 0; i < every.size(); ++i) every[i] = static_cast<std::uint32_t>(i);
  return add(particles, every, obstacles);
}

// The cubes of particles that lie irregularly overlap and leave gaps.
template <int D>
void GrainCloud<D>::settle(const CoarseState<D>& particles, ColliderSet& obstacles) {
  std::vector<std::uint32_t> fresh;
  std::vector<CoarseWay<D>> ways =
      coarse_ways(particles, particles, cell_, order_.blocks().periods(), fresh);
  for (CoarseWay<D>& way : ways) way.spacing = std::min(way.spacing, float(spacing_ / cell_));
  PartStep step{{&obstacles, [](const Vec3d&, double) { return Vec3d::zero(); }},
                particles.time,
                1,
                kSettlingStrain,
                true};
  for (int round = 0; round < kSettlingRounds; ++round) {
    flow_.build(ways, {}, true);
    advance_part(step);
    sort();
  }
  fastest_ = drift_ = 0;
}

template <int D>
bool GrainCloud<D>::add(const CoarseState<D>& particles, const std::vector<std::uint32_t>& which,
                        const std::vector<Collider>& obstacles) {
  if (!can_number(which.size())) return false;
  if (which.empty()) return true;
  std::vector<GrainPiece<D>> pieces = order_.pieces();
  const std::vector<GrainPiece<D>> fresh = make_grains(particles, which, obstacles, grains_);
  pieces.insert(pieces.end(), fresh.begin(), fresh.end());
  order_.sort(pieces, grains_);
  drift_ = 0;
  return true;
}

template <int D>
bool GrainCloud<D>::can_number(std::size_t particles) const {
  return double(next_id_) + double(particles) * settings_.per_particle < kMostGrains;
}

template <int D>
std::vector<GrainPiece<D>> GrainCloud<D>::make_grains(const CoarseState<D>& particles,
                                                      const std::vector<std::uint32_t>& which,
                                                      const std::vector<Collider>& obstacles,
                                                      GrainColumns<D>& grains) {
  const auto per = static_cast<std::uint32_t>(settings_.per_particle);
  const std::size_t before = grains.size();
  grains.resize(before + which.size() * per);
  std::vector<GrainPiece<D>> fresh(which.size());
  parallel_for("grain start", static_cast<std::int64_t>(which.size()), 64,
               [&](std::int64_t first, std::int64_t last) {
                 std::vector<int> near;
                 for (std::int64_t k = first; k < last; ++k) {
                   const auto begin = static_cast<std::uint32_t>(before + k * per);
                   const std::uint64_t id = next_id_ + k * per;
                   fresh[k] =
                       make_grains_of(particles, which[k], obstacles, near, begin, id, grains);
                 }
               });
  for (const std::uint32_t p : which)
    shares_.push_back({particles.mass[p] / float(per),
                       float(std::pow(double(particles.spacing[p]), D) / double(per))});
  next_id_ += which.size() * per;
  return fresh;
}

// Those of one particle, from a row and an id on.
template <int D>
GrainPiece<D> GrainCloud<D>::make_grains_of(const CoarseState<D>& particles, std::uint32_t p,
                                            const std::vector<Collider>& obstacles,
                                            std::vector<int>& near, std::uint32_t begin,
                                            std::uint64_t id, GrainColumns<D>& grains) const {
  const auto per = static_cast<std::uint32_t>(settings_.per_particle);
  const double spacing = std::min(double(particles.spacing[p]), spacing_);
  Vec3d center{{0, 0, 0}};
  for (int a = 0; a < D; ++a) center[a] = particles.position[p][a];
  BlockPlace<D> at;
  const bool numbered = block_place(particles.position[p] * (1 / cell_), order_.blocks(), at);
  colliders_near(obstacles, species_, center, 2 * spacing, 0, near);
  const std::uint64_t turn = random_bits(settings_.seed, 0, particles.id[p]);
  for (std::uint32_t g = 0; g < per; ++g) {
    const Vec<float, D> r = prints() ? printed_point<D>(g, turn) : even_point<D>(g, turn);
    Vec3d x = center;
    for (int a = 0; a < D; ++a) x[a] += double(r[a]) * spacing;
    if (!near.empty() && !prints()) x = start_outside(obstacles, near, center, x, cell_);
    for (int a = 0; a < D; ++a) {
      grains.place[a][begin + g] = at.place[a] + float((x[a] - center[a]) / cell_);
      grains.velocity[a][begin + g] = particles.velocity[p][a];
    }
    grains.id[begin + g] = numbered ? static_cast<std::uint32_t>(id + g) : kNoGrain;
    grains.paint[begin + g] = particles.paint[p];
  }
  return {at.block, begin, begin + per};
}

template <int D>
bool GrainCloud<D>::advance(const CoarseState<D>& from, const CoarseState<D>& to,
                            const GrainSurroundings& around) {
  std::vector<std::uint32_t> fresh;
  std::vector<CoarseWay<D>> ways = coarse_ways(from, to, cell_, order_.blocks().periods(), fresh);
  double longest = 0;
  for (CoarseWay<D>& way : ways) {
    way.spacing = std::min(way.spacing, float(spacing_ / cell_));
    longest = std::max(longest, dot(way.way, way.way));
  }
  const double dt = to.time - from.time, spacing = spacing_ / cell_;
  const int parts = std::clamp(
      static_cast<int>(std::ceil(std::sqrt(longest) / (kLongestWay * spacing))), 1, kMostParts);
  if (dt > 0 && size() > 0) {
    const double before = std::exchange(fastest_, 0.0);
    for (int k = 0; k < parts; ++k) {
      flow_.build(ways, {double(k) / parts, 1.0 / parts}, !prints());
      PartStep step{around, from.time + dt * k / parts, dt / parts};
      step.known_speed = std::max(before, fastest_);
      around.obstacles->set_step(step.time, step.dt);
      advance_part(step);
      drift_ += fastest_ * step.dt / cell_;
      if (drift_ > kMostDrift * spacing) {
        sort();
        drift_ = 0;
      }
    }
  }
  return add(to, fresh, around.obstacles->all());
}

template <int D>
void GrainCloud<D>::remove_inside(const std::vector<Shape>& shapes) {
  if (shapes.empty()) return;
  std::vector<unsigned char> any(order_.blocks().occupied());
  parallel_for(
      "grain sinks", order_.blocks().occupied(), 1, [&](std::int64_t first, std::int64_t last) {
        for (std::int64_t b = first; b < last; ++b)
          for (std::uint32_t i = order_.begin(b, 0); i < order_.begin(b + 1, 0); ++i)
            for (const Shape& shape : shapes)
              if (signed_distance(
                      shape, world(order_.blocks().coord(static_cast<int>(b)), grains_.place_of(i)))
                      .distance < 0) {
                grains_.id[i] = kNoGrain;
                any[b] = 1;
              }
      });
  if (std::find(any.begin(), any.end(), 1) == any.end()) return;
  sort();
  drift_ = 0;
}

template <int D>
bool GrainCloud<D>::restore(GrainColumns<D> grains, const std::vector<std::uint64_t>& blocks,
                            std::vector<std::uint32_t> begins, std::vector<GrainShare> shares,
                            const Clock& clock) {
  if (!order_.restore(blocks, std::move(begins), grains.size())) return false;
  if (!(clock.drift >= 0 && clock.drift < 1e6 && clock.fastest >= 0 && clock.next_id < kNoGrain))
    return false;
  if (clock.next_id != shares.size() * static_cast<std::uint64_t>(settings_.per_particle))
    return false;
  for (const GrainShare& share : shares)
    if (!(share.mass > 0 && share.volume > 0)) return false;
  for (std::size_t i = 0; i < grains.size(); ++i) {
    if (grains.id[i] >= clock.next_id) return false;
    for (int a = 0; a < D; ++a)
      if (!std::isfinite(grains.place[a][i]) || !std::isfinite(grains.velocity[a][i])) return false;
  }
  grains_ = std::move(grains);
  shares_ = std::move(shares);
  next_id_ = clock.next_id;
  drift_ = clock.drift;
  fastest_ = clock.fastest;
  return true;
}

template class GrainCloud<2>;
template class GrainCloud<3>;

}  // namespace firn
