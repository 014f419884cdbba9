// Saving and loading the state of an MPM world. The image keeps particle order, block ranges, drift
// and the last report, so that a restart re-sorts nothing and takes the same steps.
#include <algorithm>
#include <cmath>
#include <type_traits>

#include "mpm/sort.h"
#include "sim/mpm_world.h"
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

bool is_of_poured(const std::string& field) {
  return field == "dilation" || field == "source";
}

// The block ranges of a set must be ascending and cover it.
bool valid_ranges(const Buffer<std::uint32_t>& begin, std::size_t particles) {
  return begin[0] == 0 && begin[begin.size() - 1] == particles &&
         std::is_sorted(begin.begin(), begin.end());
}

// Blocks without any are left out.
template <class T, int D>
void save_grip(const NodeGrip<T, D>& grip, StateImage& image) {
  std::vector<std::uint64_t> keys;
  std::vector<T> impulses;
  for (std::size_t b = 0; b < grip.keys.size(); ++b) {
    if (!grip.any_of(b)) continue;
    const T* first = grip.impulses.data() + b * grip.kNodes;
    keys.push_back(grip.keys[b]);
    impulses.insert(impulses.end(), first, first + grip.kNodes);
  }
  image.arrays["grip/blocks"] = std::move(keys);
  image.arrays["grip/impulses"] = std::move(impulses);
}
// Checkpoints of older versions have none.
template <class T, int D>
bool load_grip(const StateImage& image, const BlockTopology<D>& blocks, NodeGrip<T, D>& grip) {
  grip = {};
  const auto found = image.arrays.find("grip/blocks");
  if (found == image.arrays.end()) return true;
  const auto* keys = std::get_if<std::vector<std::uint64_t>>(&found->second);
  const auto impulses = image.arrays.find("grip/impulses");
  const auto* values =
      impulses == image.arrays.end() ? nullptr : std::get_if<std::vector<T>>(&impulses->second);
  if (!keys || !values || values->size() / grip.kNodes != keys->size() ||
      values->size() % grip.kNodes != 0)
    return false;
  for (const std::uint64_t key : *keys)
    if (blocks.find(key) < 0) return false;
  for (const T impulse : *values)
    if (!(impulse >= 0 && std::isfinite(impulse))) return false;
  grip.keys = *keys;
  grip.impulses.resize(values->size());
  std::copy(values->begin(), values->end(), grip.impulses.begin());
  return true;
}

}  // namespace

template <class T, int D>
StateImage MpmWorld<T, D>::save() const {
  StateImage image;
  const MpmState<T, D>& current = state();
  save_grip(current.grip, image);
  std::vector<std::uint64_t> keys(current.blocks.occupied());
  for (std::size_t b = 0; b < keys.size(); ++b) keys[b] = current.blocks.key(static_cast<int>(b));
  image.arrays["blocks"] = std::move(keys);
  image.arrays["objects"] = current.object_ends;
  for (std::size_t s = 0; s < current.sets.size(); ++s) {
    const auto& set = current.sets[s];
    image.arrays["set" + std::to_string(s) + "/begin"] = copied(set.begin);
    set.particles.for_each_field([&](const char* name, const auto& columns) {
      for (int c = 0; c < columns.components(); ++c)
        image.arrays[column_name(s, name, c)] = copied(columns.column(c));
    });
    image.reals[density_name(s)] = flow_.least_density(s);
    image.integers["set" + std::to_string(s) + "/count"] =
        static_cast<std::int64_t>(set.particles.size());
  }
  image.integers["dimension"] = D;
  image.integers["scalar_bytes"] = sizeof(T);
  image.integers["sets"] = static_cast<std::int64_t>(current.sets.size());
  image.integers["frame"] = frame_;
  image.integers["total_steps"] = total_steps_;
  image.integers["frame_steps"] = frame_steps_;
  image.integers["volume_age"] = current.volume_age;
  image.integers["plastic"] = static_cast<std::int64_t>(last_.plastic);
  std::vector<double> impulses;
  for (const ContactImpulse& impulse : frame_impulses_)
    for (const Vec3d& part : {impulse.linear, impulse.angular})
      impulses.insert(impulses.end(), part.e, part.e + 3);
  image.arrays["flow"] = flow_.save();
  image.arrays["collider_impulses"] = std::move(impulses);
  image.reals["time_in_frame"] = time_in_frame_;
  image.reals["drift"] = current.drift;
  image.reals["max_signal"] = last_.max_signal;
  image.reals["max_speed"] = last_.max_speed;
  image.reals["dt_min"] = dt_min_;
  image.reals["dt_max"] = dt_max_;
  image.reals["frame_wall"] = frame_wall_;
  return image;
}

