#include "scene/check_objects.h"

#include <algorithm>
#include <cmath>

#include "geometry/sampling.h"
#include "scene/copies.h"
#include "scene/defaults.h"
#include "scene/initial_fields.h"
#include "scene/initial_stress.h"
#include "scene/periodic.h"

namespace firn {
namespace {

// Blocks of cells are numbered with 21 bits an axis; this keeps a wide margin.
constexpr double kMaxCells = 2e6;

void check_fields(const SceneSettings& scene, std::size_t index, Issues& issues) {
  const ObjectSettings& object = scene.objects[index];
  if (object.material < 0 || object.material >= static_cast<int>(scene.materials.size())) return;
  const ModelParameters& parameters = scene.materials[object.material].parameters;
  const auto names = initial_field_names(scene, parameters);
  for (const InitialField& field : object.fields) {
    const std::string pointer = at("objects", index) + "/fields/" + pointer_piece(field.name);
    if (std::find(names.begin(), names.end(), field.name) == names.end()) {
      issues.push_back({pointer, "no such field in material " +
                                     in_quotes(scene.materials[object.material].name) +
                                     suggestion(field.name, names)});
    } else if (field.value.is_constant()) {
      const std::string problem = value_problem(parameters, field.name, field.value.value);
      if (!problem.empty()) issues.push_back({pointer, problem});
    }
  }
}

void check_colors(const ObjectSettings& object, const std::string& pointer, Issues& issues) {
  double sum = 0;
  for (const WeightedColor& color : object.colors) sum += color.probability;
  if (!object.colors.empty() && !(sum > 0))
    issues.push_back({pointer + "/colors", "the probabilities sum to 0"});
}

void check_initial_stress(const SceneSettings& scene, std::size_t index, Issues& issues) {
  const ObjectSettings& object = scene.objects[index];
  if (object.material < 0 || object.material >= static_cast<int>(scene.materials.size())) return;
  const std::string problem = initial_stress_problem(scene, object);
  if (!problem.empty()) issues.push_back({at("objects", index) + "/initial_stress", problem});
}

void check_place(const SceneSettings& scene, std::size_t index, const std::vector<Shape>& shapes,
                 Issues& issues) {
  double reach = 0;
  for (const Shape& shape : shapes) {
    const Bounds box = bounding_box(shape);
    for (int i = 0; i < scene.dimension; ++i)
      reach = std::max({reach, std::abs(box.low[i]), std::abs(box.high[i])});
  }
  if (!(reach / scene.grid.spacing <= kMaxCells))
    issues.push_back({at("objects", index) + "/shape",
                      "reaches " + short_number(reach) + " m from the origin, more than " +
                          grouped(kMaxCells) + " cells of " + short_number(scene.grid.spacing) +
                          " m; move it or raise /grid/spacing"});
  const Bounds one = bounding_box(shapes[0]);
  for (int i = 0; i < scene.dimension; ++i) {
    const double period = period_length(scene, i), extent = one.high[i] - one.low[i];
    if (period > 0 && extent > period * (1 + 1e-9))
      issues.push_back({at("objects", index) + "/shape",
                        "is " + short_number(extent) + " m long in " + kAxisNames[i] +
                            " and would overlap itself, as the grid repeats every " +
                            short_number(period) + " m"});
  }
}

void check_size(const SceneSettings& scene, std::size_t index, const Shape& shape, Issues& issues) {
  const ObjectSettings& object = scene.objects[index];
  const double spacing = particle_spacing(scene, object);
  const std::string pointer = at("objects", index);
  const double count = expected_points(shape, spacing);
  if (!(volume(shape) > 0)) {
    issues.push_back({pointer + "/shape", "is empty: its parts leave no volume"});
    return;
  }
  if (scene.solver == SolverKind::fem) return;  // its mesh has a size of its own
  if (!(count >= 0.5)) {
    issues.push_back({pointer, "gives no particles: its particles would be " +
                                   short_number(spacing) + " m apart, and it is " +
                                   short_number(2 * half_extents(shape)[0]) +
                                   " m wide; lower /grid/spacing or enlarge it"});
    return;
  }
  const Vec3d half = half_extents(shape);
  double thinnest = INFINITY;
  for (int i = 0; i < scene.dimension; ++i) thinnest = std::min(thinnest, 2 * half[i]);
  if (thinnest < scene.grid.spacing)
    issues.push_back({pointer + "/shape",
                      "is " + short_number(thinnest) + " m thin, less than a grid cell of " +
                          short_number(scene.grid.spacing) + " m",
                      true});
}

// All copies of an object; empty after an error.
std::vector<Shape> checked_shapes(const SceneSettings& scene, std::size_t index, Issues& issues) {
  const Shape one = single_shape(scene, scene.objects[index]);
  if (!is_bounded(one)) {
    issues.push_back({at("objects", index) + "/shape", "has no end; intersect it with a box"});
    return {};
  }
  if (estimated_particles(scene, scene.objects[index]) > kMaxSampledPoints) return {};
  Result<std::vector<Shape>> shapes = object_shapes(scene, index);
  if (shapes) return std::move(*shapes);
  for (const std::string& line : shapes.errors()) {
    const std::size_t colon = line.find(": ");
    issues.push_back({at("objects", index) + line.substr(0, colon), line.substr(colon + 2)});
  }
  return {};
}

}  // namespace

void check_object_values(const SceneSettings& scene, std::size_t index, Issues& issues) {
  check_fields(scene, index, issues);
  check_colors(scene.objects[index], at("objects", index), issues);
  check_initial_stress(scene, index, issues);
}

std::vector<Shape> check_object_shapes(const SceneSettings& scene, std::size_t index,
                                       Issues& issues) {
  std::vector<Shape> shapes = checked_shapes(scene, index, issues);
  if (shapes.empty()) return shapes;
  check_place(scene, index, shapes, issues);
  check_size(scene, index, shapes[0], issues);
  return shapes;
}

void check_memory(const SceneSettings& scene, double memory_bytes, Issues& issues) {
  const double available = std::min(memory_bytes / bytes_per_particle(), kMaxSampledPoints);
  const auto report = [&](const std::string& pointer, double count) {
    issues.push_back({pointer, grouped(count) + " particles need about " +
                                   gibibytes(count * bytes_per_particle()) +
                                   " of memory, this machine has " + gibibytes(memory_bytes) +
                                   "; raise /grid/spacing or lower particles_per_cell"});
  };
  bool one_is_too_large = false;
  for (std::size_t i = 0; i < scene.objects.size(); ++i) {
    const double count = estimated_particles(scene, scene.objects[i]);
    if (count <= available) continue;
    report(at("objects", i), count);
    one_is_too_large = true;
  }
  const double total = estimated_particles(scene);
  if (!one_is_too_large && !(total <= available)) report("/objects", total);
}

}  // namespace firn
