#include "sph/walls.h"

#include <algorithm>
#include <cmath>

#include "collision/sweep.h"

namespace firn {
namespace {

// The nearest come first where there are too many.
template <class T, int D>
void keep_nearest(std::vector<WallContact<T, D>>& found) {
  if (found.size() <= static_cast<std::size_t>(kMostWalls)) return;
  std::stable_sort(found.begin(), found.end(),
                   [](const auto& a, const auto& b) { return a.contact.phi < b.contact.phi; });
  found.resize(kMostWalls);
}

// Of all walls together, and each one's push.
template <class T, int D>
double share_room(std::vector<WallContact<T, D>>& found, const WallShare& table, double spacing) {
  double share[kMostWalls], slope[kMostWalls], left = 1;
  for (std::size_t k = 0; k < found.size(); ++k) {
    const double cells = double(found[k].contact.phi) / spacing;
    const bool solid = found[k].contact.kind != ContactKind::pin;
    share[k] = solid ? table.at(cells) : 0;
    slope[k] = solid ? table.slope_at(cells) : 0;
    left *= 1 - share[k];
  }
  for (std::size_t k = 0; k < found.size(); ++k) {
    double others = 1;
    for (std::size_t l = 0; l < found.size(); ++l)
      if (l != k) others *= 1 - share[l];
    found[k].push = T(-2 * slope[k] * others);
  }
  return 1 - left;
}

}  // namespace

template <class T, int D>
void Walls<T, D>::find_near(const Particles<T, D>& all, const ColliderSet& obstacles) {
  constexpr double kEdge = BlockShape<D>::kEdge;
  // Half a block, what particles may have drifted out of it, and the reach of a kernel.
  const double reach = (std::sqrt(double(D)) * (kEdge / 2 + BlockShape<D>::kMargin) + 1.5);
  near_.assign(all.blocks.occupied(), {});
  parallel_for("obstacles near blocks", all.blocks.occupied(), 16,
               [&](std::int64_t begin, std::int64_t end) {
                 for (std::int64_t b = begin; b < end; ++b) {
                   Vec3d center{{0, 0, 0}};
                   for (int a = 0; a < D; ++a)
                     center[a] = (double(all.blocks.coord(int(b))[a]) + 0.5) * kEdge * all.spacing;
                   for (std::size_t c = 0; c < obstacles.size(); ++c) {
                     const Collider& collider = obstacles.all()[c];
                     const double scale = steepness(collider);
                     if (distance_to(collider, center).distance < reach * all.spacing * scale)
                       near_[b].push_back(static_cast<int>(c));
                   }
                 }
               });
}

template <class T, int D>
void Walls<T, D>::find(const Particles<T, D>& all, const FlatParticles<T, D>& flat,
                       const ColliderSet& obstacles, const WallShare& share) {
  const int blocks = all.blocks.occupied();
  if (near_.size() != std::size_t(blocks) || obstacles.any_moves()) find_near(all, obstacles);
  first_.resize(flat.count + 1);
  share_.resize(flat.count);
  std::vector<std::vector<WallContact<T, D>>> found(blocks);
  std::vector<Vec3d> wrong(blocks, Vec3d::fill(NAN));
  parallel_for("find walls", blocks, 8, [&](std::int64_t begin, std::int64_t end) {
    std::vector<WallContact<T, D>> of_one;
    for (std::int64_t b = begin; b < end; ++b)
      for (std::uint32_t i = flat.begin[b]; i < flat.begin[b + 1]; ++i) {
        of_one.clear();
        const auto& set = all.sets[flat.set[i]];
        const Vec3d x = near_[b].empty()
                            ? Vec3d::zero()
                            : world_position(all, set.particles, static_cast<int>(b), flat.row[i]);
        for (const int c : near_[b]) {
          const Collider& collider = obstacles.all()[c];
          const DistanceAndNormal d = distance_to(collider, x);
          if (!(d.distance < all.spacing) || !stops_species(collider, set.species)) continue;
          if (surface_is_wrong(collider, x, d.distance, all.spacing)) wrong[b] = x;
          of_one.push_back({contact_at<T, D>(collider, x, d), T(0), c});
        }
        keep_nearest(of_one);
        share_[i] = T(share_room(of_one, share, all.spacing));
        first_[i + 1] = static_cast<std::uint32_t>(of_one.size());
        found[b].insert(found[b].end(), of_one.begin(), of_one.end());
      }
  });
  first_[0] = 0;
  for (std::size_t i = 0; i < flat.count; ++i) first_[i + 1] += first_[i];
  contacts_.clear();
  wrong_ = false;
  for (int b = 0; b < blocks; ++b) {
    contacts_.insert(contacts_.end(), found[b].begin(), found[b].end());
    if (!wrong_ && !std::isnan(wrong[b][0])) {
      wrong_ = true;
      wrong_place_ = wrong[b];
    }
  }
  given_.resize(contacts_.size());
}

template <class T, int D>
T Walls<T, D>::share(std::size_t i) const {
  return share_[i];
}

template <class T, int D>
Vec<T, D> Walls<T, D>::push(std::size_t i) const {
  Vec<T, D> sum = Vec<T, D>::zero();
  for (int k = 0; k < count(i); ++k) sum += of(i)[k].contact.normal * -of(i)[k].push;
  return sum;
}

template <class T, int D>
bool Walls<T, D>::is_wrong(Vec3d& place) const {
  if (wrong_) place = wrong_place_;
  return wrong_;
}

template class Walls<float, 2>;
template class Walls<float, 3>;
template class Walls<double, 2>;
template class Walls<double, 3>;

}  // namespace firn