template <class T, int D>
Errors MpmWorld<T, D>::load(const StateImage& image) {
  const Errors damaged{"the checkpoint does not fit the scene, or is damaged"};
  const auto integer = [&](const char* name) {
    const auto found = image.integers.find(name);
    return found == image.integers.end() ? std::int64_t(-1) : found->second;
  };
  const auto real = [&](const char* name) {
    const auto found = image.reals.find(name);
    return found == image.reals.end() ? 0.0 : found->second;
  };
  if (integer("dimension") != D || integer("sets") != static_cast<std::int64_t>(state_.sets.size()))
    return damaged;
  if (integer("scalar_bytes") != static_cast<std::int64_t>(sizeof(T)))
    return {"the checkpoint was written with another precision; resume with the same --precision"};
  const auto keys = image.arrays.find("blocks");
  if (keys == image.arrays.end() ||
      !std::holds_alternative<std::vector<std::uint64_t>>(keys->second))
    return damaged;
  const auto& blocks = std::get<std::vector<std::uint64_t>>(keys->second);
  if (!valid_blocks<D>(blocks, state_.blocks)) return damaged;
  bool complete = true;
  for (std::size_t s = 0; s < state_.sets.size(); ++s) {
    auto& set = state_.sets[s];
    const std::int64_t count = integer(("set" + std::to_string(s) + "/count").c_str());
    // Before room is made for them: they must be in the file.
    const auto first = image.arrays.find(column_name(s, "position", 0));
    if (count < 0 || count > std::int64_t(UINT32_MAX) || first == image.arrays.end() ||
        std::visit([](const auto& list) { return list.size(); }, first->second) !=
            static_cast<std::size_t>(count))
      return damaged;
    set.particles.resize(static_cast<std::size_t>(count));
    set.begin.resize(blocks.size() + 1);
    complete =
        complete &&
        fetch(image, "set" + std::to_string(s) + "/begin", blocks.size() + 1, set.begin.data()) &&
        valid_ranges(set.begin, set.particles.size());
    set.particles.for_each_field([&](const char* name, auto& columns) {
      for (int c = 0; c < columns.components(); ++c) {
        const std::string column = column_name(s, name, c);
        // A material that was not poured, or was by an older version, has no such columns.
        if (is_of_poured(name) && image.arrays.count(column) == 0)
          std::fill(columns[c], columns[c] + set.particles.size(), 0);
        else
          complete = complete && fetch(image, column, set.particles.size(), columns[c]);
      }
    });
    complete = complete && valid_particles<T, D>(set.particles);
  }
  if (!complete) return damaged;
  // Otherwise time would stand still, or run backwards.
  for (const char* name : {"drift", "time_in_frame", "max_signal", "max_speed"})
    if (!(real(name) >= 0 && std::isfinite(real(name)))) return damaged;
  if (real("drift") > BlockShape<D>::kMargin || real("time_in_frame") * scene_.fps > 1)
    return damaged;
  for (const char* name : {"frame", "total_steps", "frame_steps"})
    if (integer(name) < 0 || integer(name) > std::int64_t(1) << 53) return damaged;
  state_.blocks.build(blocks);
  if (!load_grip(image, state_.blocks, state_.grip)) return damaged;
  // Checkpoints of older versions do not have these.
  std::vector<double> densities = least_densities(state_);
  for (std::size_t s = 0; s < densities.size(); ++s)
    if (const double saved = real(density_name(s).c_str()); saved > 0) densities[s] = saved;
  flow_.set_least_densities(std::move(densities));
  if (const auto ends = image.arrays.find("objects"); ends != image.arrays.end())
    if (const auto* list = std::get_if<std::vector<std::uint64_t>>(&ends->second))
      state_.object_ends = *list;
  state_.drift = real("drift");
  state_.volume_age = static_cast<int>(std::clamp<std::int64_t>(integer("volume_age"), 0, 1 << 20));
  frame_ = integer("frame");
  total_steps_ = integer("total_steps");
  frame_steps_ = integer("frame_steps");
  last_.plastic = static_cast<std::size_t>(std::max<std::int64_t>(0, integer("plastic")));
  time_in_frame_ = real("time_in_frame");
  last_.max_signal = real("max_signal");
  last_.max_speed = real("max_speed");
  dt_min_ = real("dt_min");
  dt_max_ = real("dt_max");
  frame_wall_ = real("frame_wall");
  std::vector<double> impulses(frame_impulses_.size() * 6);
  if (!fetch(image, "collider_impulses", impulses.size(), impulses.data())) return damaged;
  for (std::size_t i = 0; i < frame_impulses_.size(); ++i)
    for (int a = 0; a < 3; ++a) {
      frame_impulses_[i].linear[a] = impulses[6 * i + a];
      frame_impulses_[i].angular[a] = impulses[6 * i + 3 + a];
    }
  const auto flow = image.arrays.find("flow");
  const auto* saved =
      flow == image.arrays.end() ? nullptr : std::get_if<std::vector<double>>(&flow->second);
  if (!saved || !flow_.load(*saved, time(), 1 / scene_.fps)) return damaged;
  int jumper = -1;
  solver_.place_bodies(state_, time(), 1e-12, 1, jumper);
  solver_.prepare(state_);
  return {};
}

#define FIRN_INSTANTIATE(T, D)                      \
  template StateImage MpmWorld<T, D>::save() const; \
  template Errors MpmWorld<T, D>::load(const StateImage&);
FIRN_INSTANTIATE(float, 2)
FIRN_INSTANTIATE(float, 3)
FIRN_INSTANTIATE(double, 2)
FIRN_INSTANTIATE(double, 3)

}  // namespace firn
