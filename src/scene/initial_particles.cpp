#include "scene/initial_particles.h"

#include <algorithm>
#include <cmath>

#include "base/math.h"
#include "base/random.h"
#include "exec/parallel.h"
#include "geometry/sampling.h"
#include "scene/copies.h"
#include "scene/defaults.h"
#include "scene/even_volumes.h"
#include "scene/initial_fields.h"
#include "scene/initial_stress.h"
#include "scene/line_text.h"
#include "scene/object_mesh.h"
#include "scene/object_seed.h"
#include "scene/particle_sets.h"
#include "scene/particles_apart.h"

namespace firn {
namespace {

std::uint32_t byte_of(double channel) {
  return static_cast<std::uint32_t>(std::lround(255 * clamp(channel, 0.0, 1.0)));
}

std::uint32_t packed(const Vec3d& rgb) {
  std::uint32_t color = 0;
  for (int i = 0; i < 3; ++i) color = color << 8 | byte_of(rgb[i]);
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

// Every copy spins about its own centre; a single one needs no more than the rule.
void set_motion(const SceneSettings& scene, const std::string& pointer,
                const ObjectSettings& object, const std::vector<Shape>& shapes,
                const std::vector<std::size_t>& ends, ObjectParticles& particles, Errors& errors) {
  const VaryingField velocity(object.velocity);
  particles.spin = object.angular_velocity * kDegree;
  if (!velocity.varies_in_space()) particles.linear_velocity = velocity.at(Vec3d::zero(), 0);
  if (!shapes.empty()) particles.center = shapes[0].center;
  if (shapes.size() > 1 && !(particles.spin == Vec3d::zero()))
    for (std::size_t copy = 0, i = 0; copy < shapes.size(); ++copy)
      for (; i < ends[copy]; ++i)
        particles.velocities.push_back(
            particles.linear_velocity +
            cross(particles.spin, particles.position[i] - shapes[copy].center));
  if (velocity.varies_in_space()) set_velocities(scene, pointer, velocity, particles, errors);
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

// A fluid does not bear an uneven density.
void share_volume(const SceneSettings& scene, const ObjectSettings& object,
                  const std::vector<Shape>& shapes, const std::vector<std::size_t>& ends,
                  ObjectParticles& particles) {
  const ModelParameters& parameters = scene.materials[object.material].parameters;
  if (!std::holds_alternative<Fluid::Parameters>(parameters) ||
      object.volume == VolumeKind::estimated)
    return;
  particles.volumes.assign(particles.size(), particles.volume);
  for (std::size_t copy = 0, first = 0; copy < shapes.size(); first = ends[copy++])
    even_volumes(shapes[copy], scene.mpm.kernel, scene.grid.spacing, &particles.position[first],
                 ends[copy] - first, &particles.volumes[first]);
  const auto same = [&](double v) { return v == particles.volume; };
  if (std::all_of(particles.volumes.begin(), particles.volumes.end(), same))
    particles.volumes.clear();
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
  particles.set = set_of(scene, object.material, object.species);
  particles.volume_kind = object.volume;
  particles.density = object.density;
  const auto fail = [&](const Errors& lines, const std::string& separator) {
    for (const std::string& line : lines) errors.push_back(pointer + separator + line);
    return particles;
  };
  std::vector<Shape> shapes;
  std::vector<std::size_t> ends;
  const bool meshed = scene.solver == SolverKind::fem;
  if (!meshed && object.shape.kind == ShapeType::points && object.shape.asset) {
    take_points(scene, object, particles);
  } else {
    Result<std::vector<Shape>> copies = object_shapes(scene, index);
    if (!copies) return fail(copies.errors(), "");
    shapes = std::move(*copies);
    const Errors lines = meshed ? take_nodes(scene, index, ends, particles)
                                : fill_shapes(scene, object, seed, shapes, ends, particles);
    if (!lines.empty()) return fail(lines, meshed ? "" : ": ");
    if (!meshed) share_volume(scene, object, shapes, ends, particles);
  }
  set_palette(object.colors, particles);
  particles.color_seed = random_bits(seed, kColorStream, 0);
  set_picture_colors(object, shapes, ends, particles);
  set_motion(scene, pointer, object, shapes, ends, particles, errors);
  set_fields(scene, pointer, object, particles, errors);
  if (!errors.empty()) return particles;
  if (meshed) move_to_start(object, static_cast<int>(scene.dimension), seed, ends, particles);
  const std::string problem = set_initial_stress(scene, object, shapes, particles);
  if (!problem.empty()) errors.push_back(pointer + "/initial_stress: " + problem);
  return particles;
}

}  // namespace

void set_palette(const std::vector<WeightedColor>& colors, ObjectParticles& particles) {
  double sum = 0;
  for (const WeightedColor& color : colors) {
    sum += color.probability;
    particles.palette.push_back(packed(color.rgb));
    particles.cumulative.push_back(sum);
  }
  for (double& probability : particles.cumulative) probability /= sum;
  if (!colors.empty()) return;
  // A scene made in code whose defaults were not filled in (scene/defaults.h): grey.
  particles.palette = {0x808080};
  particles.cumulative = {1};
}

Vec3d ObjectParticles::velocity(std::size_t i) const {
  return velocities.empty() ? linear_velocity + cross(spin, position[i] - center) : velocities[i];
}

Mat<double, 3> ObjectParticles::velocity_gradient(std::size_t i) const {
  if (!velocity_gradients.empty()) return velocity_gradients[i];
  return {{{0, -spin[2], spin[1]}, {spin[2], 0, -spin[0]}, {-spin[1], spin[0], 0}}};
}

double ObjectParticles::mass(std::size_t i) const {
  return density * volume_of(i) * (mass_scales.empty() ? 1 : mass_scales[i]);
}

double ObjectParticles::volume_of(std::size_t i) const {
  return volumes.empty() ? volume : volumes[i];
}

double ObjectParticles::stiffness_scale(std::size_t i) const {
  return stiffness_scales.empty() ? 1 : stiffness_scales[i];
}

Mat<double, 3> ObjectParticles::gradient(std::size_t i) const {
  return gradients.empty() ? Mat<double, 3>::identity() : gradients[i];
}

double ObjectParticles::initial_volume(std::size_t i) const {
  return volume_ratios.empty() ? volume_of(i) : volume_of(i) / volume_ratios[i];
}

std::uint32_t ObjectParticles::palette_color(std::uint64_t i) const {
  const double pick = unit_double(random_bits(color_seed, 0, i));
  const auto entry = std::upper_bound(cumulative.begin(), cumulative.end(), pick);
  return palette[std::min<std::size_t>(entry - cumulative.begin(), palette.size() - 1)];
}

std::uint32_t ObjectParticles::color(std::size_t i) const {
  std::uint32_t rgb = colors.empty() ? palette_color(i) : colors[i];
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
  if (errors.empty() && complete.solver == SolverKind::sph)
    errors = coinciding_particles(complete, all);
  if (!errors.empty()) return errors;
  return all;
}

}  // namespace firn
