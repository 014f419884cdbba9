// Saving and loading the state of a world. The image keeps particle order, block ranges, drift
// and the last report, so that a restart re-sorts nothing and takes the same steps.
#include <algorithm>
#include <cmath>
#include <optional>
#include <type_traits>

#include "sim/initial_state.h"
#include "sim/scene_world.h"
#include "sim/statistics.h"

namespace firn {
namespace {

std::string column_name(std::size_t set, const char* field, int component) {
  return "set" + std::to_string(set) + "/" + field + std::to_string(component);
}

template <class E>
std::vector<E> copied(const Buffer<E>& buffer) {
  return std::vector<E>(buffer.begin(), buffer.end());
}

// Copies a named array into a buffer of the same length and type.
template <class E>
bool fetch(const StateImage& image, const std::string& name, std::size_t count, E* out) {
  const auto found = image.arrays.find(name);
  if (found == image.arrays.end()) return false;
  const auto* values = std::get_if<std::vector<E>>(&found->second);
  if (!values || values->size() != count) return false;
  std::copy(values->begin(), values->end(), out);
  return true;
}

constexpr const char* kImpulses = "collider_impulses";
constexpr const char* kSolves = "solves";
constexpr const char* kEffort = "effort";
constexpr const char* kGrains = "grains";

// Numbers of a frame that was not done yet; false where there are none that may be.
bool frame_numbers(const StateImage& image, const char* name, std::size_t count,
                   std::vector<double>& to) {
  const auto* values = std::get_if<std::vector<double>>(&image.arrays.find(name)->second);
  if (!values || values->size() != count) return false;
  for (const double value : *values)
    if (!(value >= 0 && value < 1e15)) return false;
  to = *values;
  return true;
}
constexpr std::size_t kImpulseParts = 6;  // of a collider: linear, angular

std::string density_name(std::size_t set) {
  return "set" + std::to_string(set) + "/least_density";
}

// Blocks in ascending order, each once, where the grid can have them.
template <int D>
bool valid_blocks(const std::vector<std::uint64_t>& keys, const BlockTopology<D>& grid) {
  constexpr std::int32_t kFarthest = D == 3 ? 1 << 19 : 1 << 29;  // as sort_particles
  for (std::size_t i = 0; i < keys.size(); ++i) {
    if (i > 0 && keys[i] <= keys[i - 1]) return false;
    const BlockCoord<D> coord = morton_coord<D>(keys[i]);
    if (morton_key<D>(coord) != keys[i] || !(grid.wrapped(coord) == coord)) return false;
    for (int a = 0; a < D; ++a)
      if (coord[a] < -kFarthest || coord[a] > kFarthest) return false;
  }
  return true;
}

// Finite numbers, in or near their blocks, with mass and volume.
template <class T, int D>
bool valid_particles(const ParticleSet<T, D>& set) {
  constexpr T kLow = T(-BlockShape<D>::kMargin), kHigh = T(BlockShape<D>::kEdge) - kLow;
  bool valid = true;
  set.for_each_field([&](const char*, const auto& columns) {
    using Value = std::decay_t<decltype(columns.column(0)[0])>;
    if constexpr (std::is_floating_point_v<Value>)
      for (int c = 0; c < columns.components(); ++c)
        for (const Value value : columns.column(c)) valid = valid && std::isfinite(value);
  });
  for (std::size_t p = 0; p < set.size() && valid; ++p) {
    valid = set.mass[0][p] > 0 && set.volume[0][p] > 0;
    for (int a = 0; a < D; ++a)
      valid = valid && set.position[a][p] >= kLow && set.position[a][p] <= kHigh;
  }
  return valid;
}

std::int64_t integer_of(const StateImage& image, const std::string& name) {
  const auto found = image.integers.find(name);
  return found == image.integers.end() ? std::int64_t(-1) : found->second;
}
double real_of(const StateImage& image, const std::string& name) {
  const auto found = image.reals.find(name);
  return found == image.reals.end() ? 0.0 : found->second;
}

// What the particles of an image lack that was not poured, or had no such expressions: the column
// is then filled with this.
template <class T, int D>
std::optional<T> value_of_missing(const MaterialSet<T, D>& set, const std::string& field,
                                  int component) {
  if (field == column::varied.text()) return T(set.varied[component].plain);
  if (field == "dilation" || field == "source" || field == "shift_pressure" ||
      field == column::phi.text())
    return T(0);
  // Nodes of meshes: the solver fills what they show (sim/fem_maker.cpp).
  const bool is_node = set.particles[column::gradient].components() > 0 &&
                       set.particles[column::stiffness].components() == 0;
  if (is_node && (field == column::gradient.text() || field == column::stress.text())) return T(0);
  return {};
}

// A fluid keeps its pressure alone until it is made viscous.
template <class T, int D>
bool kept_pressure_alone(const StateImage& image, const MaterialSet<T, D>& set,
                         const std::string& field, int component, const std::string& column) {
  return std::holds_alternative<Fluid::Parameters>(set.parameters) &&
         field == column::stress.text() && component > 0 && image.arrays.count(column) == 0;
}

// What the density of each object is to be multiplied by; none where they all stay.
std::vector<double> density_factors(const SceneSettings& before, const SceneSettings& after) {
  std::vector<double> factors;
  if (before.objects.size() != after.objects.size()) return factors;
  bool any = false;
  for (std::size_t i = 0; i < before.objects.size(); ++i) {
    const double from = before.objects[i].density, to = after.objects[i].density;
    factors.push_back(from > 0 && to > 0 ? to / from : 1);
    any = any || factors.back() != 1;
  }
  return any ? factors : std::vector<double>();
}

// The block ranges of a set must be ascending and cover it.
bool valid_ranges(const Buffer<std::uint32_t>& begin, std::size_t particles) {
  return begin[0] == 0 && begin[begin.size() - 1] == particles &&
         std::is_sorted(begin.begin(), begin.end());
}

// Columns of one set, with room made for them only where they are in the image.
template <class T, int D>
bool load_set(const StateImage& image, std::size_t s, std::size_t blocks, MaterialSet<T, D>& set) {
  const std::int64_t count = integer_of(image, "set" + std::to_string(s) + "/count");
  const auto first = image.arrays.find(column_name(s, "position", 0));
  if (count < 0 || count > std::int64_t(UINT32_MAX) || first == image.arrays.end() ||
      std::visit([](const auto& list) { return list.size(); }, first->second) !=
          static_cast<std::size_t>(count))
    return false;
  set.particles.resize(static_cast<std::size_t>(count));
  set.begin.resize(blocks + 1);
  bool complete =
      fetch(image, "set" + std::to_string(s) + "/begin", blocks + 1, set.begin.data()) &&
      valid_ranges(set.begin, set.particles.size());
  set.particles.for_each_field([&](const char* name, auto& columns) {
    for (int c = 0; c < columns.components(); ++c) {
      const std::string column = column_name(s, name, c);
      const auto missing = value_of_missing(set, name, c);
      if (kept_pressure_alone(image, set, name, c, column))
        for (std::size_t p = 0; p < set.particles.size(); ++p)
          columns[c][p] = c < D ? columns[0][p] : 0;
      else if (missing && image.arrays.count(column) == 0)
        std::fill(columns[c], columns[c] + set.particles.size(), *missing);
      else
        complete = complete && fetch(image, column, set.particles.size(), columns[c]);
    }
  });
  return complete && valid_particles<T, D>(set.particles);
}

// Particles tell by their ids which object they were made for. The least densities, which bound
// steps, are found anew by whoever loads the image.
template <class T>
void scale_masses(const std::vector<double>& factors, StateImage& image) {
  const auto& ends = std::get<std::vector<std::uint64_t>>(image.arrays.at("objects"));
  if (factors.empty() || ends.size() != factors.size()) return;
  for (std::size_t s = 0; image.integers.count("set" + std::to_string(s) + "/count") > 0; ++s) {
    const auto& ids =
        std::get<std::vector<std::uint64_t>>(image.arrays.at(column_name(s, "id", 0)));
    auto& masses = std::get<std::vector<T>>(image.arrays.at(column_name(s, "mass", 0)));
    for (std::size_t p = 0; p < ids.size(); ++p) {
      const auto object = std::upper_bound(ends.begin(), ends.end(), ids[p]) - ends.begin();
      if (object < std::ssize(factors)) masses[p] *= T(factors[object]);
    }
    image.reals.erase(density_name(s));
  }
}

}  // namespace

template <class T, int D>
StateImage SceneWorld<T, D>::save_for(const SceneSettings& changed) const {
  StateImage image = save();
  auto& impulses = std::get<std::vector<double>>(image.arrays[kImpulses]);
  const std::size_t expected = kImpulseParts * changed.colliders.size();
  if (impulses.size() != expected) impulses.assign(expected, 0.0);
  scale_masses<T>(density_factors(scene_, changed), image);
  if (!same_grains(scene_, changed)) drop_grains(image);
  return image;
}

template <class T, int D>
StateImage SceneWorld<T, D>::save() const {
  StateImage image;
  const Particles<T, D>& all = solver_->particles();
  std::vector<std::uint64_t> keys(all.blocks.occupied());
  for (std::size_t b = 0; b < keys.size(); ++b) keys[b] = all.blocks.key(static_cast<int>(b));
  image.arrays["blocks"] = std::move(keys);
  image.arrays["objects"] = all.object_ends;
  for (std::size_t s = 0; s < all.sets.size(); ++s) {
    const auto& set = all.sets[s];
    image.arrays["set" + std::to_string(s) + "/begin"] = copied(set.begin);
    set.particles.for_each_field([&](const char* name, const auto& columns) {
      for (int c = 0; c < columns.components(); ++c)
        image.arrays[column_name(s, name, c)] = copied(columns.column(c));
    });
    image.reals[density_name(s)] = sources_.least_densities()[s];
    image.integers["set" + std::to_string(s) + "/count"] =
        static_cast<std::int64_t>(set.particles.size());
  }
  image.integers["dimension"] = D;
  image.integers["scalar_bytes"] = sizeof(T);
  image.integers["sets"] = static_cast<std::int64_t>(all.sets.size());
  image.integers["frame"] = frame_;
  image.integers["total_steps"] = total_steps_;
  image.integers["frame_steps"] = frame_steps_;
  image.integers["plastic"] = static_cast<std::int64_t>(last_.plastic);
  std::vector<double> impulses;
  for (const ContactImpulse& impulse : frame_impulses_)
    for (const Vec3d& part : {impulse.linear, impulse.angular})
      impulses.insert(impulses.end(), part.e, part.e + 3);
  image.arrays["flow"] = sources_.save();
  image.arrays[kImpulses] = std::move(impulses);
  if (!scene_.integrator.is_explicit()) {
    image.arrays[kEffort] = effort_.save();
    image.arrays[kSolves] = std::vector<double>{
        double(frame_solves_.newton_iterations), double(frame_solves_.krylov_iterations),
        double(frame_solves_.line_search_steps), double(frame_solves_.halved_steps),
        double(frame_solves_.missed_steps),      frame_solves_.residual};
  }
  if (scene_.solver == SolverKind::sph)
    image.arrays[kGrains] = std::vector<double>{
        double(frame_grains_.iterations),   double(frame_grains_.shift_iterations),
        double(frame_grains_.missed_steps), frame_grains_.mean_density_error,
        frame_grains_.max_density_error,    frame_grains_.strain_rate_error};
  image.reals["time_in_frame"] = time_in_frame_;
  image.reals["drift"] = all.drift;
  image.reals["max_signal"] = last_.max_signal;
  image.reals["max_speed"] = last_.max_speed;
  image.reals["dt_min"] = dt_min_;
  image.reals["dt_max"] = dt_max_;
  image.reals["frame_wall"] = frame_wall_;
  if (grains_) grains_->save(image);
  solver_->save(image);
  return image;
}

template <class T, int D>
Errors SceneWorld<T, D>::load_particles(const StateImage& image, Particles<T, D>& all) const {
  const Errors damaged{kDamagedImage};
  if (integer_of(image, "dimension") != D ||
      integer_of(image, "sets") != static_cast<std::int64_t>(all.sets.size()))
    return damaged;
  if (integer_of(image, "scalar_bytes") != static_cast<std::int64_t>(sizeof(T)))
    return {"the checkpoint was written with another precision; resume with the same --precision"};
  const auto keys = image.arrays.find("blocks");
  if (keys == image.arrays.end() ||
      !std::holds_alternative<std::vector<std::uint64_t>>(keys->second))
    return damaged;
  const auto& blocks = std::get<std::vector<std::uint64_t>>(keys->second);
  if (!valid_blocks<D>(blocks, all.blocks)) return damaged;
  for (std::size_t s = 0; s < all.sets.size(); ++s)
    if (!load_set(image, s, blocks.size(), all.sets[s])) return damaged;
  all.drift = real_of(image, "drift");
  if (!(all.drift >= 0 && all.drift <= BlockShape<D>::kMargin)) return damaged;
  all.blocks.build(blocks);
  if (const auto ends = image.arrays.find("objects"); ends != image.arrays.end())
    if (const auto* list = std::get_if<std::vector<std::uint64_t>>(&ends->second))
      all.object_ends = *list;
  return {};
}

// Where the run is in time.
template <class T, int D>
bool SceneWorld<T, D>::load_clock(const StateImage& image) {
  // Otherwise time would stand still, or run backwards.
  for (const char* name : {"time_in_frame", "max_signal", "max_speed"})
    if (!(real_of(image, name) >= 0 && std::isfinite(real_of(image, name)))) return false;
  if (real_of(image, "time_in_frame") * scene_.fps > 1) return false;
  for (const char* name : {"frame", "total_steps", "frame_steps"})
    if (integer_of(image, name) < 0 || integer_of(image, name) > std::int64_t(1) << 53)
      return false;
  frame_ = integer_of(image, "frame");
  total_steps_ = integer_of(image, "total_steps");
  frame_steps_ = integer_of(image, "frame_steps");
  last_.plastic = static_cast<std::size_t>(std::max<std::int64_t>(0, integer_of(image, "plastic")));
  time_in_frame_ = real_of(image, "time_in_frame");
  last_.max_signal = real_of(image, "max_signal");
  last_.max_speed = real_of(image, "max_speed");
  dt_min_ = real_of(image, "dt_min");
  dt_max_ = real_of(image, "dt_max");
  frame_wall_ = real_of(image, "frame_wall");
  // A run of explicit steps has neither.
  if (const auto effort = image.arrays.find(kEffort); effort != image.arrays.end()) {
    const auto* saved = std::get_if<std::vector<double>>(&effort->second);
    if (!saved || !effort_.load(*saved)) return false;
  }
  std::vector<double> values;
  const auto count = [&](int i) { return static_cast<std::int64_t>(values[i]); };
  if (image.arrays.count(kSolves) > 0) {
    if (!frame_numbers(image, kSolves, 6, values)) return false;
    frame_solves_ = {count(0), count(1), count(2), count(3), count(4), values[5]};
  }
  if (image.arrays.count(kGrains) > 0) {
    if (!frame_numbers(image, kGrains, 6, values)) return false;
    frame_grains_ = {count(0), count(1), count(2), values[3], values[4], values[5]};
  }
  return true;
}

template <class T, int D>
bool SceneWorld<T, D>::load_impulses(const StateImage& image) {
  std::vector<double> impulses(frame_impulses_.size() * kImpulseParts);
  if (!fetch(image, kImpulses, impulses.size(), impulses.data())) return false;
  for (std::size_t i = 0; i < frame_impulses_.size(); ++i)
    for (int a = 0; a < 3; ++a) {
      frame_impulses_[i].linear[a] = impulses[kImpulseParts * i + a];
      frame_impulses_[i].angular[a] = impulses[kImpulseParts * i + 3 + a];
    }
  return true;
}

// A state without any is of a scene that had none yet.
template <class T, int D>
Errors SceneWorld<T, D>::load_grains(const StateImage& image, const Particles<T, D>& all) {
  if (!grains_) return {};
  if (!has_grains(image)) return grains_->start(all, time());
  return grains_->load(image, all.blocks.periods());
}

template <class T, int D>
Errors SceneWorld<T, D>::load(const StateImage& image, Device device) {
  Particles<T, D> all = empty_particles<T, D>(scene_, plan_);
  Errors errors = load_particles(image, all);
  if (scene_.grains) grains_ = std::make_unique<FineGrains<T, D>>(scene_, device);
  if (!errors.empty()) return errors;
  // Checkpoints of older versions do not have these.
  std::vector<double> densities = least_densities(all);
  for (std::size_t s = 0; s < densities.size(); ++s)
    if (const double saved = real_of(image, density_name(s)); saved > 0) densities[s] = saved;
  sources_.set_least_densities(std::move(densities));
  const auto flow = image.arrays.find("flow");
  const auto* saved =
      flow == image.arrays.end() ? nullptr : std::get_if<std::vector<double>>(&flow->second);
  if (!load_clock(image) || !load_impulses(image) || !saved ||
      !sources_.load(*saved, time(), 1 / scene_.fps))
    return {kDamagedImage};
  if (errors = load_grains(image, all); !errors.empty()) return errors;
  auto made = maker_.make(scene_, surroundings(), std::move(all), device);
  if (!made) return made.errors();
  solver_ = std::move(*made);
  obstacles_.place(obstacles_.any_moves() ? particle_bounds() : Bounds{}, time(), 1e-12, 1);
  return solver_->resume(image);
}

#define FIRN_INSTANTIATE(T, D)                                                \
  template StateImage SceneWorld<T, D>::save() const;                         \
  template StateImage SceneWorld<T, D>::save_for(const SceneSettings&) const; \
  template Errors SceneWorld<T, D>::load(const StateImage&, Device);
FIRN_INSTANTIATE(float, 2)
FIRN_INSTANTIATE(float, 3)
FIRN_INSTANTIATE(double, 2)
FIRN_INSTANTIATE(double, 3)

}  // namespace firn
