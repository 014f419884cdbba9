#include "scene/check.h"

#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "geometry/sampling.h"
#include "scene/check_fem.h"
#include "scene/check_grains.h"
#include "scene/check_integrator.h"
#include "scene/check_objects.h"
#include "scene/check_porous.h"
#include "scene/check_sph.h"
#include "scene/check_transitions.h"
#include "scene/check_warnings.h"
#include "scene/collider_overlap.h"
#include "scene/copies.h"
#include "scene/defaults.h"
#include "scene/initial_fields.h"
#include "scene/periodic.h"
#include "scene/stream.h"
#include "scene/thin_walls.h"
#include "scene/varied_settings.h"

namespace firn {
namespace {

template <class Entry>
void check_unique(const std::vector<Entry>& entries, const char* list, Issues& issues) {
  std::set<std::string> seen;
  for (std::size_t i = 0; i < entries.size(); ++i)
    if (!seen.insert(entries[i].name).second)
      issues.push_back({at(list, i) + "/name", "another of the " + std::string(list) +
                                                   " is called " + in_quotes(entries[i].name)});
}

void check_direction(const Vec3d& direction, const std::string& pointer, Issues& issues) {
  const double length2 = dot(direction, direction);
  if (!(length2 > 1e-200 && std::isfinite(length2)))
    issues.push_back({pointer, "has no direction"});
}

// Particles side by side in a mouth that are counted in seconds.
constexpr double kWidestMouth = 1000, kWidestMouth2D = 200'000;

void check_mouth(const SceneSettings& scene, const EmitterSettings& emitter, const Shape& shape,
                 const std::string& pointer, Issues& issues) {
  const Bounds box = bounding_box(shape);
  const Vec3d extent = box.high - box.low;
  const double across = std::sqrt(dot(extent, extent)) / particle_spacing(scene, emitter.sampling);
  const double most = scene.dimension == 2 ? kWidestMouth2D : kWidestMouth;
  if (across <= most) return;
  issues.push_back({pointer + "/shape", "is " + short_number(across) +
                                            " particles wide, more than " + grouped(most) +
                                            "; make it smaller or raise /grid/spacing"});
}

// At least so many particles come in a second; the mouth lets at most as many in side by side.
double least_arrivals(const SceneSettings& scene, const EmitterSettings& emitter,
                      const Shape& shape) {
  const double each =
      std::pow(particle_spacing(scene, emitter.sampling), static_cast<double>(scene.dimension));
  if (emitter.rate > 0) return emitter.rate / (emitter.density * each);
  const Bounds box = bounding_box(shape);
  const double speed = std::sqrt(dot(emitter.velocity, emitter.velocity));
  const Vec3d extent = box.high - box.low;
  return speed * volume(shape) / std::sqrt(dot(extent, extent)) / each;
}

// A frame's worth of particles must fit into memory, whatever sinks take out afterwards.
void check_arrivals(const SceneSettings& scene, const EmitterSettings& emitter, const Shape& shape,
                    const std::string& pointer, double memory_bytes, Issues& issues) {
  const double count = least_arrivals(scene, emitter, shape) *
                       std::min(1 / scene.fps, std::max(0.0, emitter.stop - emitter.start));
  if (count * bytes_per_particle() <= memory_bytes) return;
  issues.push_back({pointer + (emitter.rate > 0 ? "/rate" : "/velocity"),
                    "lets in about " + grouped(count) + " particles a frame, which need " +
                        gibibytes(count * bytes_per_particle()) +
                        " of memory; lower it, or raise the spacing of the particles"});
}

// A mouth cannot let out more than what fills it at the velocity. Its area is known to a percent.
void check_rate(const SceneSettings& scene, const EmitterSettings& emitter,
                const std::string& pointer, Issues& issues) {
  if (!(emitter.rate > 0)) return;
  const double most = full_flow(scene, emitter);
  if (!(emitter.rate > 1.01 * most)) return;
  const char* unit = scene.dimension == 2 ? " kg/s per metre of depth" : " kg/s";
  issues.push_back({pointer + "/rate",
                    short_number(emitter.rate) + unit + " is more than the full flow, " +
                        short_number(most) + unit +
                        ": what fills the mouth at its velocity; lower it, or raise the velocity "
                        "or the size of the shape"});
}

void check_emitters(const SceneSettings& scene, double memory_bytes, Issues& issues) {
  for (std::size_t i = 0; i < scene.emitters.size(); ++i) {
    const EmitterSettings& emitter = scene.emitters[i];
    const Shape shape = placed(emitter.shape, static_cast<int>(scene.dimension));
    const std::string pointer = at("emitters", i);
    const std::size_t before = issues.size();
    if (!is_bounded(shape) || !(volume(shape) > 0))
      issues.push_back({pointer + "/shape", "has no finite volume to fill"});
    else
      check_mouth(scene, emitter, shape, pointer, issues);
    if (emitter.stop <= emitter.start)
      issues.push_back({pointer + "/stop", "must be later than start"});
    if (!(dot(emitter.velocity, emitter.velocity) > 0))
      issues.push_back({pointer + "/velocity", "must not be 0: it says where particles come out"});
    if (issues.size() == before) check_rate(scene, emitter, pointer, issues);
    if (issues.size() == before)
      check_arrivals(scene, emitter, shape, pointer, memory_bytes, issues);
  }
}

// What keys of a shape say together, however deep it is among the parts of another.
void check_shape(const ShapeSettings& shape, const std::string& pointer, Issues& issues) {
  if (shape.kind == ShapeType::plane) check_direction(shape.normal, pointer + "/normal", issues);
  if (shape.kind == ShapeType::mesh && shape.longest > 0 && shape.scale != 1)
    issues.push_back({pointer, "give \"scale\" or \"size\", not both"});
  if (shape.kind == ShapeType::bitmap && shape.revolve && shape.depth > 0)
    issues.push_back({pointer, "give \"depth\" or \"revolve\", not both"});
  if (shape.kind == ShapeType::torus && shape.tube >= shape.radius)
    issues.push_back({pointer + "/tube", "must be less than the radius"});
  if (shape.kind == ShapeType::capsule && shape.height <= 2 * shape.radius)
    issues.push_back(
        {pointer + "/height", "must be more than twice the radius: it has the caps in it"});
  for (std::size_t i = 0; i < shape.parts.size(); ++i)
    check_shape(shape.parts[i], pointer + "/shapes/" + std::to_string(i), issues);
}

// An expression without variables is a number like any other; where it has some, the run looks.
void check_surface(const NumberOrExpression& setting, const std::string& pointer, Issues& issues) {
  const Result<VaryingValue> value = compiled(setting);
  if (value && !value->has_program && !(value->value >= 0))
    issues.push_back(
        {pointer, "is " + short_number(value->value) + "; it must not be negative, and a number"});
}

void check_start(const MotionSettings& motion, const std::string& pointer, Issues& issues) {
  const auto moves = runtime_motion(motion, Vec3d::zero());
  if (moves && !moves->at(0).is_place())
    issues.push_back({pointer,
                      "gives no place at t = 0 s: it is not finite, or its scale is not "
                      "above 0"});
}

void check_motions(const SceneSettings& scene, Issues& issues) {
  for (std::size_t i = 0; i < scene.colliders.size(); ++i) {
    const ColliderSettings& collider = scene.colliders[i];
    check_surface(collider.friction, at("colliders", i) + "/friction", issues);
    check_surface(collider.stickiness, at("colliders", i) + "/stickiness", issues);
    if (collider.motion) check_start(*collider.motion, at("colliders", i) + "/motion", issues);
    if (collider.motion)
      for (const std::string& line : motion_problems(*collider.motion)) {
        const std::size_t colon = line.find(": ");
        issues.push_back(
            {at("colliders", i) + "/motion" + line.substr(0, colon), line.substr(colon + 2)});
      }
    const auto& keys = collider.deformation;
    const std::string pointer = at("colliders", i) + "/deformation";
    if (keys.size() == 1) issues.push_back({pointer, "needs at least two shapes"});
    for (std::size_t k = 0; k < keys.size(); ++k)
      check_shape(keys[k].shape, pointer + "/" + std::to_string(k) + "/shape", issues);
    for (std::size_t k = 1; k < keys.size(); ++k)
      if (!(keys[k].time > keys[k - 1].time))
        issues.push_back({pointer + "/" + std::to_string(k) + "/time",
                          "must be later than that of the shape before it"});
  }
}

void check_overlap(const SceneSettings& scene, const std::string& pointer,
                   const std::vector<Shape>& shapes, Issues& issues) {
  const ColliderOverlap overlap = collider_overlap(scene, shapes);
  if (overlap.collider < 0) return;
  const ColliderSettings& collider = scene.colliders[overlap.collider];
  const std::string place =
      (collider.shape.inside ? "outside the container " : "in the collider ") +
      in_quotes(collider.name);
  if (overlap.share >= 1)
    issues.push_back({pointer, "lies wholly " + place});
  else
    issues.push_back({pointer,
                      "about " + short_number(std::max(1.0, std::round(100 * overlap.share))) +
                          " % of it lies " + place,
                      true});
}

void check_collider(const SceneSettings& scene, std::size_t index, Issues& issues) {
  const ColliderSettings& collider = scene.colliders[index];
  for (const std::string& warning :
       {seam_warning(scene, collider), thin_wall_warning(scene, collider)})
    if (!warning.empty()) issues.push_back({at("colliders", index), warning, true});
}

void check_solver(const SceneSettings& scene, Issues& issues) {
  switch (scene.solver) {
    case SolverKind::mpm:
      check_integrator(scene, issues);
      break;
    case SolverKind::sph:
      check_sph(scene, issues);
      break;
    case SolverKind::fem:
      return check_fem(scene, issues);
  }
  check_keys_of_fem(scene, issues);
}

}  // namespace

std::vector<SceneIssue> check_names(const SceneSettings& scene) {
  Issues issues;
  for (std::size_t m = 0; m < scene.materials.size(); ++m) {
    const std::string problem = parameters_problem(scene, static_cast<int>(m));
    if (!problem.empty())
      issues.push_back({"/materials/" + pointer_piece(scene.materials[m].name), problem});
  }
  for (std::size_t i = 0; i < scene.scalars.size(); ++i)
    if (is_reserved_name(scene.scalars[i]))
      issues.push_back({at("scalars", i), in_quotes(scene.scalars[i]) +
                                              " has a meaning already; choose another name"});
  for (int a = 0; a < 3; ++a) {
    const std::string problem = period_problem(scene, a);
    if (!problem.empty())
      issues.push_back({std::string("/grid/periodic/") + kAxisNames[a], problem});
  }
  check_unique(scene.objects, "objects", issues);
  check_unique(scene.colliders, "colliders", issues);
  check_unique(scene.probes, "probes", issues);
  for (std::size_t i = 0; i < scene.probes.size(); ++i) {
    if (scene.probes[i].name.empty()) issues.push_back({at("probes", i) + "/name", "is empty"});
    if (scene.probes[i].kind == ProbeKind::flux)
      check_direction(scene.probes[i].normal, at("probes", i) + "/normal", issues);
  }
  for (std::size_t i = 0; i < scene.objects.size(); ++i) {
    check_object_values(scene, i, issues);
  }
  check_unique(scene.emitters, "emitters", issues);
  check_unique(scene.sinks, "sinks", issues);
  check_unique(scene.transitions, "transitions", issues);
  check_transitions(scene, issues);
  if (scene.solver != SolverKind::fem) {  // which refuses both
    check_porous(scene, issues);
    check_grains(scene, issues);
  }
  check_solver(scene, issues);
  if (scene.air && scene.solver != SolverKind::sph)
    issues.push_back(
        {"/air", "sph alone knows it; remove the section, or choose the solver \"sph\""});
  for (std::size_t i = 0; i < scene.objects.size(); ++i)
    check_shape(scene.objects[i].shape, at("objects", i) + "/shape", issues);
  for (std::size_t i = 0; i < scene.colliders.size(); ++i)
    check_shape(scene.colliders[i].shape, at("colliders", i) + "/shape", issues);
  for (std::size_t i = 0; i < scene.sinks.size(); ++i)
    check_shape(scene.sinks[i].shape, at("sinks", i) + "/shape", issues);
  for (std::size_t i = 0; i < scene.emitters.size(); ++i)
    check_shape(scene.emitters[i].shape, at("emitters", i) + "/shape", issues);
  check_motions(scene, issues);
  if (scene.objects.empty() && scene.emitters.empty())
    issues.push_back({"/objects", "is empty; give at least one, or an emitter"});
  check_direction(scene.view.light, "/view/light", issues);
  for (const std::string& field : scene.output.fields)
    if (const std::string problem = field_problem(field, scene.dimension); !problem.empty())
      issues.push_back({"/output/fields", problem});
  for (const std::string& field : color_fields(scene))
    if (const std::string problem = field_problem(field, scene.dimension); !problem.empty())
      issues.push_back({"/view/color_by", problem});
  const std::string format = format_problem(scene.output.formats, scene.dimension);
  if (!format.empty()) issues.push_back({"/output/formats", format});
  return issues;
}

std::vector<SceneIssue> check_scene(const SceneSettings& scene) {
  return check_scene(scene, machine_memory());
}

std::vector<SceneIssue> check_scene(const SceneSettings& scene, double memory_bytes) {
  Issues issues;
  for (const LoadWarning& warning : scene.load_warnings)
    issues.push_back({warning.pointer, warning.what, true});
  const bool meshed = scene.solver == SolverKind::fem;
  if (meshed)
    check_fem_memory(scene, memory_bytes, issues);
  else
    check_memory(scene, memory_bytes, issues);
  check_grain_memory(scene, memory_bytes, issues);
  std::vector<std::vector<Shape>> shapes(scene.objects.size());
  for (std::size_t i = 0; i < scene.objects.size(); ++i) {
    if (scene.objects[i].shape.kind != ShapeType::points)
      shapes[i] = check_object_shapes(scene, i, issues);
    // The box around a mesh file says nothing of what it fills.
    if (scene.objects[i].has_mesh_file()) shapes[i].clear();
  }
  check_emitters(scene, memory_bytes, issues);
  if (!issues.empty() &&
      std::any_of(issues.begin(), issues.end(), [](auto& x) { return !x.warning; }))
    return issues;
  for (std::size_t i = 0; i < scene.objects.size(); ++i)
    check_overlap(scene, at("objects", i), shapes[i], issues);
  for (std::size_t i = 0; i < scene.emitters.size(); ++i)
    check_overlap(scene, at("emitters", i),
                  {placed(scene.emitters[i].shape, static_cast<int>(scene.dimension))}, issues);
  for (std::size_t i = 0; i < scene.colliders.size(); ++i) check_collider(scene, i, issues);
  warn_of_overlaps(scene, shapes, issues);
  if (!meshed) warn_of_sparse_sampling(scene, issues);
  warn_of_time_steps(scene.integrator, issues);
  warn_of_cameras(scene, issues);
  return issues;
}

double estimated_particles(const SceneSettings& scene, const ObjectSettings& object) {
  if (scene.solver == SolverKind::fem) return estimated_vertices(scene, object);
  if (object.shape.kind == ShapeType::points)
    return object.shape.asset ? double(object.shape.asset->points.size()) : 0;
  return copy_count(scene, object) *
         expected_points(single_shape(scene, object), particle_spacing(scene, object));
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
