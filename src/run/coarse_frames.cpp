#include "run/coarse_frames.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <sstream>

#include "particles/nearest_image.h"
#include "scene/check_grains.h"
#include "scene/defaults.h"
#include "scene/particle_sets.h"

namespace firn {
namespace {

// Edge of the cube of each particle and its mass: as the frame says, or as its object or emitter
// asks for.
class Sizes {
 public:
  struct Size {
    double spacing = 0, density = 0;  // m, kg/m^D
  };

  // Of the scene of a run, which leaves no density open.
  Sizes(const PointTable& table, const SceneSettings& scene)
      : volumes_(table.as_double("volume")),
        masses_(table.as_double("mass")),
        dimension_(static_cast<double>(scene.dimension)) {
    for (const ObjectSettings& object : scene.objects)
      of_object_.push_back({particle_spacing(scene, object), object.density});
    for (const EmitterSettings& emitter : scene.emitters)
      take_wider({particle_spacing(scene, emitter.sampling), emitter.density});
    if (of_rest_.spacing == 0)
      for (const Size& size : of_object_) take_wider(size);
    if (const auto ends = table.metadata.find("objects"); ends != table.metadata.end()) {
      std::istringstream text(ends->second);
      for (std::string end; std::getline(text, end, ',');)
        ends_.push_back(std::strtoull(end.c_str(), nullptr, 10));
    }
  }
  double spacing(std::size_t row, std::uint64_t id) const {
    if (!volumes_.empty() && volumes_[row] > 0) return std::pow(volumes_[row], 1 / dimension_);
    return asked(id).spacing;
  }
  double mass(std::size_t row, std::uint64_t id) const {
    if (!masses_.empty() && masses_[row] > 0) return masses_[row];
    return asked(id).density * std::pow(spacing(row, id), dimension_);
  }

 private:
  const Size& asked(std::uint64_t id) const {
    const auto object =
        static_cast<std::size_t>(std::upper_bound(ends_.begin(), ends_.end(), id) - ends_.begin());
    if (ends_.empty() && of_object_.size() == 1) return of_object_[0];
    return object < of_object_.size() && object < ends_.size() ? of_object_[object] : of_rest_;
  }
  void take_wider(const Size& size) {
    if (size.spacing > of_rest_.spacing) of_rest_ = size;
  }

