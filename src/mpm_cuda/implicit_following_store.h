// The memory of implicit_following.h: velocities of all nodes from those that are free, and back.
#pragma once

#include <algorithm>
#include <numeric>
#include <vector>

#include "mpm/follower_order.h"
#include "mpm_cuda/implicit_following.h"

namespace firn {

template <class T, int D>
class FollowingStore {
 public:
  using Vector = DeviceVector<T>;
  using Follower = FollowingNode<T, D>;
  static constexpr std::size_t kNodes = BlockShape<D>::kNodes;

  explicit FollowingStore(cudaStream_t stream) : stream_(stream) { count_.allocate(1); }

  // Who may follow whom; `rank` tells the order of the blocks by key.
  void set(const View<T, D>& view, KernelKind kernel, const std::vector<std::int32_t>& rank) {
    view_ = {};
    std::vector<Follower> followers = find(view, kernel);
    if (followers.empty()) return;
    const auto place = [&](const Follower& f) {
      return rank[f.node / kNodes] * std::int64_t(kNodes) + f.node % std::int64_t(kNodes);
    };
    std::sort(followers.begin(), followers.end(), [&](const Follower& a, const Follower& b) {
      return place(a) < place(b) || (a.node == b.node && a.pass > b.pass);
    });
    take(followers, std::size_t(view.capacity) * kNodes);
    take_rounds(followers);
  }
  bool empty() const { return view_.count == 0; }
  const FollowingView<T, D>& view() const { return view_; }
  // Of the unknowns; null: those of the nodes.
  const T* weights() const { return view_.weights; }

  // Who follows in a step. `pushes`: arenas of what the stress at its start gives to the nodes;
  // `free`: velocities under gravity alone; slack: as FollowingNodes has it.
  void build(const DeviceSpace<T, D>& space, const View<T, D>& view, const DeviceNode<T>* pushes,
             const Vector& free, double slack) {
    mass_ = space.mass();
    for_numbers(view_.count,
                FindFollowing<T, D>{view, view_, free.data(), pushes, mass_, T(slack)});
    for_numbers(view_.count, FollowOneAlong<T, D>{view_});
    copy(mass_, view_.weights, space.store().blocks() * kNodes);
    fold_all(FoldedWeights<T>{view_.weights});
  }

  // Velocities of all nodes at `to`, which unknowns u give.
  void spread(const DeviceSpace<T, D>& space, const Vector& u, DeviceNode<T>* to) const {
    copy(u.data(), to, space.store().blocks() * kNodes);
    for (const FollowingRound& round : rounds_)
      for_numbers(round.count, SpreadRound<T, D>{view_, order_.data() + round.first, to});
  }
  // What acts on all nodes becomes what acts on the unknowns.
  void fold(DeviceNode<T>* f) const { fold_all(FoldedVector<T, D>{f}); }
  // `impulses`: what all nodes need from obstacles, kg m/s; obstacles take what mirrors give of it.
  void give_impulses(const View<T, D>& view, DeviceNode<T>* impulses) const {
    fold_all(FoldedVector<T, D>{impulses}, [&](const FollowingRound& round) {
      for_numbers(round.count, GiveMirrorImpulses<T, D>{view, view_, order_.data() + round.first,
                                                        mass_, impulses});
    });
  }

  // make_act(rounds, round) acts on the numbers of the nodes that others follow, round by round.
  template <class MakeAct>
  void for_leaders(const MakeAct& make_act) const {
    const FollowingRounds rounds{order_.data(), leaders_.data(), first_gift_.data(), gifts_.data()};
    for (const FollowingRound& round : rounds_)
      for_numbers(round.leader_count, make_act(rounds, round));
  }

  // Room for the velocities of all nodes, at the last objective and elsewhere, and for what acts on
  // them.
  DeviceNode<T>* whole() const { return whole_.data(); }
  DeviceNode<T>* moved() const { return moved_.data(); }
  DeviceNode<T>* folded() const { return folded_.data(); }
  std::size_t bytes() const {
    return all_.bytes() + first_.bytes() + weights_.bytes() + whole_.bytes() + moved_.bytes() +
           folded_.bytes() + order_.bytes() + leaders_.bytes() + gifts_.bytes();
  }

