// The grains of a world (grains/grain_cloud.h): they follow its particles, a few steps at a time.
#pragma once

#include <memory>

#include "base/result.h"
#include "grains/grain_cloud.h"
#include "particles/particles.h"
#include "scene/settings.h"
#include "solver/state_image.h"

namespace firn {

GrainSettings grain_settings(const SceneSettings& scene);

// The particles of a species, at a time.
template <class T, int D>
CoarseState<D> coarse_state(const Particles<T, D>& all, int species, double time);

template <class T, int D>
class FineGrains {
 public:
  // Of a scene that has the section.
  explicit FineGrains(const SceneSettings& scene);

  Errors start(const Particles<T, D>& all, double time);
  // After a step of dt in which particles moved at `fastest` m/s at most. Grains follow when
  // particles have come some way, and where they `must`; `sinks`: what is in them goes.
  Errors follow(const Particles<T, D>& all, double time, double dt, double fastest,
                const std::vector<Shape>& sinks, bool must);

  PointTable table(const std::vector<std::string>& fields) const { return cloud_->table(fields); }
  std::size_t size() const { return cloud_->size(); }
  std::size_t bytes() const { return cloud_->bytes(); }

  void save(StateImage& image) const;
  bool load(const StateImage& image, const typename BlockTopology<D>::Periods& periods);

 private:
  static constexpr double kLongestWay = 0.4;  // of particles before grains follow, spacings
  void make_cloud(const typename BlockTopology<D>::Periods& periods);

  GrainSettings settings_;
  double cell_;
  int species_;
  VaryingField gravity_;
  ColliderSet obstacles_;
  double widest_;  // spacing of particles, m
  std::unique_ptr<GrainCloud<D>> cloud_;
  CoarseState<D> before_;  // particles when grains last followed
  double way_ = 0;         // m that particles can have come since
};

}  // namespace firn
