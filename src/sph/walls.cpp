#include "sph/walls.h"

#include <cmath>

#include "sph/wall_search.h"

namespace firn {

template <class T, int D>
void Walls<T, D>::find_near(const Particles<T, D>& all, const ColliderSet& obstacles) {
  constexpr double kEdge = BlockShape<D>::kEdge;
  near_.assign(all.blocks.occupied(), {});
  parallel_for("obstacles near blocks", all.blocks.occupied(), 16,
               [&](std::int64_t begin, std::int64_t end) {
                 for (std::int64_t b = begin; b < end; ++b) {
                   Vec3d center{{0, 0, 0}};
                   for (int a = 0; a < D; ++a)
                     center[a] = (double(all.blocks.coord(int(b))[a]) + 0.5) * kEdge * all.spacing;
                   for (std::size_t c = 0; c < obstacles.size(); ++c)
                     if (may_touch_block<D>(obstacles.all()[c], center, all.spacing))
                       near_[b].push_back(static_cast<int>(c));
                 }
               });
}

template <class T, int D>
void Walls<T, D>::find(const SphContext<T>& ctx, const Particles<T, D>& all,
                       const FlatParticles<T, D>& flat, const ColliderSet& obstacles,
                       const WallMaps& maps, const WallShare& share) {
  const int blocks = all.blocks.occupied();
  if (near_.size() != std::size_t(blocks) || obstacles.any_moves()) find_near(all, obstacles);
  ranges_.resize(flat.count);
  share_.resize(flat.count);
  std::vector<std::vector<WallContact<T, D>>> found(blocks);
  std::vector<Vec3d> wrong(blocks, Vec3d::fill(NAN));
  parallel_for("find walls", blocks, 8, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t b = begin; b < end; ++b)
      for (std::uint32_t i = flat.begin[b]; i < flat.begin[b + 1]; ++i) {
        FoundWalls<T, D> of_one;
        if (!near_[b].empty()) {
          const auto& set = all.sets[flat.set[i]];
          const Vec3d x = world_position(all, set.particles, static_cast<int>(b), flat.row[i]);
          find_walls_of(obstacles.all().data(), maps.all().data(), near_[b].data(),
                        static_cast<int>(near_[b].size()), x, set.species, ctx, share, of_one);
          if (of_one.wrong) wrong[b] = x;
        }
        share_[i] = T(of_one.share_room());
        ranges_[i] = {static_cast<std::uint32_t>(found[b].size()),
                      static_cast<std::uint32_t>(of_one.count)};
        found[b].insert(found[b].end(), of_one.of, of_one.of + of_one.count);
      }
  });
  gather(flat, found);
  wrong_ = false;
  for (int b = 0; b < blocks && !wrong_; ++b) {
    wrong_ = !std::isnan(wrong[b][0]);
    wrong_place_ = wrong[b];
  }
}

// What blocks found, one after the other.
template <class T, int D>
void Walls<T, D>::gather(const FlatParticles<T, D>& flat,
                         const std::vector<std::vector<WallContact<T, D>>>& found) {
  contacts_.clear();
  for (std::size_t b = 0; b < found.size(); ++b) {
    for (std::uint32_t i = flat.begin[b]; i < flat.begin[b + 1]; ++i)
      ranges_[i].first += static_cast<std::uint32_t>(contacts_.size());
    contacts_.insert(contacts_.end(), found[b].begin(), found[b].end());
  }
  given_.resize(contacts_.size());
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