  std::vector<double> volumes_, masses_;
  std::vector<Size> of_object_;
  std::vector<std::uint64_t> ends_;
  Size of_rest_;
  double dimension_;
};

std::string lacking(const PointTable& table, const SceneSettings& scene) {
  for (const char* column : {"x", "y", "z"})
    if (!table.has(column)) return std::string("no column ") + column;
  if (!table.has("vx") || !table.has("vy") || !table.has("vz"))
    return "no velocities; run the scene with \"velocity\" in /output/fields";
  if (!table.has("id")) return "no ids; run the scene with \"id\" in /output/fields";
  if (species_names(scene).size() > 1 && !table.has("species"))
    return "does not say the species of particles; run the scene with \"species\" in "
           "/output/fields";
  return "";
}

std::vector<std::uint32_t> paints(const PointTable& table) {
  std::vector<std::uint32_t> paint(table.count, 0xccccccu);
  if (table.has("red") && table.has("green") && table.has("blue")) {
    const auto red = table.as<std::uint32_t>("red"), green = table.as<std::uint32_t>("green"),
               blue = table.as<std::uint32_t>("blue");
    for (std::size_t i = 0; i < paint.size(); ++i)
      paint[i] = (red[i] & 255) << 16 | (green[i] & 255) << 8 | (blue[i] & 255);
  }
  const auto material = table.as<std::uint32_t>("material");
  for (std::size_t i = 0; i < material.size(); ++i) paint[i] |= std::min(material[i], 255u) << 24;
  return paint;
}

}  // namespace

template <int D>
Result<CoarseState<D>> coarse_state_of(const PointTable& table, const SceneSettings& scene,
                                       double time, const std::string& name) {
  using State = Result<CoarseState<D>>;
  if (const std::string problem = lacking(table, scene); !problem.empty())
    return State::failure(name + ": " + problem);
  const std::vector<double> x[3] = {table.as_double("x"), table.as_double("y"),
                                    table.as_double("z")};
  const std::vector<float> v[3] = {table.as_float("vx"), table.as_float("vy"),
                                   table.as_float("vz")};
  const auto id = table.as<std::uint64_t>("id");
  const auto species = table.as<int>("species");
  const std::vector<std::uint32_t> paint = paints(table);
  const Sizes sizes(table, scene);
  std::vector<std::uint32_t> rows(table.count);
  std::iota(rows.begin(), rows.end(), 0);
  if (!species.empty())
    std::erase_if(rows, [&](std::uint32_t i) { return species[i] != grain_species(scene); });
  std::sort(rows.begin(), rows.end(),
            [&](std::uint32_t a, std::uint32_t b) { return id[a] < id[b]; });
  CoarseState<D> state;
  state.time = time;
  for (const std::uint32_t i : rows) {
    if (!state.id.empty() && state.id.back() == id[i])
      return State::failure(name + ": the id " + std::to_string(id[i]) + " occurs twice");
    Vec<double, D> place;
    Vec<float, D> velocity;
    for (int a = 0; a < D; ++a) {
      place[a] = x[a][i];
      velocity[a] = v[a][i];
      if (!std::isfinite(place[a]) || !std::isfinite(velocity[a]))
        return State::failure(name + ": holds numbers that are not finite");
    }
    state.id.push_back(id[i]);
    state.position.push_back(place);
    state.velocity.push_back(velocity);
    state.spacing.push_back(static_cast<float>(sizes.spacing(i, id[i])));
    state.mass.push_back(static_cast<float>(sizes.mass(i, id[i])));
    state.paint.push_back(paint[i]);
  }
  return state;
}

template <int D>
CoarseState<D> between(const CoarseState<D>& from, const CoarseState<D>& to, double share,
                       const typename BlockTopology<D>::Periods& periods, double cell) {
  if (share >= 1) return to;
  CoarseState<D> state = from;
  const double dt = to.time - from.time, t = share;
  state.time = from.time + t * dt;
  std::size_t j = 0;
  for (std::size_t i = 0; i < from.size(); ++i) {
    while (j < to.size() && to.id[j] < from.id[i]) ++j;
    const bool stays = j < to.size() && to.id[j] == from.id[i];
    Vec3d way{{0, 0, 0}};
    if (stays)
      for (int a = 0; a < D; ++a) way[a] = to.position[j][a] - from.position[i][a];
    way = nearest_image<D>(periods.data(), cell, way);
    for (int a = 0; a < D; ++a) {
      const double v0 = dt * double(from.velocity[i][a]);
      const double v1 = stays ? dt * double(to.velocity[j][a]) : v0;
      const double all = stays ? way[a] : v0;
      state.position[i][a] += t * t * (3 - 2 * t) * all + t * (1 - t) * ((1 - t) * v0 - t * v1);
      state.velocity[i][a] = static_cast<float>(
          (6 * t * (1 - t) * all + (1 - t) * (1 - 3 * t) * v0 + t * (3 * t - 2) * v1) / dt);
    }
  }
  return state;
}

#define FIRN_INSTANTIATE(D)                                                                   \
  template Result<CoarseState<D>> coarse_state_of<D>(const PointTable&, const SceneSettings&, \
                                                     double, const std::string&);             \
  template CoarseState<D> between(const CoarseState<D>&, const CoarseState<D>&, double,       \
                                  const BlockTopology<D>::Periods&, double);
FIRN_INSTANTIATE(2)
FIRN_INSTANTIATE(3)

}  // namespace firn
