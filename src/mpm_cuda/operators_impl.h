#pragma once

#include <algorithm>
#include <vector>

#include "cuda/failure_guard.h"
#include "mpm_cuda/device_operators.h"
#include "mpm_cuda/operator_launch.h"
#include "mpm_cuda/set_stores.h"

namespace firn {

template <class T, int D>
class CudaOperators final : public DeviceOperators<T, D> {
 public:
  explicit CudaOperators(const MpmSettings& settings)
      : block_store_(false, stream_), launches_(settings, stream_) {
    view_.spacing = settings.spacing;
    view_.shift = kernel_shift(settings.kernel);
    view_.h = T(settings.spacing);
    view_.inverse_h = T(1 / settings.spacing);
    view_.transfer = transfer_view<T, D>(settings);
  }

  Errors upload(const MpmState<T, D>& state, double dt) override {
    return guard_.run([&] {
      blocks_ = state.blocks.size();
      block_store_.set(blocks_, static_cast<int>(state.sets.size()), 1, view_);
      block_store_.take_topology(state.blocks, view_);
      sets_ = std::make_unique<SetStores<T, D>>(std::vector<SetTraffic>(state.sets.size()),
                                                PorousSettings{}, true, stream_);
      sets_->upload(state, view_);
      control_here_[0] = Control{};
      control_here_[0].occupied = state.blocks.occupied();
      control_here_[0].blocks = blocks_;
      control_here_[0].dt = dt;
      control_.allocate(1);
      view_.control = control_.data();
      control_here_.send(control_, stream_);
      for (auto* field : {&field_, &before_})
        field->allocate(std::size_t(blocks_) * BlockShape<D>::kNodes);
      wait_for(stream_, "upload");
    });
  }
  Errors download(MpmState<T, D>& state) override {
    return guard_.run([&] { sets_->download(block_store_, control_here_[0], state); });
  }
  Errors momentum_to_nodes(NodeField<T, D>& momentum) override {
    return guard_.run([&] {
      launches_.momentum_to_nodes(view_, field_.data());
      give(momentum);
    });
  }
  Errors stress_to_nodes(NodeField<T, D>& impulse) override {
    return guard_.run([&] {
      launches_.stress_to_nodes(view_, field_.data());
      give(impulse);
    });
  }
  Errors gradient_to_particles(const NodeField<T, D>& velocity,
                               std::vector<Columns<T>>& rate) override {
    return guard_.run([&] {
      take(velocity, field_);
      for (int s = 0; s < sets_->count(); ++s) {
        const SetView<T>& set = sets_->view(s);
        rates_.allocate(std::size_t(set.capacity) * D * D);
        launches_.gradient_to_particles(view_, set, field_.data(), rates_.data());
        must(cudaGetLastError(), "gradients");
        for (int k = 0; k < D * D; ++k)
          rates_.download(rate[s][k], rate[s].column(0).size(), stream_,
                          std::size_t(k) * set.capacity);
      }
    });
  }
  Errors advance(const NodeField<T, D>& velocity, const NodeField<T, D>& before) override {
    return guard_.run([&] {
      take(velocity, field_);
      take(before, before_);
      for (int s = 0; s < sets_->count(); ++s)
        launches_.advance(view_, sets_->view(s), field_.data(), before_.data());
      must(cudaGetLastError(), "advancing particles");
    });
  }

 private:
  static_assert(sizeof(DeviceNode<T>) == sizeof(Node<T>));

  void take(const NodeField<T, D>& field, DeviceArray<DeviceNode<T>>& to) {
    std::vector<DeviceNode<T>> nodes(field.size());
    for (std::size_t i = 0; i < nodes.size(); ++i)
      for (int c = 0; c < 4; ++c) nodes[i].e[c] = field.data()[i][c];
    to.upload(nodes.data(), nodes.size(), stream_);
  }
  void give(NodeField<T, D>& field) {
    must(cudaGetLastError(), "scattering particles");
    std::vector<DeviceNode<T>> nodes(std::size_t(blocks_) * BlockShape<D>::kNodes);
    field_.download(nodes.data(), nodes.size(), stream_);
    for (std::size_t i = 0; i < nodes.size(); ++i)
      for (int c = 0; c < 4; ++c) field.data()[i].set(c, nodes[i].e[c]);
  }

  FailureGuard guard_;
  Stream stream_;
  View<T, D> view_;
  BlockStore<T, D> block_store_;
  OperatorLaunches<T, D> launches_;
  std::unique_ptr<SetStores<T, D>> sets_;
  DeviceArray<Control> control_;
  PinnedArray<Control> control_here_{1};
  DeviceArray<DeviceNode<T>> field_, before_;
  DeviceArray<T> rates_;
  int blocks_ = 0;
};

template <class T, int D>
Result<std::unique_ptr<DeviceOperators<T, D>>> make_device_operators(const MpmSettings& settings) {
  const Result<std::string> name = device_name();
  if (!name) return name.errors();
  try {
    return std::unique_ptr<DeviceOperators<T, D>>(std::make_unique<CudaOperators<T, D>>(settings));
  } catch (const CudaFailure& failure) {
    return Errors{failure.what()};
  }
}

}  // namespace firn
