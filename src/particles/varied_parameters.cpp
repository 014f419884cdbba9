#include "particles/varied_parameters.h"

#include <algorithm>
#include <cmath>

#include "exec/parallel.h"
#include "expr/program_batch.h"
#include "particles/particles.h"

namespace firn {
namespace {

using Variables = VariedVariables;

bool names_place(const VariedParameter& parameter) {
  return depends_on(parameter.program, Variables::kPlace) ||
         depends_on(parameter.program, Variables::kPlace + 1) ||
         depends_on(parameter.program, Variables::kPlace + 2);
}

// The variables of up to kBatch particles.
struct VariableBatch {
  double value[kMostVariables][kBatch];
  const double* at[kMostVariables];

  explicit VariableBatch(double time) {
    for (int v = 0; v < kMostVariables; ++v) at[v] = value[v];
    std::fill(value[Variables::kTime], value[Variables::kTime] + kBatch, time);
  }
};

template <class T>
void load_column(const Columns<T>& columns, int component, std::size_t first, int count,
                 double* to) {
  if (component >= columns.components()) return void(std::fill(to, to + count, 0.0));
  const T* from = columns[component] + first;
  std::copy(from, from + count, to);
}

// Keeps values to the range of the parameter.
template <class T>
VariedFinding store_values(const VariedParameter& parameter, int number, const double* value,
                           int count, const std::uint64_t* id, T* to) {
  VariedFinding finding;
  for (int i = 0; i < count; ++i) {
    const bool allowed = value[i] >= parameter.low && value[i] <= parameter.high;
    to[i] = T(allowed ? value[i] : std::clamp(value[i], parameter.low, parameter.high));
    if (!allowed) finding.add({-1, number, id[i], value[i], std::isfinite(value[i])});
  }
  return finding;
}

// place(p) in metres.
template <class T, int D, class Place>
VariedFinding vary_range(MaterialSet<T, D>& set, std::size_t begin, std::size_t end, double time,
                         bool places, const Place& place) {
  auto& particles = set.particles;
  auto& varied = particles[column::varied];
  const auto &user = particles[column::user], &phi = particles[column::phi];
  VariableBatch batch(time);
  VariedFinding finding;
  double value[kBatch];
  for (std::size_t first = begin; first < end; first += kBatch) {
    const int count = static_cast<int>(std::min<std::size_t>(kBatch, end - first));
    load_column(phi, 0, first, count, batch.value[Variables::kPhi]);
    for (int k = 0; k < user.components(); ++k)
      load_column(user, k, first, count, batch.value[Variables::kScalars + k]);
    for (int i = 0; places && i < count; ++i) {
      const Vec3d x = place(first + i);
      for (int a = 0; a < 3; ++a) batch.value[Variables::kPlace + a][i] = x[a];
    }
    for (std::size_t k = 0; k < set.varied.size(); ++k) {
      evaluate_batch(set.varied[k].program, batch.at, count, value);
      finding.add(store_values(set.varied[k], static_cast<int>(k), value, count,
                               particles.id[0] + first, varied[static_cast<int>(k)] + first));
    }
  }
  return finding;
}

template <class T, int D>
bool any_names_place(const MaterialSet<T, D>& set) {
  return std::any_of(set.varied.begin(), set.varied.end(), names_place);
}

}  // namespace

int varied_place(const VariedParameters& list, const char* name) {
  const auto found = std::find_if(
      list.begin(), list.end(), [&](const VariedParameter& varied) { return varied.name == name; });
  return found == list.end() ? -1 : static_cast<int>(found - list.begin());
}

template <class T, int D>
bool any_varied(const Particles<T, D>& all) {
  return std::any_of(all.sets.begin(), all.sets.end(),
                     [](const auto& set) { return !set.varied.empty(); });
}

template <class T, int D>
VariedFinding vary_parameters(Particles<T, D>& all, double time) {
  VariedFinding total;
  for (std::size_t s = 0; s < all.sets.size(); ++s) {
    auto& set = all.sets[s];
    if (set.varied.empty()) continue;
    const bool places = any_names_place(set);
    std::vector<VariedFinding> findings(all.blocks.occupied());
    parallel_for("parameters", all.blocks.occupied(), 4, [&](std::int64_t begin, std::int64_t end) {
      for (std::int64_t b = begin; b < end; ++b)
        findings[b] =
            vary_range(set, set.begin[b], set.begin[b + 1], time, places, [&](std::size_t p) {
              return world_position(all, set.particles, static_cast<int>(b), p);
            });
    });
    for (VariedFinding& finding : findings) {
      finding.set = static_cast<int>(s);
      total.add(finding);
    }
  }
  return total;
}

template <class T, int D>
VariedFinding vary_new(MaterialSet<T, D>& set, std::size_t first, const std::vector<Vec3d>& places,
                       double time) {
  if (set.varied.empty()) return {};
  return vary_range(set, first, set.particles.size(), time, true,
                    [&](std::size_t p) { return places[p - first]; });
}

template <class T, int D>
std::int64_t varied_fingerprint(const Particles<T, D>& all) {
  std::uint64_t hash = 0xcbf29ce484222325;  // FNV-1a
  const auto add = [&](const auto& value) {
    const auto* bytes = reinterpret_cast<const unsigned char*>(&value);
    for (std::size_t i = 0; i < sizeof(value); ++i) hash = (hash ^ bytes[i]) * 0x100000001b3;
  };
  for (const auto& set : all.sets)
    for (const VariedParameter& parameter : set.varied) {
      add(parameter.number);
      add(parameter.low);
      add(parameter.high);
      const Program& program = parameter.program;
      for (int i = 0; i < program.length; ++i) {
        add(program.code[i].op);
        add(program.code[i].index);
      }
      for (int i = 0; i < program.constant_count; ++i) add(program.constants[i]);
    }
  return static_cast<std::int64_t>(hash);
}

template <class T, int D>
double largest_value(const MaterialSet<T, D>& set, int place, double plain) {
  if (place < 0) return plain;
  const auto& column = set.particles[column::varied].column(place);
  return column.size() == 0 ? 0 : double(*std::max_element(column.begin(), column.end()));
}

#define FIRN_INSTANTIATE(T, D)                                              \
  template bool any_varied<T, D>(const Particles<T, D>&);                   \
  template VariedFinding vary_parameters<T, D>(Particles<T, D>&, double);   \
  template VariedFinding vary_new<T, D>(MaterialSet<T, D>&, std::size_t,    \
                                        const std::vector<Vec3d>&, double); \
  template std::int64_t varied_fingerprint<T, D>(const Particles<T, D>&);   \
  template double largest_value<T, D>(const MaterialSet<T, D>&, int, double);
FIRN_INSTANTIATE(float, 2)
FIRN_INSTANTIATE(float, 3)
FIRN_INSTANTIATE(double, 2)
FIRN_INSTANTIATE(double, 3)

}  // namespace firn