 private:
  std::vector<Follower> find(const View<T, D>& view, KernelKind kernel) {
    if (view.mirror_passes == 0) return {};
    std::int32_t found = 0;
    for (;;) {
      count_.fill_zero(stream_);
      const auto search = [&](auto obstacles) {
        const int groups = std::min(view.capacity, kSearchGroups);
        find_followers_kernel<T, D, decltype(obstacles)><<<groups, kContactThreads, 0, stream_>>>(
            view, kernel, all_.data(), static_cast<int>(all_.size()), count_.data());
      };
      if (view.has_others) search(AnyObstacle{});
      if (view.has_planes) search(FixedPlane{});
      must(cudaGetLastError(), "looking for mirrors");
      count_.download(&found, 1, stream_);
      if (std::size_t(found) <= all_.size()) break;
      all_.allocate(found + found / 4);
    }
    std::vector<Follower> followers(found);
    all_.download(followers.data(), followers.size(), stream_);
    return followers;
  }
  void take(const std::vector<Follower>& followers, std::size_t nodes) {
    std::vector<std::int32_t> first(nodes, -1);
    for (std::size_t k = followers.size(); k-- > 0;)
      first[followers[k].node] = static_cast<std::int32_t>(k);
    all_.upload(followers.data(), followers.size(), stream_);
    first_.assign(first, stream_);
    use_.allocate(all_.size());
    weights_.allocate(nodes);
    for (DeviceArray<DeviceNode<T>>* room : {&whole_, &moved_, &folded_}) room->allocate(nodes);
    view_ = {all_.data(), static_cast<std::int32_t>(followers.size()), first_.data(), use_.data(),
             weights_.data()};
  }
  void take_rounds(const std::vector<Follower>& followers) {
    std::vector<std::uint32_t> order = leaders_first(followers);
    const std::vector<int> round_of = follower_rounds(followers, order);
    std::iota(order.begin(), order.end(), 0u);
    std::stable_sort(order.begin(), order.end(),
                     [&](std::uint32_t a, std::uint32_t b) { return round_of[a] < round_of[b]; });
    rounds_.clear();
    std::vector<std::int64_t> leaders;
    std::vector<std::int32_t> first_gift;
    std::vector<std::uint32_t> gifts;
    for (std::size_t begin = 0, end; begin < order.size(); begin = end) {
      FollowingRound round{static_cast<int>(begin), 0, static_cast<int>(leaders.size()), 0};
      std::vector<std::uint32_t> given;
      for (end = begin; end < order.size() && round_of[order[end]] == round_of[order[begin]]; ++end)
        for (std::uint32_t j = 0; j < 2; ++j)
          if (followers[order[end]].free[j] >= 0) given.push_back(2 * order[end] + j);
      const auto leader = [&](std::uint32_t gift) { return followers[gift / 2].free[gift % 2]; };
      std::stable_sort(given.begin(), given.end(),
                       [&](std::uint32_t a, std::uint32_t b) { return leader(a) < leader(b); });
      for (const std::uint32_t gift : given) {
        if (leaders.size() == std::size_t(round.first_leader) || leaders.back() != leader(gift)) {
          leaders.push_back(leader(gift));
          first_gift.push_back(static_cast<std::int32_t>(gifts.size()));
        }
        gifts.push_back(gift);
      }
      round.count = static_cast<int>(end - begin);
      round.leader_count = static_cast<int>(leaders.size()) - round.first_leader;
      rounds_.push_back(round);
    }
    first_gift.push_back(static_cast<std::int32_t>(gifts.size()));
    order_.assign(order, stream_);
    leaders_.assign(leaders, stream_);
    first_gift_.assign(first_gift, stream_);
    gifts_.assign(gifts, stream_);
  }

  template <class Folded>
  void fold_all(const Folded& folded) const {
    fold_all(folded, [](const FollowingRound&) {});
  }
  // before_rest(round): once leaders have what the followers of a round give.
  template <class Folded, class BeforeRest>
  void fold_all(const Folded& folded, const BeforeRest& before_rest) const {
    const FollowingRounds rounds{order_.data(), leaders_.data(), first_gift_.data(), gifts_.data()};
    for (auto round = rounds_.rbegin(); round != rounds_.rend(); ++round) {
      for_numbers(round->leader_count,
                  GiveToLeaders<T, D, Folded>{view_, rounds, round->first_leader, mass_, folded});
      before_rest(*round);
      for_numbers(round->count,
                  KeepRest<T, D, Folded>{view_, order_.data() + round->first, folded});
    }
  }
  template <class Act>
  void for_numbers(int n, const Act& act) const {
    if (n == 0) return;
    const int groups = (n + kVectorThreads - 1) / kVectorThreads;
    for_numbers_kernel<Act><<<groups, kVectorThreads, 0, stream_>>>(n, act);
    must(cudaGetLastError(), "a loop over nodes behind mirrors");
  }
  template <class E>
  void copy(const E* from, E* to, std::size_t n) const {
    must(cudaMemcpyAsync(to, from, n * sizeof(E), cudaMemcpyDeviceToDevice, stream_),
         "copying nodes");
  }

  static constexpr int kSearchGroups = 1056;

  cudaStream_t stream_;
  FollowingView<T, D> view_;
  const T* mass_ = nullptr;
  std::vector<FollowingRound> rounds_;
  DeviceArray<Follower> all_;
  DeviceArray<std::int32_t> count_, first_, first_gift_;
  DeviceArray<Follows> use_;
  DeviceArray<T> weights_;
  DeviceArray<std::uint32_t> order_, gifts_;
  DeviceArray<std::int64_t> leaders_;
  DeviceArray<DeviceNode<T>> whole_, moved_, folded_;
};

}  // namespace firn
