// Everything a step reads and writes, and what is constant during one step.
#pragma once

#include <string>
#include <vector>

#include "base/math.h"
#include "base/schemes.h"
#include "collision/collider_set.h"
#include "expr/varying.h"
#include "material/models.h"
#include "mpm/blocks.h"
#include "mpm/node_grip.h"
#include "particles/particle_set.h"

namespace firn {

// A node of the grid: momentum, later velocity, in lanes 0..D-1 and mass in lane kMassLane.
template <class T>
using Node = Pack<T, 4>;
constexpr int kMassLane = 3;

template <class T, int D>
struct MaterialSet {
  ModelParameters parameters;
  ParticleSet<T, D> particles;
  Buffer<std::uint32_t> begin;  // first particle of each occupied block, and the end
};

template <class T, int D>
struct MpmState {
  std::vector<MaterialSet<T, D>> sets;
  std::vector<std::string> user_fields;    // names of the user columns of all sets
  std::vector<std::uint64_t> object_ends;  // one past the last id of each object of the scene
  BlockTopology<D> blocks;
  double drift = 0;     // bound on how far a particle has moved since the last sort, cells
  int volume_age = 0;   // steps since the volume sources of fluids were found
  NodeGrip<T, D> grip;  // where obstacles rub, else empty

  // Node fields. An arena is what one occupied block scattered, its margin included.
  Buffer<Node<T>> arenas;        // momentum and mass
  Buffer<Node<T>> force_arenas;  // FLIP: impulses of the stress, kept apart
  Buffer<Node<T>> grid;          // velocity after forces and contact, and mass
  Buffer<Node<T>> grid_change;   // FLIP: velocity change in this step
};

struct MpmSettings {
  double spacing = 0.02;  // h, m
  KernelKind kernel = KernelKind::quadratic;
  TransferKind transfer = TransferKind::mls;
  double flip_ratio = 0.95;
  bool particle_collisions = false;
  // On a device the same bytes from run to run, at a price; the CPU gives them always.
  bool deterministic = false;
};

// Gravity that is not the same everywhere, at one time.
struct GravityField {
  VaryingValue component[3];
  double time = 0;  // s
};

// All that derives from dt, built once a step.
template <class T, int D>
struct StepContext {
  T dt, h, inverse_h;
  T grip_time;     // s (collision/grip.h)
  double spacing;  // h as the scene has it: a wall on a node must lie on it
  Vec<T, D> gravity;
  const GravityField* gravity_field;  // in its place where not null
  bool affine;                        // APIC, MLS: particles carry an affine velocity field
  bool split;                         // FLIP: momentum before and after forces are both needed
  T flip_ratio;                       // 0 unless FLIP
};

// What a step found, for the next dt and for the user.
struct StepReport {
  double max_signal = 0;    // largest wave speed + particle speed, m/s
  double max_speed = 0;     // m/s
  double max_motion = 0;    // m/s, velocity that positions moved at; FLIP keeps another one
  double drift = 0;         // largest distance a particle moved, cells (bound)
  double max_push = 0;      // farthest that an obstacle moved a particle, cells
  std::size_t plastic = 0;  // particles that yielded
  int bad_set = -1;         // set and index of a particle whose state is not finite
  std::size_t bad_particle = 0;
  // Gravity is not finite at bad_place, or the surface of a collider says there what cannot be.
  bool bad_field = false;
  Vec3d bad_place{{0, 0, 0}};
};

}  // namespace firn
