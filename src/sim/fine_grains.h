// The grains of a world (grains/grain_cloud.h): they follow its particles, a few steps at a time.
// On a device they stay there (grains_cuda) until someone asks for them.
#pragma once

#include <map>
#include <memory>

#include "base/result.h"
#include "grains_cuda/device_grains.h"
#include "scene/settings.h"
#include "solver/device.h"
#include "solver/solver.h"

namespace firn {

GrainSettings grain_settings(const SceneSettings& scene);

// What the grains of a particle look like.
inline std::uint32_t grain_paint(int material, std::uint32_t color) {
  return static_cast<std::uint32_t>(std::min(material, 255)) << 24 | (color & 0xffffffu);
}

// The particles of a species, at a time.
template <class T, int D>
CoarseState<D> coarse_state(const Particles<T, D>& all, int species, double time);

// Whether a saved state holds grains at all; and without them, so that they are made anew.
bool has_grains(const StateImage& image);
void drop_grains(StateImage& image);
// Whether the grains of two scenes are made and moved in the same way.
bool same_grains(const SceneSettings& a, const SceneSettings& b);

template <class T, int D>
class FineGrains {
 public:
  // Of a scene that has the section.
  FineGrains(const SceneSettings& scene, Device device);

  Errors start(const Particles<T, D>& all, double time);
  // After a step, or several of them, since which particles, and grains at fastest(), can have come
  // `way` m in all. Grains follow when that is far, and where they `must`; `sinks`: what is in them
  // goes.
  Errors follow(Solver<T, D>& solver, double time, double way, const std::vector<Shape>& sinks,
                bool must);
  // Particles that came: on a device what they look like is not known.
  void expect(const Particles<T, D>& fresh);
  double fastest() const { return fastest_; }  // m/s, of a grain when they followed last
  double way() const { return way_; }
  double most_way() const { return kLongestWay * widest_; }  // m until grains follow

  PointTable table(const std::vector<std::string>& fields) const;
  std::size_t size() const { return device_ ? device_->size() : cloud_->size(); }
  std::size_t bytes() const { return cloud_->bytes(); }
  std::size_t device_bytes() const { return device_ ? device_->bytes() : 0; }

  void save(StateImage& image) const;
  Errors load(const StateImage& image, const typename BlockTopology<D>::Periods& periods);

 private:
  static constexpr double kLongestWay = 0.4;  // of particles before grains follow, spacings
  void make_cloud(const typename BlockTopology<D>::Periods& periods);
  Errors make_device();
  Errors follow_on_host(const Particles<T, D>& all, double time, const std::vector<Shape>& sinks);
  Errors follow_on_device(Solver<T, D>& solver, double time, const std::vector<Shape>& sinks);
  Errors add_on_device(const Solver<T, D>& solver, CoarseState<D>& fresh);
  void find_looks(const Solver<T, D>& solver, CoarseState<D>& fresh) const;
  // Grains and particles of a device, here.
  void fetch() const;
  bool load_host(const StateImage& image, const typename BlockTopology<D>::Periods& periods);

  GrainSettings settings_;
  double cell_;
  int species_;
  Device where_;
  VaryingField gravity_;
  std::shared_ptr<ColliderSet> obstacles_;
  bool traffic_;   // particles may come and go
  double widest_;  // spacing of particles, m
  std::unique_ptr<GrainCloud<D>> cloud_;
  mutable CoarseState<D> before_;  // particles when grains last followed
  double way_ = 0;                 // m that particles can have come since
  double fastest_ = 0;
  std::unique_ptr<DeviceGrains<D>> device_;
  struct Look {
    std::uint32_t paint;
    float mass;  // kg
  };
  std::map<std::uint64_t, Look> expected_;  // by id
  mutable bool stale_ = false;              // what is here is older than what is on the device
  mutable Errors lost_;                     // why it could not be brought over
};

}  // namespace firn
