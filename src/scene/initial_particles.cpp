#include "scene/initial_particles.h"

#include <algorithm>
#include <cmath>

#include "base/math.h"
#include "base/random.h"
#include "geometry/sampling.h"
#include "scene/defaults.h"
#include "scene/initial_fields.h"
#include "scene/line_text.h"

namespace firn {
namespace {

// Independent random streams of one object.
enum Stream : std::uint64_t { kSampling, kColors };

std::uint64_t object_seed(const SceneSettings& scene, std::size_t index) {
  const std::optional<std::uint64_t>& own = scene.objects[index].seed;
  return own ? *own : random_bits(scene.seed, index, 0);
}

std::uint32_t packed(const Vec3d& rgb) {
  std::uint32_t color = 0;
  for (int i = 0; i < 3; ++i)
    color = color << 8 | static_cast<std::uint32_t>(std::lround(255 * clamp(rgb[i], 0.0, 1.0)));
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

void set_motion(const ObjectSettings& object, ObjectParticles& particles) {
  particles.linear_velocity = object.velocity;
  particles.spin = object.angular_velocity * kDegree;
  particles.center = object.shape.center;
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
  set_motion(object, particles);
  set_colors(object, random_bits(seed, kColors, 0), particles);
  set_fields(scene, pointer, object, particles, errors);
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

std::uint32_t ObjectParticles::color(std::size_t i) const {
  const double pick = unit_double(random_bits(color_seed, 0, i));
  const auto entry = std::upper_bound(cumulative.begin(), cumulative.end(), pick);
  return palette[std::min<std::size_t>(entry - cumulative.begin(), palette.size() - 1)];
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
