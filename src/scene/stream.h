// The stream out of an emitter's mouth: how wide it is and how much of a material it carries.
#pragma once

#include "scene/settings.h"

namespace firn {

struct Stream {
  Shape mouth;
  double spacing;   // of its particles, m
  double radius;    // around the mouth, m
  double speed;     // m/s
  Vec3d along;      // unit vectors: of the velocity,
  Vec3d across[2];  // and the other two

  Stream(const Shape& mouth, const Vec3d& velocity, double spacing);

  // Of the mouth as the stream sees it, m^2 (2D: m), at least that of a particle.
  double area() const;
  // The same, however small.
  double seen_area() const;
  // The area that the columns of particles stand for that come in from a lattice along the stream.
  double lattice_area() const;

 private:
  bool hits(double u, double v) const;
};

// What the velocity of an emitter carries through its mouth, kg/s (2D: kg/(m s)). The scene has its
// defaults filled in.
double full_flow(const SceneSettings& scene, const EmitterSettings& emitter);

}  // namespace firn
