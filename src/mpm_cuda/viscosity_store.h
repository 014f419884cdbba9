// What bounds dt by viscosity, of each set: on the device and here.
#pragma once

#include <algorithm>

#include "cuda/memory.h"
#include "mpm/step_limits.h"
#include "mpm_cuda/view.h"

namespace firn {

class ViscosityStore {
 public:
  template <class T, int D>
  void set(const Particles<T, D>& all, View<T, D>& view, cudaStream_t stream) {
    varies_ = std::any_of(all.sets.begin(), all.sets.end(),
                          [](const auto& set) { return viscous_places(set).any(); });
    sets_.allocate(varies_ ? all.sets.size() : 0);
    here_.allocate(all.sets.size());
    for (std::size_t s = 0; s < all.sets.size(); ++s)
      here_[s] = ViscousSet{most_viscous(all.sets[s])};
    send(stream);
    view.viscous = sets_.data();
  }
  void set_rooms(const std::vector<double>& rooms, cudaStream_t stream) {
    for (std::size_t s = 0; s < rooms.size(); ++s) here_[s].room = rooms[s];
    send(stream);
  }
  void fetch(cudaStream_t stream) {
    if (varies_) here_.fetch(sets_, stream);
  }
  // Those of the last fetch, once the stream got there.
  std::vector<MostViscous> most() const {
    std::vector<MostViscous> most;
    for (std::size_t s = 0; s < here_.size(); ++s) most.push_back(here_[s].most);
    return most;
  }

 private:
  void send(cudaStream_t stream) const {
    if (varies_) here_.send(sets_, stream);
  }

  bool varies_ = false;  // else the device need not know
  DeviceArray<ViscousSet> sets_;
  PinnedArray<ViscousSet> here_;
};

}  // namespace firn
