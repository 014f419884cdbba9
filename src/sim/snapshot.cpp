#include "sim/snapshot.h"

#include "exec/parallel.h"
#include "sim/particle_values.h"
#include "sim/ranks.h"

namespace firn {
namespace {

const char* const kAxes[3] = {"x", "y", "z"};
constexpr std::size_t kMostObjects = 256;  // whose ids the frames tell; no line gets too long

template <class T, int D>
std::vector<IdList> ids_of(const Particles<T, D>& all) {
  std::vector<IdList> lists;
  for (const auto& set : all.sets) lists.push_back({set.particles.id[0], set.particles.size()});
  return lists;
}

// Builds columns by evaluating f(set index, particle) for every particle.
template <class T, int D>
class TableWriter {
 public:
  TableWriter(const Particles<T, D>& all, PointTable& table)
      : all_(all), table_(table), ranks_(ranks_by_id(ids_of(all))) {
    for (const auto& ranks : ranks_) table_.count += ranks.size();
  }
  template <class Value, class F>
  void column(const std::string& name, F&& f) {
    std::vector<Value>& values = table_.add<Value>(name);
    for (std::size_t s = 0; s < all_.sets.size(); ++s)
      parallel_for("snapshot", static_cast<std::int64_t>(ranks_[s].size()), 8192,
                   [&](std::int64_t begin, std::int64_t end) {
                     for (std::int64_t p = begin; p < end; ++p)
                       values[ranks_[s][p]] = static_cast<Value>(f(s, static_cast<std::size_t>(p)));
                   });
  }
  const Particles<T, D>& all() const { return all_; }
  // Where the particles of a set go.
  const std::vector<std::uint32_t>& ranks(std::size_t set) const { return ranks_[set]; }

