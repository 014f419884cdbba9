#include "scene/check.h"

#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <set>

#include "geometry/sampling.h"
#include "scene/collider_overlap.h"
#include "scene/defaults.h"
#include "scene/initial_fields.h"
#include "scene/line_text.h"

namespace firn {
namespace {

using Issues = std::vector<SceneIssue>;

// Blocks of cells are numbered with 21 bits an axis; this keeps a wide margin.
constexpr double kMaxCells = 2e6;

std::string at(const char* list, std::size_t index) {
  return std::string("/") + list + "/" + std::to_string(index);
}

std::string short_number(double x) {
  char text[32];
  std::snprintf(text, sizeof(text), "%.4g", x);
  return text;
}

// 1,234,567; beyond what anyone reads digit by digit, 1.2e+30.
std::string grouped(double x) {
  if (!(x < 1e15)) return short_number(x);
  std::string digits = std::to_string(std::llround(x));
  for (int i = static_cast<int>(digits.size()) - 3; i > 0; i -= 3) digits.insert(i, ",");
  return digits;
}

std::string gibibytes(double bytes) {
  const double gib = bytes / (1 << 30);
  return (gib < 10 ? short_number(std::round(10 * gib) / 10) : grouped(gib)) + " GiB";
}

template <class Entry>
void check_unique(const std::vector<Entry>& entries, const char* list, Issues& issues) {
  std::set<std::string> seen;
  for (std::size_t i = 0; i < entries.size(); ++i)
    if (!seen.insert(entries[i].name).second)
      issues.push_back({at(list, i) + "/name", "another of the " + std::string(list) +
                                                   " is called " + in_quotes(entries[i].name)});
}

void check_fields(const SceneSettings& scene, std::size_t index, Issues& issues) {
  const ObjectSettings& object = scene.objects[index];
  if (object.material < 0 || object.material >= static_cast<int>(scene.materials.size())) return;
  const ModelParameters& parameters = scene.materials[object.material].parameters;
  const auto names = initial_field_names(parameters);
  for (const InitialField& field : object.fields) {
    const std::string pointer = at("objects", index) + "/fields/" + pointer_piece(field.name);
    if (std::find(names.begin(), names.end(), field.name) == names.end()) {
      issues.push_back({pointer, "no such field in material " +
                                     in_quotes(scene.materials[object.material].name) +
                                     suggestion(field.name, names)});
    } else if (field.value.expression.empty()) {
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

void check_direction(const Vec3d& direction, const std::string& pointer, Issues& issues) {
  const double length2 = dot(direction, direction);
  if (!(length2 > 1e-200 && std::isfinite(length2)))
    issues.push_back({pointer, "has no direction"});
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

void check_place(const SceneSettings& scene, std::size_t index, Issues& issues) {
  const Bounds box = bounding_box(placed(scene.objects[index].shape, scene.dimension));
  double reach = 0;
  for (int i = 0; i < scene.dimension; ++i)
    reach = std::max({reach, std::abs(box.low[i]), std::abs(box.high[i])});
  if (!(reach / scene.grid.spacing <= kMaxCells))
    issues.push_back({at("objects", index) + "/shape",
                      "reaches " + short_number(reach) + " m from the origin, more than " +
                          grouped(kMaxCells) + " cells of " + short_number(scene.grid.spacing) +
                          " m; move it or raise /grid/spacing"});
}

void check_size(const SceneSettings& scene, std::size_t index, Issues& issues) {
  const ObjectSettings& object = scene.objects[index];
  const Shape shape = placed(object.shape, scene.dimension);
  const double spacing = particle_spacing(scene, object);
  const std::string pointer = at("objects", index);
  const double count = estimated_particles(scene, object);
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

void check_overlap(const SceneSettings& scene, std::size_t index, Issues& issues) {
  const ColliderOverlap overlap = collider_overlap(scene, scene.objects[index]);
  if (overlap.collider < 0) return;
  const ColliderSettings& collider = scene.colliders[overlap.collider];
  const std::string place =
      (collider.shape.inside ? "outside the container " : "in the collider ") +
      in_quotes(collider.name);
  if (overlap.share >= 1)
    issues.push_back({at("objects", index), "lies wholly " + place});
  else
    issues.push_back({at("objects", index),
                      "about " + short_number(std::max(1.0, std::round(100 * overlap.share))) +
                          " % of it lies " + place,
                      true});
}

}  // namespace

std::vector<SceneIssue> check_names(const SceneSettings& scene) {
  Issues issues;
  for (const MaterialSettings& material : scene.materials) {
    const std::string problem = check_parameters(material.parameters);
    if (!problem.empty()) issues.push_back({"/materials/" + pointer_piece(material.name), problem});
  }
  check_unique(scene.objects, "objects", issues);
  check_unique(scene.colliders, "colliders", issues);
  for (std::size_t i = 0; i < scene.objects.size(); ++i) {
    check_fields(scene, i, issues);
    check_colors(scene.objects[i], at("objects", i), issues);
  }
  for (std::size_t i = 0; i < scene.colliders.size(); ++i)
    if (scene.colliders[i].shape.kind == ShapeKind::plane)
      check_direction(scene.colliders[i].shape.normal, at("colliders", i) + "/shape/normal",
                      issues);
  check_direction(scene.view.light, "/view/light", issues);
  const std::string format = format_problem(scene.output.formats, scene.dimension);
  if (!format.empty()) issues.push_back({"/output/formats", format});
  return issues;
}

std::vector<SceneIssue> check_scene(const SceneSettings& scene) {
  return check_scene(scene, machine_memory());
}

std::vector<SceneIssue> check_scene(const SceneSettings& scene, double memory_bytes) {
  Issues issues;
  check_memory(scene, memory_bytes, issues);
  for (std::size_t i = 0; i < scene.objects.size(); ++i) {
    check_place(scene, i, issues);
    check_size(scene, i, issues);
  }
  if (!issues.empty() &&
      std::any_of(issues.begin(), issues.end(), [](auto& x) { return !x.warning; }))
    return issues;
  for (std::size_t i = 0; i < scene.objects.size(); ++i) check_overlap(scene, i, issues);
  return issues;
}

double estimated_particles(const SceneSettings& scene, const ObjectSettings& object) {
  return expected_points(placed(object.shape, scene.dimension), particle_spacing(scene, object));
}

double estimated_particles(const SceneSettings& scene) {
  double total = 0;
  for (const ObjectSettings& object : scene.objects) total += estimated_particles(scene, object);
  return total;
}

double bytes_per_particle() {
  return 300;
}

double machine_memory() {
  return static_cast<double>(sysconf(_SC_PHYS_PAGES)) * static_cast<double>(sysconf(_SC_PAGESIZE));
}

}  // namespace firn
