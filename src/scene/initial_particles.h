// The particles that a scene starts with.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/mat.h"
#include "base/result.h"
#include "scene/settings.h"

namespace firn {

// A quantity with a value for every particle of an object.
struct ParticleField {
  std::string name;
  std::vector<double> value;
};

// The particles of one object. Only what differs without a rule is stored; the rest is computed.
struct ObjectParticles {
  int object = 0;              // index into SceneSettings::objects
  int set = 0;                 // that they go into: see scene/particle_sets.h
  std::uint64_t first_id = 0;  // ids are consecutive over all objects
  VolumeKind volume_kind = VolumeKind::constant;
  double volume = 0;    // m^3 (2D: m^2) of a particle now: that of the object over their number
  double density = 0;   // kg/m^3 (2D: kg/m^2)
  double dilation = 0;  // ln(room / volume) of each particle: they may start apart, free of stress
  std::vector<Vec3d> position;         // m; z = 0 in 2D
  std::vector<ParticleField> scalars;  // of the model or the scene, that the object gives

  std::size_t size() const { return position.size(); }
  std::uint64_t id(std::size_t i) const { return first_id + i; }
  Vec3d velocity(std::size_t i) const;                    // m/s
  Mat<double, 3> velocity_gradient(std::size_t i) const;  // 1/s, entry (a, b) is d v_a / d x_b
  double mass(std::size_t i) const;                       // kg
  double volume_of(std::size_t i) const;                  // m^3 (2D: m^2), now
  double stiffness_scale(std::size_t i) const;            // factor on the moduli
  std::uint32_t color(std::size_t i) const;               // 0xrrggbb
  Mat<double, 3> gradient(std::size_t i) const;           // elastic deformation
  double initial_volume(std::size_t i) const;             // of the stress-free particle

  // The i-th colour picked from the palette.
  std::uint32_t palette_color(std::uint64_t i) const;

  // The parts of the rules above.
  Vec3d linear_velocity{}, spin{}, center{};          // m/s, rad/s, m
  std::vector<Vec3d> velocities;                      // empty: those of the moving, spinning body
  std::vector<Mat<double, 3>> velocity_gradients;     // empty: that of the spin
  std::vector<double> mass_scales, stiffness_scales;  // empty: 1
  std::vector<Mat<double, 3>> gradients;              // empty: none is deformed
  std::vector<double> volumes;                        // of each now, m^3 (2D: m^2); empty: `volume`
  std::vector<double> volume_ratios;                  // volume over initial volume; empty: 1
  std::vector<std::uint32_t> colors;                  // empty: from the palette
  std::vector<double> channels[3];  // red, green, blue in 0..1; empty: as the colours say
  std::vector<std::uint32_t> palette;
  std::vector<double> cumulative;  // probability of palette[0..k], the last is 1
  std::uint64_t color_seed = 0;
};

// The colours that particles are given by chance.
void set_palette(const std::vector<WeightedColor>& colors, ObjectParticles& particles);

// Errors are "/json/pointer: what is wrong".
Result<std::vector<ObjectParticles>> initial_particles(const SceneSettings& scene);

}  // namespace firn