 private:
  const Particles<T, D>& all_;
  PointTable& table_;
  std::vector<std::vector<std::uint32_t>> ranks_;
};

// All three at once: a particle's place is found from its block.
template <class T, int D>
void write_positions(TableWriter<T, D>& out, PointTable& table) {
  const auto& all = out.all();
  table.columns.reserve(3);
  float* values[3];
  for (int a = 0; a < 3; ++a) values[a] = table.add<float>(kAxes[a]).data();
  for (std::size_t s = 0; s < all.sets.size(); ++s) {
    const auto& set = all.sets[s];
    const std::vector<std::uint32_t>& ranks = out.ranks(s);
    parallel_for("snapshot", all.blocks.occupied(), 16, [&](std::int64_t begin, std::int64_t end) {
      for (int b = static_cast<int>(begin); b < static_cast<int>(end); ++b)
        for (std::uint32_t p = set.begin[b]; p < set.begin[b + 1]; ++p) {
          const Vec3d x = world_position(all, set.particles, b, p);
          for (int a = 0; a < D; ++a) values[a][ranks[p]] = static_cast<float>(x[a]);
        }
    });
  }
}

template <class T, int D>
void write_gradient(TableWriter<T, D>& out) {
  for (int i = 0; i < D; ++i)
    for (int j = 0; j < D; ++j)
      out.template column<float>(
          std::string("F_") + kAxes[i] + kAxes[j], [&](std::size_t s, std::size_t p) {
            const auto& gradient = out.all().sets[s].particles[column::gradient];
            return gradient.components() > 0 ? double(gradient[i * D + j][p]) : double(i == j);
          });
}

template <class T, int D>
void write_stress(TableWriter<T, D>& out) {
  for (int i = 0; i < D; ++i)
    for (int j = i; j < D; ++j)
      out.template column<float>(
          std::string("stress_") + kAxes[i] + kAxes[j],
          [&](std::size_t s, std::size_t p) { return stress_of(out.all().sets[s], p, i, j); });
}

template <class T, int D>
void write_principal_stress(TableWriter<T, D>& out, const std::string& name) {
  if (name == "stress_mid" && D == 2) return;
  const int place = name == "stress_max" ? 0 : name == "stress_mid" ? 1 : D - 1;
  out.template column<float>(name, [&](std::size_t s, std::size_t p) {
    return principal_stress_of(out.all().sets[s], p)[place];
  });
}

template <class T, int D>
void write_yield_case(TableWriter<T, D>& out) {
  std::vector<std::function<double(std::size_t)>> read;
  for (const auto& set : out.all().sets) read.push_back(yield_case_reader(set));
  out.template column<std::int32_t>(
      "yield_case", [&](std::size_t s, std::size_t p) { return read[s] ? read[s](p) : 0.0; });
}

// A scalar of the scene, or of the models that have it; 0 for particles of the others.
template <class T, int D>
void write_scalar(TableWriter<T, D>& out, const std::string& name) {
  const auto& all = out.all();
  for (std::size_t k = 0; k < all.user_fields.size(); ++k)
    if (name == all.user_fields[k])
      return out.template column<float>(name, [&](std::size_t s, std::size_t p) {
        return all.sets[s].particles[column::user][static_cast<int>(k)][p];
      });
  std::vector<int> component(all.sets.size(), -1);
  bool found = false;
  for (std::size_t s = 0; s < all.sets.size(); ++s) {
    const auto fields = model_scalar_fields(static_cast<int>(all.sets[s].parameters.index()));
    for (std::size_t k = 0; k < fields.size(); ++k)
      if (name == fields[k].name) {
        component[s] = static_cast<int>(k);
        found = true;
      }
  }
  if (!found) return;
  out.template column<float>(name, [&](std::size_t s, std::size_t p) {
    return component[s] < 0 ? T(0) : all.sets[s].particles[column::scalar][component[s]][p];
  });
}

template <class T, int D>
void write_field(TableWriter<T, D>& out, const std::string& name) {
  const auto& sets = out.all().sets;
  if (name == "velocity") {
    for (int a = 0; a < 3; ++a)
      out.template column<float>(std::string("v") + kAxes[a], [&](std::size_t s, std::size_t p) {
        return a < D ? sets[s].particles.velocity[a < D ? a : 0][p] : T(0);
      });
  } else if (name == "id") {
    out.template column<std::uint32_t>(
        "id", [&](std::size_t s, std::size_t p) { return sets[s].particles.id[0][p]; });
  } else if (name == "material") {
    out.template column<std::int32_t>("material",
                                      [&](std::size_t s, std::size_t) { return sets[s].material; });
  } else if (name == "species") {
    out.template column<std::int32_t>("species",
                                      [&](std::size_t s, std::size_t) { return sets[s].species; });
  } else if (name == "phi") {
    out.template column<float>(
        "phi", [&](std::size_t s, std::size_t p) { return fluid_fraction_of(sets[s], p); });
  } else if (name == "color") {
    const char* const channels[3] = {"red", "green", "blue"};
    for (int c = 0; c < 3; ++c)
      out.template column<std::uint8_t>(channels[c], [&](std::size_t s, std::size_t p) {
        return sets[s].particles.color[0][p] >> (16 - 8 * c) & 255;
      });
  } else if (name == "mass") {
    out.template column<float>(
        "mass", [&](std::size_t s, std::size_t p) { return sets[s].particles.mass[0][p]; });
  } else if (name == "volume") {
    out.template column<float>("volume",
                               [&](std::size_t s, std::size_t p) { return volume_of(sets[s], p); });
  } else if (name == "density") {
    out.template column<float>(
        "density", [&](std::size_t s, std::size_t p) { return density_of(sets[s], p); });
  } else if (name == "pressure") {
    out.template column<float>(
        "pressure", [&](std::size_t s, std::size_t p) { return pressure_of(sets[s], p); });
  } else if (name == "det_F") {
    out.template column<float>("det_F",
                               [&](std::size_t s, std::size_t p) { return det_of(sets[s], p); });
  } else if (name == "F") {
    write_gradient(out);
  } else if (name == "stress") {
    write_stress(out);
  } else if (name.starts_with("stress_m")) {
    write_principal_stress(out, name);
  } else if (name == "yield_case") {
    write_yield_case(out);
  } else {
    write_scalar(out, name);
  }
}

}  // namespace

template <class T, int D>
PointTable make_snapshot(const Particles<T, D>& all, const std::vector<std::string>& fields) {
  PointTable table;
  TableWriter<T, D> out(all, table);
  write_positions(out, table);
  for (const std::string& field : fields) write_field(out, field);
  if (!all.object_ends.empty() && all.object_ends.size() <= kMostObjects) {
    std::string& ends = table.metadata["objects"];
    for (const std::uint64_t end : all.object_ends)
      ends += (ends.empty() ? "" : ",") + std::to_string(end);
  }
  return table;
}

#define FIRN_INSTANTIATE(T, D) \
  template PointTable make_snapshot<T, D>(const Particles<T, D>&, const std::vector<std::string>&);
FIRN_INSTANTIATE(float, 2)
FIRN_INSTANTIATE(float, 3)
FIRN_INSTANTIATE(double, 2)
FIRN_INSTANTIATE(double, 3)

}  // namespace firn
