#include "render/survey.h"

#include <algorithm>
#include <cmath>
#include <set>

#include "scene/collider_place.h"
#include "scene/defaults.h"
#include "scene/particle_sets.h"

namespace firn {

namespace {

// The floor of a box or cylinder that holds the particles, where there is no plane.
std::optional<double> container_floor(const std::vector<Shape>& colliders) {
  std::optional<double> floor;
  for (Shape shape : colliders) {
    if (!shape.inside || shape.kind == ShapeKind::ball || shape.kind == ShapeKind::plane) continue;
    shape.inside = false;
    const double low = bounding_box(shape).low[1];
    floor = floor ? std::max(*floor, low) : low;
  }
  return floor;
}

RenderScene make_scene(const SceneSettings& settings, const Bounds& box) {
  RenderScene scene;
  scene.dimension = static_cast<int>(settings.dimension);
  scene.colliders = shown_colliders(settings, 0);
  scene.collider_paints = collider_paints(settings);
  scene.ground_height = container_floor(scene.colliders);
  scene.bounds = box;
  scene.light = settings.view.light;
  scene.background = settings.view.background;
  scene.ground_shadow = settings.view.ground_shadow;
  return scene;
}

// Mean distance of particles as the objects ask for it; 0 when unknown.
double mean_spacing(const SceneSettings& settings) {
  double sum = 0;
  for (const ObjectSettings& object : settings.objects)
    sum += particle_spacing(settings, object.sampling);
  for (const EmitterSettings& emitter : settings.emitters)
    sum += particle_spacing(settings, emitter.sampling);
  const std::size_t count = settings.objects.size() + settings.emitters.size();
  return count == 0 ? 0 : sum / static_cast<double>(count);
}

double choose_radius(const std::vector<PointTable>& samples, const SceneSettings& settings) {
  if (settings.view.point_radius > 0) return settings.view.point_radius;
  const double spacing = mean_spacing(settings);
  // Before the first particles come there is nothing to measure.
  const auto measured = std::find_if(samples.begin(), samples.end(),
                                     [](const PointTable& table) { return table.count > 0; });
  if (measured != samples.end() && (measured->has("volume") || !(spacing > 0)))
    return estimate_radius(*measured, static_cast<int>(settings.dimension));
  return kSphereOverlap * 0.5 * (spacing > 0 ? spacing : settings.grid.spacing);
}

// What the camera should show: the particles of the samples, and solid colliders among them.
std::vector<Vec3d> places_to_frame(const std::vector<PointTable>& samples, const RenderScene& scene,
                                   double radius) {
  std::vector<Vec3d> places;
  for (const PointTable& table : samples)
    for (const Vec3d& p : places_inside(table, *scene.bounds)) {
      places.push_back(p + Vec3d::fill(radius));
      places.push_back(p - Vec3d::fill(radius));
    }
  const double size = diagonal_of(*scene.bounds);
  for (const Shape& shape : scene.colliders) {
    if (!is_bounded(shape)) continue;
    const Bounds box = bounding_box(shape);
    const Vec3d d = center_of(box) - center_of(*scene.bounds);
    if (diagonal_of(box) > 1.5 * size || std::sqrt(dot(d, d)) > size) continue;
    for (const Vec3d& corner : corners_of(box)) places.push_back(corner);
  }
  return places.empty() ? corners_of(*scene.bounds) : places;
}

Bounds box_around(const std::vector<Vec3d>& places) {
  Bounds box{places[0], places[0]};
  for (const Vec3d& p : places) box = united(box, {p, p});
  return box;
}

Result<Camera> choose_camera(const std::vector<Vec3d>& places, const SceneSettings& settings,
                             const RenderRunOptions& options) {
  const CameraSettings* own = settings.view.camera ? &*settings.view.camera : nullptr;
  bool use_own = options.camera.empty() && own;
  for (const NamedCameraSettings& camera : settings.view.cameras)
    if (camera.name == options.camera) own = &camera, use_own = true;
  const auto& names = camera_names();
  if (!use_own && !options.camera.empty() &&
      std::find(names.begin(), names.end(), options.camera) == names.end()) {
    std::string known;
    for (const std::string& name : names) known += (known.empty() ? "" : ", ") + name;
    for (const auto& camera : settings.view.cameras) known += ", " + camera.name;
    return Result<Camera>::failure("no camera \"" + options.camera + "\"; there are " + known);
  }
  const double aspect = static_cast<double>(options.width) / options.height;
  if (settings.dimension == 2) {
    Camera camera = flat_camera(box_around(places), aspect);
    if (use_own) {
      const Vec3d line = own->eye - own->target;
      camera.target = {{own->target[0], own->target[1], 0}};
      camera.eye = camera.target + Vec3d{{0, 0, 1}};
      if (const double distance = std::sqrt(dot(line, line)); distance > 0)
        camera.ortho_height = 2 * distance * std::tan(0.5 * own->field_of_view * kDegree);
    }
    return camera;
  }
  if (use_own) return Camera{own->eye, own->target, {{0, 1, 0}}, own->field_of_view, 0};
  return framing_camera(places, aspect, 35,
                        options.camera.empty() ? "three_quarter" : options.camera);
}

// What the looks of materials, then of objects, say of colours.
std::vector<ColorPart> color_parts(const SceneSettings& settings, ColorMap map) {
  std::vector<ColorPart> parts;
  const std::vector<std::string> maps = color_map_names();
  const auto add = [&](const ParticleLook& look, int material, int object) {
    if (look.color_by.empty()) return;
    ColorPart part;
    part.by = look.color_by;
    const auto own = std::find(maps.begin(), maps.end(), look.color_map);
    part.map = own == maps.end() ? map : static_cast<ColorMap>(own - maps.begin());
    part.material = material;
    part.object = object;
    part.fits = !look.color_range;
    if (look.color_range) part.low = look.color_range->low, part.high = look.color_range->high;
    parts.push_back(std::move(part));
  };
  for (const MaterialLook& look : settings.view.look.materials) add(look, look.material, -1);
  for (std::size_t i = 0; i < settings.objects.size(); ++i)
    if (settings.objects[i].look) add(*settings.objects[i].look, -1, static_cast<int>(i));
  return parts;
}

// The colours that differ from those of the view, unless the caller chose what to show.
Errors choose_parts(const std::vector<PointTable>& samples, const SceneSettings& settings,
                    const RenderRunOptions& options, ColorChoice& choice) {
  if (options.color_by.empty()) choice.parts = color_parts(settings, choice.map);
  for (ColorPart& part : choice.parts)
    for (const PointTable& table : samples) {
      if (part.by != "color")
        if (const auto values = color_values(table, part.by); !values) return values.errors();
      fit_part(table, part);
    }
  return {};
}

// The range of a scale over all samples, when none was given.
Result<ColorChoice> choose_colors(const std::vector<PointTable>& samples,
                                  const SceneSettings& settings, const RenderRunOptions& options) {
  const bool own = options.color_by.empty() || options.color_by == settings.view.color_by;
  ColorChoice choice;
  choice.by = own ? settings.view.color_by : options.color_by;
  choice.low = options.low;
  choice.high = options.high;
  choice.map = options.color_map.value_or(settings.view.color_map);
  if (Errors errors = choose_parts(samples, settings, options, choice); !errors.empty())
    return errors;
  if (choice.automatic() && own && settings.view.color_range) {
    choice.low = settings.view.color_range->low;
    choice.high = settings.view.color_range->high;
  }
  if (choice.by == "color" || is_categorical(choice.by) || !choice.automatic()) return choice;
  std::optional<ValueRange> range;
  for (const PointTable& table : samples) {
    const Result<std::vector<float>> values = color_values(table, choice.by);
    if (!values) return values.errors();
    if (values->empty()) continue;
    const ValueRange r = robust_value_range(*values);
    range = range ? ValueRange{std::min(range->low, r.low), std::max(range->high, r.high)} : r;
  }
  choice.low = range ? range->low : 0;
  choice.high = range ? range->high : 1;
  if (choice.automatic()) choice.high = choice.low + std::max(1e-6, 1e-3 * std::abs(choice.low));
  return choice;
}

// What the numbers of a column that is_categorical mean.
std::vector<std::string> category_names(const std::string& by, const SceneSettings& settings) {
  if (by == "yield_case") return yield_case_names();
  if (by == "species") return species_names(settings);
  std::vector<std::string> names;
  for (const MaterialSettings& material : settings.materials) names.push_back(material.name);
  return names;
}

std::optional<Legend> make_legend(const ColorChoice& colors, const std::vector<PointTable>& samples,
                                  const SceneSettings& settings) {
  const ColorScale& choice = legend_scale(colors);
  if (choice.by == "color") return std::nullopt;
  Legend legend{title_with_unit(choice.by == "velocity" ? "speed" : choice.by),
                choice.low,
                choice.high,
                {},
                choice.map};
  if (!is_categorical(choice.by)) return legend;
  std::set<int> present;
  for (const PointTable& table : samples)
    for (const float value : table.as_float(choice.by)) present.insert(category_of(value));
  constexpr std::size_t kMostEntries = 12;
  const std::vector<std::string> names = category_names(choice.by, settings);
  for (const int value : present) {
    if (legend.entries.size() == kMostEntries) break;
    const bool named = value >= 0 && value < static_cast<int>(names.size());
    legend.entries.push_back(
        {named ? names[static_cast<std::size_t>(value)] : std::to_string(value),
         category_color(value)});
  }
  return legend;
}

}  // namespace

SceneSettings in_own_colors(SceneSettings settings) {
  settings.view.color_by = "color";
  for (MaterialLook& look : settings.view.look.materials) look.color_by.clear();
  for (ObjectSettings& object : settings.objects)
    if (object.look) object.look->color_by.clear();
  return settings;
}

Bounds bounds_of_samples(const std::vector<PointTable>& samples) {
  std::optional<Bounds> box;
  for (const PointTable& table : samples)
    if (table.count > 0) box = box ? united(*box, robust_bounds(table)) : robust_bounds(table);
  return box.value_or(Bounds{{{-0.5, -0.5, -0.5}}, {{0.5, 0.5, 0.5}}});
}

Result<Survey> survey_run(const std::vector<PointTable>& samples, const SceneSettings& settings,
                          const RenderRunOptions& options, const std::vector<Vec3d>& landmarks) {
  Survey survey;
  const bool empty = std::all_of(samples.begin(), samples.end(),
                                 [](const PointTable& table) { return table.count == 0; });
  Bounds box = empty && !landmarks.empty() ? box_around(landmarks) : bounds_of_samples(samples);
  for (const Vec3d& place : landmarks) box = united(box, {place, place});
  survey.scene = make_scene(settings, box);
  survey.colliders_move =
      std::any_of(settings.colliders.begin(), settings.colliders.end(),
                  [](const auto& c) { return c.motion || !c.deformation.empty(); });
  survey.radius = choose_radius(samples, settings);
  std::vector<Vec3d> places = places_to_frame(samples, survey.scene, survey.radius);
  places.insert(places.end(), landmarks.begin(), landmarks.end());
  const Result<Camera> camera = choose_camera(places, settings, options);
  if (!camera) return camera.errors();
  const Result<ColorChoice> colors = choose_colors(samples, settings, options);
  if (!colors) return colors.errors();
  survey.camera = *camera;
  survey.colors = *colors;
  if (options.legend && settings.view.legend)
    survey.legend = make_legend(*colors, samples, settings);
  return survey;
}

}  // namespace firn
