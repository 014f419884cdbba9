// The memory of implicit_contacts.h, and its kernels as solvers/problem.h asks for them.
#pragma once

#include <algorithm>

#include "mpm_cuda/implicit_contacts.h"

namespace firn {

template <class T, int D>
class ContactStore {
 public:
  using Vector = DeviceVector<T>;
  static constexpr std::size_t kNodes = BlockShape<D>::kNodes;

  explicit ContactStore(cudaStream_t stream) : stream_(stream) { found_.allocate(1); }

  // near[slot]: how many obstacles are near the nodes of each block.
  void set(const std::vector<std::int32_t>& near) {
    std::vector<std::int32_t> number, first, most;
    std::int32_t total = 0;
    for (const std::int32_t n : near) {
      number.push_back(n > 0 ? static_cast<std::int32_t>(first.size()) : -1);
      if (n == 0) continue;
      first.push_back(total);
      most.push_back(n);
      total += n;
    }
    view_ = {};
    if (first.empty()) return;
    number_.assign(number, stream_);
    first_.assign(first, stream_);
    most_.assign(most, stream_);
    nodes_.allocate(grown(first.size() * kNodes, nodes_.size()));
    counts_.allocate(nodes_.size());
    contacts_.allocate(grown(std::size_t(total) * kNodes, contacts_.size()));
    colliders_.allocate(contacts_.size());
    view_ = {number_.data(), first_.data(),    most_.data(),      nodes_.data(),
             counts_.data(), contacts_.data(), colliders_.data(), found_.data()};
  }
  bool empty() const { return view_.number == nullptr; }
  bool rubs() const { return rubs_; }
  const ContactView<T, D>& view() const { return view_; }

  // Nodes that have mass, for a step of dt; `velocity`: under gravity alone. Those that follow
  // others behind a mirror are not stopped by it, nor are free ones before it.
  void build(const DeviceSpace<T, D>& space, const View<T, D>& view, T dt, const Vector& velocity,
             const FollowingView<T, D>& following) {
    view_.dt = dt;
    view_.following = following;
    rubs_ = false;
    if (empty()) return;
    found_.fill_zero(stream_);
    space.for_nodes(BuildContacts<T, D>{view, view_, space.mass(), velocity.data()});
    rubs_ = look().rubs != 0;
  }
  void keep_free(const DeviceSpace<T, D>& space, Vector& v) {
    if (view_.following.count > 0) space.for_nodes(KeepFree<T, D>{view_.following, v.data()});
  }
  bool project(const DeviceSpace<T, D>& space, Vector& v, Vector* direction) {
    if (empty()) return false;
    clear(&ContactFindings::met);
    space.for_nodes(ProjectNodes<T, D>{view_, v.data(), direction ? direction->data() : nullptr});
    return look().met != 0;
  }
  void register_active(const DeviceSpace<T, D>& space, const Vector& v, const Vector& gradient) {
    if (!empty()) space.for_nodes(RegisterActive<T, D>{view_, v.data(), gradient.data()});
  }
  void filter(const DeviceSpace<T, D>& space, Vector& d) {
    if (!empty()) space.for_nodes(FilterNodes<T, D>{view_, d.data()});
  }
  bool close_met(const DeviceSpace<T, D>& space, const Vector& v, const Vector& d) {
    if (empty()) return false;
    clear(&ContactFindings::closed);
    space.for_nodes(CloseMet<T, D>{view_, v.data(), d.data()});
    return look().closed != 0;
  }
  // By how much friction changed, of the larger one.
  double update_friction(const DeviceSpace<T, D>& space, const Vector& v, const Vector& gradient) {
    if (empty()) return 0;
    space.start_sum(UpdateFriction<T, D>{view_, v.data(), gradient.data()});
    const double* sums = space.store().fetch();
    return sums[1] > 0 ? sums[0] / sums[1] : 0;
  }
  void keep(const DeviceSpace<T, D>& space, const View<T, D>& view, const Vector& v,
            const Vector& gradient) {
    if (empty()) return;
    const bool keeps_friction = rubs_ && view.grip[0] != nullptr;
    space.for_nodes(KeepContacts<T, D>{view, view_, v.data(), gradient.data(), keeps_friction});
  }
  std::size_t bytes() const {
    return nodes_.bytes() + counts_.bytes() + contacts_.bytes() + colliders_.bytes();
  }

 private:
  // Bodies that fall touch more and more: room for some more than they need.
  static std::size_t grown(std::size_t wanted, std::size_t had) {
    return wanted <= had ? had : wanted + wanted / 4;
  }
  void clear(std::int32_t ContactFindings::*flag) {
    std::int32_t* const at = &(found_.data()->*flag);
    must(cudaMemsetAsync(at, 0, sizeof(std::int32_t), stream_), "clearing a flag");
  }
  const ContactFindings& look() {
    found_here_.fetch(found_, stream_);
    wait_for(stream_, "contacts of an implicit step");
    return found_here_[0];
  }

  cudaStream_t stream_;
  ContactView<T, D> view_;
  bool rubs_ = false;
  DeviceArray<std::int32_t> number_, first_, most_, counts_, colliders_;
  DeviceArray<ContactNode<T, D>> nodes_;
  DeviceArray<Contact<T, D>> contacts_;
  DeviceArray<ContactFindings> found_;
  PinnedArray<ContactFindings> found_here_{1};
};

}  // namespace firn
