#include "scene/initial_particles.h"

#include <algorithm>
#include <cmath>

#include "base/math.h"
#include "base/random.h"
#include "exec/parallel.h"
#include "geometry/sampling.h"
#include "scene/defaults.h"
#include "scene/initial_fields.h"
#include "scene/initial_stress.h"
#include "scene/line_text.h"

namespace firn {
namespace {

// Independent random streams of one object.
enum Stream : std::uint64_t { kSampling, kColors };

std::uint64_t object_seed(const SceneSettings& scene, std::size_t index) {
  const std::optional<std::uint64_t>& own = scene.objects[index].seed;
  return own ? *own : random_bits(scene.seed, index, 0);
}

std::uint32_t byte_of(double channel) {
  return static_cast<std::uint32_t>(std::lround(255 * clamp(channel, 0.0, 1.0)));
}

std::uint32_t packed(const Vec3d& rgb) {
  std::uint32_t color = 0;
  for (int i = 0; i < 3; ++i) color = color << 8 | byte_of(rgb[i]);
  return color;
}

void set_colors(const ObjectSettings& object, std::uint64_t seed, ObjectParticles& particles) {
  double sum = 0;
  for (const WeightedColor& color : object.colors) {
    sum += color.probability;
    particles.palette.push_back(packed(color.rgb));
    particles.cumulative.push_back(sum);
  }
  for (double& probability : particles.cumulative) probability /= sum;
  particles.color_seed = seed;
}

// A velocity that varies is evaluated at each particle, its gradient by central differences.
void set_velocities(const SceneSettings& scene, const std::string& pointer,
                    const VaryingField& field, ObjectParticles& particles, Errors& errors) {
  const double step = 1e-3 * scene.grid.spacing;
  std::vector<Vec3d> velocities(particles.size());
  std::vector<Mat<double, 3>> gradients(particles.size(), Mat<double, 3>::zero());
  parallel_for("initial velocities", static_cast<std::int64_t>(particles.size()), 1024,
               [&](std::int64_t begin, std::int64_t end) {
                 for (std::int64_t i = begin; i < end; ++i) {
                   velocities[i] = particles.velocity(i) + field.at(particles.position[i], 0);
                   gradients[i] = particles.velocity_gradient(i);
                   for (int b = 0; b < scene.dimension; ++b) {
                     Vec3d before = particles.position[i], after = before;
                     before[b] -= step;
                     after[b] += step;
                     const Vec3d slope = (field.at(after, 0) - field.at(before, 0)) / (2 * step);
                     for (int a = 0; a < 3; ++a)
                       if (std::isfinite(slope[a])) gradients[i](a, b) += slope[a];
                   }
                 }
               });
  for (std::size_t i = 0; i < velocities.size(); ++i)
    if (!is_finite(velocities[i])) {
      errors.push_back(pointer + "/velocity: is not finite at " +
                       place_text(particles.position[i]));
      return;
    }
  particles.velocities = std::move(velocities);
  particles.velocity_gradients = std::move(gradients);
}

void set_motion(const SceneSettings& scene, const std::string& pointer,
                const ObjectSettings& object, ObjectParticles& particles, Errors& errors) {
  const VaryingField velocity(object.velocity);
  particles.spin = object.angular_velocity * kDegree;
  particles.center = object.shape.center;
  if (velocity.varies_in_space())
    set_velocities(scene, pointer, velocity, particles, errors);
  else
    particles.linear_velocity = velocity.at(Vec3d::zero(), 0);
}

// Evaluates the object's fields at its particles; errors go to `errors`.
void set_fields(const SceneSettings& scene, const std::string& pointer,
                const ObjectSettings& object, ObjectParticles& particles, Errors& errors) {
  const ModelParameters& parameters = scene.materials[object.material].parameters;
  for (const InitialField& field : object.fields) {
    auto values = evaluate_field(parameters, field, particles.position);
    if (!values) {
      for (const std::string& line : values.errors())
        errors.push_back(pointer + "/fields/" + pointer_piece(field.name) + ": " + line);
    } else if (field.name == kMassScale) {
      particles.mass_scales = std::move(*values);
    } else if (field.name == kStiffnessScale) {
      particles.stiffness_scales = std::move(*values);
    } else if (const auto* channel = std::find(kChannelNames, kChannelNames + 3, field.name);
               channel != kChannelNames + 3) {
      particles.channels[channel - kChannelNames] = std::move(*values);
    } else {
      particles.scalars.push_back({field.name, std::move(*values)});
    }
  }
}

ObjectParticles particles_of(const SceneSettings& scene, std::size_t index, Errors& errors) {
  const ObjectSettings& object = scene.objects[index];
  const std::string pointer = "/objects/" + std::to_string(index);
  const Shape shape = placed(object.shape, static_cast<int>(scene.dimension));
  const std::uint64_t seed = object_seed(scene, index);
  ObjectParticles particles;
  particles.object = static_cast<int>(index);
  particles.material = object.material;
  particles.volume_kind = object.volume;
  particles.density = object.density;
  auto points = sample_shape(shape, object.sampling.kind, particle_spacing(scene, object),
                             random_bits(seed, kSampling, 0));
  if (!points) {
    for (const std::string& line : points.errors()) errors.push_back(pointer + ": " + line);
    return particles;
  }
  particles.position = std::move(*points);
  particles.volume = volume(shape) / static_cast<double>(particles.size());
  set_motion(scene, pointer, object, particles, errors);
  set_colors(object, random_bits(seed, kColors, 0), particles);
  set_fields(scene, pointer, object, particles, errors);
  if (!errors.empty()) return particles;
  const std::string problem = set_initial_stress(scene, object, shape, particles);
  if (!problem.empty()) errors.push_back(pointer + "/initial_stress: " + problem);
  return particles;
}

}  // namespace

Vec3d ObjectParticles::velocity(std::size_t i) const {
  return velocities.empty() ? linear_velocity + cross(spin, position[i] - center) : velocities[i];
}

Mat<double, 3> ObjectParticles::velocity_gradient(std::size_t i) const {
  if (!velocity_gradients.empty()) return velocity_gradients[i];
  return {{{0, -spin[2], spin[1]}, {spin[2], 0, -spin[0]}, {-spin[1], spin[0], 0}}};
}

double ObjectParticles::mass(std::size_t i) const {
  return density * volume * (mass_scales.empty() ? 1 : mass_scales[i]);
}

double ObjectParticles::stiffness_scale(std::size_t i) const {
  return stiffness_scales.empty() ? 1 : stiffness_scales[i];
}

Mat<double, 3> ObjectParticles::gradient(std::size_t i) const {
  return gradients.empty() ? Mat<double, 3>::identity() : gradients[i];
}

double ObjectParticles::initial_volume(std::size_t i) const {
  return volume_ratios.empty() ? volume : volume / volume_ratios[i];
}

std::uint32_t ObjectParticles::color(std::size_t i) const {
  const double pick = unit_double(random_bits(color_seed, 0, i));
  const auto entry = std::upper_bound(cumulative.begin(), cumulative.end(), pick);
  std::uint32_t rgb =
      palette[std::min<std::size_t>(entry - cumulative.begin(), palette.size() - 1)];
  for (int c = 0; c < 3; ++c)
    if (!channels[c].empty()) {
      const int shift = 16 - 8 * c;
      rgb = (rgb & ~(255u << shift)) | byte_of(channels[c][i]) << shift;
    }
  return rgb;
}

Result<std::vector<ObjectParticles>> initial_particles(const SceneSettings& scene) {
  SceneSettings complete = scene;
  fill_defaults(complete);
  std::vector<ObjectParticles> all;
  Errors errors;
  std::uint64_t next_id = 0;
  for (std::size_t i = 0; i < complete.objects.size(); ++i) {
    all.push_back(particles_of(complete, i, errors));
    all.back().first_id = next_id;
    next_id += all.back().size();
  }
  if (!errors.empty()) return errors;
  return all;
}

}  // namespace firn
