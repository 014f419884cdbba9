// A source of particles. Behind its mouth lies an endless reservoir, a lattice that moves with the
// stream; its points become particles as they enter the mouth. What comes out in an interval of
// time follows from the interval alone, so that nothing but the time need be remembered. But for
// the sampling `grid` the lattice stands askew, and its points are moved at random, so that the
// stream comes neither in rows nor in columns.
#pragma once

#include <cstdint>
#include <vector>

#include "scene/initial_particles.h"
#include "scene/settings.h"

namespace firn {

class Emitter {
 public:
  Emitter(const SceneSettings& scene, std::size_t index);

  // Positions at the end of the particles that come out from one moment to another.
  std::vector<Vec3d> positions(double from, double to) const;
  // The same with everything that a particle needs; ids count from first_id.
  ObjectParticles particles(std::vector<Vec3d> positions, std::uint64_t first_id) const;

  int set() const { return set_; }  // see scene/particle_sets.h
  bool until_full() const { return until_full_; }
  double spacing() const { return spacing_; }
  double start() const { return start_; }
  double stop() const { return stop_; }
  // What is taken of the ball of this radius around a place, m, says whether there is room.
  double room_radius() const;
  bool has_room(double taken) const;
  // On average, while it is open and has room.
  double particles_per_second() const;
  // The mouth, filled: a look at what will come out.
  Result<ObjectParticles> filled_mouth(std::uint64_t first_id) const;
  // Long enough for a quarter of the lattice to come in, s.
  double interval() const { return 0.25 * spacing_ / speed_; }

 private:
  void add_entering(double from, double to, double end, std::vector<Vec3d>& found) const;
  Vec3d lattice_point(const std::int64_t* cell) const;

  Shape mouth_;
  int set_, dimension_;
  bool until_full_;
  double density_, start_, stop_;
  double spacing_;           // of the lattice, m
  double speed_;             // of the reservoir, m/s
  double full_speed_;        // of the particles, m/s
  double jitter_;            // of its points, in spacings
  double radius_;            // around the mouth, m
  double area_;              // of the mouth as the stream sees it, m^2 (2D: m)
  double volume_;            // of a particle, m^3 (2D: m^2)
  Vec3d velocity_;           // of the particles, m/s
  Vec3d along_, across_[2];  // unit vectors: of the stream, and the other two
  Vec3d axes_[3];            // the same directions as the lattice of the reservoir sees them
  std::uint64_t seed_;
  ObjectParticles look_;  // colours
};

// What fills the mouths of all emitters of a scene.
Result<std::vector<ObjectParticles>> filled_mouths(const SceneSettings& scene);

}  // namespace firn
