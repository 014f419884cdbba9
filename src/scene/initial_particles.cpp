#include "scene/initial_particles.h"

#include <algorithm>
#include <cmath>

#include "base/math.h"
#include "base/random.h"
#include "geometry/sampling.h"
#include "scene/copies.h"
#include "scene/defaults.h"
#include "scene/initial_fields.h"
#include "scene/line_text.h"
#include "scene/object_seed.h"

namespace firn {
namespace {

std::uint32_t packed(const Vec3d& rgb) {
  std::uint32_t color = 0;
  for (int i = 0; i < 3; ++i)
    color = color << 8 | static_cast<std::uint32_t>(std::lround(255 * clamp(rgb[i], 0.0, 1.0)));
  return color;
}

// Colours from the picture that covers a bitmap, found where the particle lies in it.
void set_picture_colors(const ObjectSettings& object, const std::vector<Shape>& shapes,
                        const std::vector<std::size_t>& ends, ObjectParticles& particles) {
  const auto& asset = object.shape.asset;
  if (!asset || asset->colors.empty()) return;
  const Vec3d low = asset->picture.low * asset->scale, high = asset->picture.high * asset->scale;
  for (std::size_t copy = 0, i = 0; copy < shapes.size(); ++copy)
    for (; i < ends[copy]; ++i) {
      const Shape& shape = shapes[copy];
      Vec3d p = to_shape_frame(shape, particles.position[i]);
      if (shape.kind == ShapeKind::revolved) p[0] = std::hypot(p[0], p[2]);
      int pixel[2];
      const int size[2] = {asset->color_width, asset->color_height};
      for (int a = 0; a < 2; ++a) {
        const double x = p[a] + shape.field_origin[a] * shape.scale;
        const double share = (x - low[a]) / (high[a] - low[a]);
        pixel[a] = std::clamp(static_cast<int>(share * size[a]), 0, size[a] - 1);
      }
      const int row = size[1] - 1 - pixel[1];
      particles.colors.push_back(asset->colors[std::size_t(row) * size[0] + pixel[0]]);
    }
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

// Every copy spins about its own centre; a single one needs no more than the rule.
void set_motion(const ObjectSettings& object, const std::vector<Shape>& shapes,
                const std::vector<std::size_t>& ends, ObjectParticles& particles) {
  particles.linear_velocity = object.velocity;
  particles.spin = object.angular_velocity * kDegree;
  if (!shapes.empty()) particles.center = shapes[0].center;
  if (shapes.size() < 2 || particles.spin == Vec3d::zero()) return;
  for (std::size_t copy = 0, i = 0; copy < shapes.size(); ++copy)
    for (; i < ends[copy]; ++i)
      particles.velocities.push_back(
          particles.linear_velocity +
          cross(particles.spin, particles.position[i] - shapes[copy].center));
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

// Fills all copies of the object's shape. ends[k] is the number of particles up to copy k.
Errors fill_shapes(const SceneSettings& scene, const ObjectSettings& object, std::uint64_t seed,
                   const std::vector<Shape>& shapes, std::vector<std::size_t>& ends,
                   ObjectParticles& particles) {
  double total = 0;
  for (std::size_t copy = 0; copy < shapes.size(); ++copy) {
    auto points = sample_shape(shapes[copy], object.sampling.kind, particle_spacing(scene, object),
                               random_bits(seed, kSamplingStream, copy));
    if (!points) return points.errors();
    total += volume(shapes[copy]);
    particles.position.insert(particles.position.end(), points->begin(), points->end());
    ends.push_back(particles.size());
  }
  particles.volume = total / static_cast<double>(particles.size());
  return {};
}

// Particles at the places that a file gives, each as large as the spacing says.
void take_points(const SceneSettings& scene, const ObjectSettings& object,
                 ObjectParticles& particles) {
  const TransformSettings& t = object.transform;
  const Mat<double, 3> rotation = t.rotation.matrix() * t.scale;
  for (const Vec3d& x : object.shape.asset->points)
    particles.position.push_back(rotation * x + t.translation);
  particles.volume = std::pow(particle_spacing(scene, object), double(scene.dimension));
}

ObjectParticles particles_of(const SceneSettings& scene, std::size_t index, Errors& errors) {
  const ObjectSettings& object = scene.objects[index];
  const std::string pointer = "/objects/" + std::to_string(index);
  const std::uint64_t seed = object_seed(scene, index);
  ObjectParticles particles;
  particles.object = static_cast<int>(index);
  particles.material = object.material;
  particles.volume_kind = object.volume;
  particles.density = object.density;
  const auto fail = [&](const Errors& lines, const std::string& separator) {
    for (const std::string& line : lines) errors.push_back(pointer + separator + line);
    return particles;
  };
  std::vector<Shape> shapes;
  std::vector<std::size_t> ends;
  if (object.shape.kind == ShapeType::points && object.shape.asset) {
    take_points(scene, object, particles);
  } else {
    Result<std::vector<Shape>> copies = object_shapes(scene, index);
    if (!copies) return fail(copies.errors(), "");
    shapes = std::move(*copies);
    const Errors lines = fill_shapes(scene, object, seed, shapes, ends, particles);
    if (!lines.empty()) return fail(lines, ": ");
  }
  set_motion(object, shapes, ends, particles);
  set_colors(object, random_bits(seed, kColorStream, 0), particles);
  set_fields(scene, pointer, object, particles, errors);
  set_picture_colors(object, shapes, ends, particles);
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
  if (!colors.empty()) return colors[i];
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
