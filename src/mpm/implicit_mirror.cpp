#include "mpm/implicit_mirror.h"

#include <algorithm>

#include "mpm/follower_order.h"

namespace firn {
namespace {

template <int D, class T>
void set_velocity(Node<T>& node, const Vec<T, D>& v) {
  for (int a = 0; a < D; ++a) node.set(a, v[a]);
}

}  // namespace

template <class T, int D>
void FollowingNodes<T, D>::build(const MirrorMap<D>& map, const Buffer<T>& mass,
                                 const Vector& trial, T slack) {
  constexpr std::int64_t kNodes = BlockShape<D>::kNodes;
  followers_.clear();
  settled_.clear();
  mass_ = &mass;
  for (const int slot : map.blocks())
    for (const MirrorFollower<D>& from : map.of_block(slot).followers) {
      Follower f;
      f.node = std::int64_t(slot) * kNodes + from.node;
      f.pass = from.pass;
      f.obstacle = from.obstacle;
      if (!(mass[f.node] > T(0))) continue;
      f.mirror = cast_mirror<T, D>(from.mirror);
      for (int j = 0; j < 2; ++j)
        if (from.free[j] >= 0 && mass[std::size_t(from.free[j])] > T(0)) f.free[j] = from.free[j];
      if (is_held(f.mirror, velocity_of<D>(trial[f.node]), slack) &&
          (f.free[0] >= 0 || f.free[1] >= 0))
        followers_.push_back(f);
    }
  if (empty()) return;
  put_in_order();
  settled_.assign(mass.size(), 0);
  for (const Follower& f : followers_)
    if (f.obstacle < 64) settled_[f.node] |= std::uint64_t(1) << f.obstacle;
  weigh();
}

// A node behind several walls has the normal velocity of each by that wall's mirror.
template <class T, int D>
void FollowingNodes<T, D>::put_in_order() {
  std::stable_sort(followers_.begin(), followers_.end(), [](const Follower& a, const Follower& b) {
    return a.node < b.node || (a.node == b.node && a.pass > b.pass);
  });
  for (std::size_t k = followers_.size(); k-- > 1;)
    if (followers_[k].node == followers_[k - 1].node)
      followers_[k].mirror = across_alone(followers_[k].mirror);
  const std::vector<std::uint32_t> order = leaders_first(followers_);
  std::vector<Follower> folding;
  for (auto k = order.rbegin(); k != order.rend(); ++k) folding.push_back(followers_[*k]);
  followers_ = std::move(folding);
}

template <class T, int D>
void FollowingNodes<T, D>::weigh() {
  weights_ = *mass_;
  for (const Follower& f : followers_) {
    const T here = weights_[f.node];
    for (int j = 0; j < 2; ++j)
      if (f.free[j] >= 0) weights_[f.free[j]] += given_to(f.mirror, j, here);
    weights_[f.node] = kept_by(f.mirror, here);
  }
}

template <class T, int D>
void FollowingNodes<T, D>::spread(Vector& u) const {
  for (auto f = followers_.rbegin(); f != followers_.rend(); ++f) {
    Vec<T, D> free[2];
    for (int j = 0; j < 2; ++j)
      free[j] = f->free[j] < 0 ? Vec<T, D>::zero() : velocity_of<D>(u[f->free[j]]);
    set_velocity<D>(u[f->node], mirrored_velocity(f->mirror, velocity_of<D>(u[f->node]), free));
  }
}

template <class T, int D>
void FollowingNodes<T, D>::fold(Vector& f) const {
  for (const Follower& of : followers_) {
    const Vec<T, D> here = velocity_of<D>(f[of.node]);
    for (int j = 0; j < 2; ++j) {
      if (of.free[j] < 0) continue;
      Node<T>& to = f[of.free[j]];
      set_velocity<D>(to, velocity_of<D>(to) + given_to(of.mirror, j, here));
    }
    set_velocity<D>(f[of.node], kept_by(of.mirror, here));
  }
}

template <class T, int D>
void FollowingNodes<T, D>::keep_free(Vector& u) const {
  for (const Follower& f : followers_) {
    const Vec<T, D> here = velocity_of<D>(u[f.node]);
    set_velocity<D>(u[f.node], free_part(f.mirror, weights_[f.node] > T(0), here));
  }
}

template <class T, int D>
void FollowingNodes<T, D>::give_impulses(Vector& impulses, const std::vector<Collider>& colliders,
                                         const ContactMap<D>& map, const BlockTopology<D>& blocks,
                                         double spacing,
                                         std::vector<std::vector<ContactImpulse>>& given) const {
  constexpr std::int64_t kNodes = BlockShape<D>::kNodes;
  for (const Follower& f : followers_) {
    const int slot = static_cast<int>(f.node / kNodes);
    const Vec3d center =
        reference_point(colliders[map.of_nodes(slot).colliders[std::size_t(f.obstacle)]]);
    const auto give = [&](std::int64_t node, const Vec<T, D>& by) {
      Vec3d impulse{{0, 0, 0}};
      for (int a = 0; a < D; ++a) impulse[a] = double(by[a]);
      const Vec3d x = node_position<D>(blocks.coord(static_cast<int>(node / kNodes)),
                                       static_cast<int>(node % kNodes), spacing);
      given[slot][std::size_t(f.obstacle)].add({impulse, cross(x - center, impulse)});
    };
    const Vec<T, D> here = velocity_of<D>(impulses[f.node]), left = kept_by(f.mirror, here);
    give(f.node, here - left);
    for (int j = 0; j < 2; ++j) {
      if (f.free[j] < 0) continue;
      Node<T>& to = impulses[f.free[j]];
      const Vec<T, D> more = given_to(f.mirror, j, here);
      give(f.free[j], Vec<T, D>::zero() - more);
      set_velocity<D>(to, velocity_of<D>(to) + more);
    }
    set_velocity<D>(impulses[f.node], left);
  }
}

template class FollowingNodes<float, 2>;
template class FollowingNodes<float, 3>;
template class FollowingNodes<double, 2>;
template class FollowingNodes<double, 3>;

}  // namespace firn
