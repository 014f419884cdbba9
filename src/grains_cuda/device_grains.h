// Fine grains on a CUDA device: the same rules as GrainCloud, with grains and the particles that
// they follow kept in device memory. It knows no solver: one on the device writes its particles
// into rows. Builds without CUDA have the same face and say so.
#pragma once

#include <memory>

#include "base/result.h"
#include "cuda/device.h"
#include "grains/grain_cloud.h"
#include "solver/particle_rows.h"

namespace firn {

struct DeviceGrainSurroundings {
  std::shared_ptr<ColliderSet> obstacles;  // are put where they are in each part of a step
  VaryingValue gravity[3];
  bool gravity_in_space = false;
  bool traffic = false;  // whether particles may come and go
};

// What a step found; the particles that came, in ascending order of ids and without paint, are to
// get their grains by add().
template <int D>
struct GrainAdvance {
  double fastest = 0;  // m/s
  CoarseState<D> fresh;
};

template <int D>
class DeviceGrains {
 public:
  virtual ~DeviceGrains() = default;
  // Takes the grains of a cloud, and the particles that they followed last.
  virtual Errors upload(const GrainCloud<D>& cloud, const CoarseState<D>& before) = 0;
  // Hands them back.
  virtual Errors download(GrainCloud<D>& cloud, CoarseState<D>& before) = 0;

  // Where the particles go that grains are to follow next; room for so many.
  virtual Result<ParticleRows<D>> rows(std::size_t particles) = 0;
  virtual Errors write_rows(const CoarseState<D>& particles) = 0;  // of the host
  // Grains follow from the particles of the last time to those of the rows, at a time in s.
  virtual Result<GrainAdvance<D>> advance(double time) = 0;
  // Spreads the grains of the particles that were uploaded evenly.
  virtual Errors settle() = 0;
  // Grains that were made of more particles, in pieces.
  virtual Errors add(const GrainColumns<D>& grains, const std::vector<GrainPiece<D>>& pieces) = 0;
  virtual Errors remove_inside(const std::vector<Shape>& shapes) = 0;

  virtual std::size_t size() const = 0;
  virtual std::size_t bytes() const = 0;  // of device memory
  virtual std::int64_t updates() const = 0;
  virtual std::int64_t moved() const = 0;
};

// Fails where there is no device. `cloud` says how grains are made and follow.
template <int D>
Result<std::unique_ptr<DeviceGrains<D>>> make_device_grains(const GrainCloud<D>& cloud,
                                                            const DeviceGrainSurroundings& around);

}  // namespace firn
