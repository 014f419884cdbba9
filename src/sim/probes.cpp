#include "sim/probes.h"

#include <cmath>
#include <functional>

#include "exec/parallel.h"
#include "scene/object_mesh.h"
#include "scene/periodic.h"
#include "sim/particle_values.h"

namespace firn {
namespace {

template <class T, int D>
using ParticleValue = std::function<double(const MaterialSet<T, D>&, std::size_t p)>;

// A quantity that a point probe averages, over the materials that have it.
template <class T, int D>
struct ProbedColumn {
  std::string name;
  ParticleValue<T, D> value;
  std::vector<char> has;  // by set
};

template <class T, int D>
class ProbeReader {
 public:
  ProbeReader(const SceneSettings& scene, const Particles<T, D>& all)
      : scene_(scene), all_(all), cell_(all.spacing) {
    for (int a = 0; a < D; ++a) period_[a] = period_length(scene, a);
    if (scene.solver != SolverKind::fem) return;
    // Nodes are as far apart as edges are long.
    for (const ObjectSettings& object : scene.objects)
      cell_ = std::max(cell_, mesh_edge(scene, object));
  }

  ProbeReading read(const ProbeSettings& probe) const {
    switch (probe.kind) {
      case ProbeKind::flux:
        return flux(probe);
      case ProbeKind::height:
        return height(probe);
      case ProbeKind::point:
        break;
    }
    return point(probe);
  }

 private:
  // The way from `from` to x, the shortest one round the periodic directions.
  Vec3d way(const Vec3d& from, const Vec3d& x) const {
    Vec3d d{{0, 0, 0}};
    for (int a = 0; a < D; ++a) {
      d[a] = x[a] - from[a];
      if (period_[a] > 0) d[a] -= period_[a] * std::round(d[a] / period_[a]);
    }
    return d;
  }

  // Sums of add(sums, set number, particle, way to it) over the particles, in the order of blocks.
  // Blocks whose middle does not satisfy near(way to it, radius of the block) are left out.
  template <class Sums, class Near, class Add>
  Sums sum(const Vec3d& from, Near near, Add add) const {
    constexpr int kEdge = BlockShape<D>::kEdge;
    // Particles may drift out of the block, and positions are shifted by the kernel.
    const double reach =
        (0.5 * kEdge + BlockShape<D>::kMargin) * std::sqrt(double(D)) * all_.spacing;
    std::vector<Sums> partial(all_.blocks.occupied());
    parallel_for("probes", all_.blocks.occupied(), 16, [&](std::int64_t begin, std::int64_t end) {
      for (std::int64_t b = begin; b < end; ++b) {
        const int block = static_cast<int>(b);
        Vec3d middle{{0, 0, 0}};
        for (int a = 0; a < D; ++a)
          middle[a] = (double(all_.blocks.coord(block)[a]) * kEdge + 0.5 * kEdge + all_.shift) *
                      all_.spacing;
        if (!near(way(from, middle), reach)) continue;
        for (std::size_t s = 0; s < all_.sets.size(); ++s) {
          const auto& set = all_.sets[s];
          for (std::uint32_t p = set.begin[b]; p < set.begin[b + 1]; ++p)
            add(partial[b], s, p, way(from, world_position(all_, set.particles, block, p)));
        }
      }
    });
    Sums total;
    for (const Sums& sums : partial) total.add(sums);
    return total;
  }

  // Averages with the weight (1 - r^2 / R^2)^2 times the particle's volume.
  ProbeReading point(const ProbeSettings& probe) const {
    const auto columns = columns_of(probe);
    const double radius = probe.radius > 0 ? probe.radius : cell_;
    struct Averages {
      std::vector<double> weight, value;
      void add(const Averages& o) {
        weight.resize(std::max(weight.size(), o.weight.size()), 0);
        value.resize(weight.size(), 0);
        for (std::size_t k = 0; k < o.weight.size(); ++k) {
          weight[k] += o.weight[k];
          value[k] += o.value[k];
        }
      }
    };
    const auto near = [&](const Vec3d& d, double reach) {
      return dot(d, d) < square(radius + reach);
    };
    Averages sums = sum<Averages>(probe.position, near,
                                  [&](Averages& to, std::size_t s, std::size_t p, const Vec3d& d) {
                                    const double left = 1 - dot(d, d) / (radius * radius);
                                    if (!(left > 0)) return;
                                    to.weight.resize(columns.size(), 0);
                                    to.value.resize(columns.size(), 0);
                                    const auto& set = all_.sets[s];
                                    const double weight = left * left * volume_of(set, p);
                                    for (std::size_t k = 0; k < columns.size(); ++k) {
                                      if (!columns[k].has[s]) continue;
                                      to.weight[k] += weight;
                                      to.value[k] += weight * columns[k].value(set, p);
                                    }
                                  });
    sums.weight.resize(columns.size(), 0);
    sums.value.resize(columns.size(), 0);
    ProbeReading reading{probe.name, {}};
    for (std::size_t k = 0; k < columns.size(); ++k)
      reading.values.push_back({columns[k].name, sums.weight[k] > 0
                                                     ? std::optional(sums.value[k] / sums.weight[k])
                                                     : std::nullopt});
    return reading;
  }

  // Rates through the plane: m v.n and V v.n, weighted by a hat of one cell to each side.
  ProbeReading flux(const ProbeSettings& probe) const {
    const Vec3d n = probe.normal / std::sqrt(dot(probe.normal, probe.normal));
    struct Rates {
      double mass = 0, volume = 0;
      void add(const Rates& o) {
        mass += o.mass;
        volume += o.volume;
      }
    };
    const auto near = [&](const Vec3d& d, double reach) {
      return std::abs(dot(d, n)) < cell_ + reach &&
             (probe.radius == 0 || dot(d, d) < square(probe.radius + cell_ + reach));
    };
    const Rates rates = sum<Rates>(
        probe.position, near, [&](Rates& to, std::size_t s, std::size_t p, const Vec3d& d) {
          const double across = dot(d, n), left = (1 - std::abs(across) / cell_) / cell_;
          const Vec3d along = d - n * across;
          if (!(left > 0)) return;
          if (probe.radius > 0 && dot(along, along) > square(probe.radius)) return;
          const auto& set = all_.sets[s];
          double speed = 0;
          for (int a = 0; a < D; ++a) speed += double(set.particles.velocity[a][p]) * n[a];
          to.mass += left * speed * double(set.particles.mass[0][p]);
          to.volume += left * speed * volume_of(set, p);
        });
    return {probe.name, {{"mass_rate", rates.mass}, {"volume_rate", rates.volume}}};
  }

  // The highest particle of a vertical column, and half of the room that it takes.
  ProbeReading height(const ProbeSettings& probe) const {
    const double radius = probe.radius > 0 ? probe.radius : cell_;
    struct Highest {
      double y = -INFINITY;
      void add(const Highest& o) { y = std::max(y, o.y); }
    };
    const auto across2 = [](const Vec3d& d) { return d[0] * d[0] + d[2] * d[2]; };
    const auto near = [&](const Vec3d& d, double reach) {
      return across2(d) < square(radius + reach);
    };
    const Highest found = sum<Highest>(
        probe.position, near, [&](Highest& to, std::size_t s, std::size_t p, const Vec3d& d) {
          if (!(across2(d) < radius * radius)) return;
          to.y = std::max(to.y, d[1] + 0.5 * std::pow(volume_of(all_.sets[s], p), 1.0 / D));
        });
    return {probe.name,
            {{"height", std::isfinite(found.y) ? std::optional(found.y) : std::nullopt}}};
  }

  std::vector<ProbedColumn<T, D>> columns_of(const ProbeSettings& probe) const {
    static const char* const kAxes[3] = {"x", "y", "z"};
    std::vector<ProbedColumn<T, D>> columns;
    const std::vector<char> all(all_.sets.size(), 1);
    const auto add = [&](const std::string& name, ParticleValue<T, D> value) {
      columns.push_back({name, std::move(value), all});
    };
    for (const std::string& field : probe.fields) {
      if (field == "density") {
        add(field, [](const auto& set, std::size_t p) { return density_of(set, p); });
      } else if (field == "pressure") {
        add(field, [](const auto& set, std::size_t p) { return pressure_of(set, p); });
      } else if (field == "phi") {
        add(field, [](const auto& set, std::size_t p) { return fluid_fraction_of(set, p); });
      } else if (field == "det_F") {
        add(field, [](const auto& set, std::size_t p) { return det_of(set, p); });
      } else if (field == "velocity") {
        for (int a = 0; a < D; ++a)
          add(std::string("v") + kAxes[a],
              [a](const auto& set, std::size_t p) { return double(set.particles.velocity[a][p]); });
      } else if (field == "stress") {
        for (int i = 0; i < D; ++i)
          for (int j = i; j < D; ++j)
            add(std::string("stress_") + kAxes[i] + kAxes[j],
                [i, j](const auto& set, std::size_t p) { return stress_of(set, p, i, j); });
      } else if (field.starts_with("stress_m")) {
        const int place = field == "stress_max" ? 0 : field == "stress_mid" ? 1 : D - 1;
        add(field,
            [place](const auto& set, std::size_t p) { return principal_stress_of(set, p)[place]; });
      } else {
        columns.push_back(scalar_column(field));
      }
    }
    return columns;
  }

  // A scalar of the scene, or of the models that have it.
  ProbedColumn<T, D> scalar_column(const std::string& name) const {
    for (std::size_t k = 0; k < all_.user_fields.size(); ++k)
      if (all_.user_fields[k] == name)
        return {name,
                [k](const auto& set, std::size_t p) {
                  return double(set.particles[column::user][static_cast<int>(k)][p]);
                },
                std::vector<char>(all_.sets.size(), 1)};
    ProbedColumn<T, D> column{name, nullptr, std::vector<char>(all_.sets.size(), 0)};
    for (std::size_t s = 0; s < all_.sets.size(); ++s)
      column.has[s] = scalar_index(all_.sets[s], name) >= 0;
    column.value = [name](const auto& set, std::size_t p) {
      return double(set.particles[column::scalar][scalar_index(set, name)][p]);
    };
    return column;
  }

  static int scalar_index(const MaterialSet<T, D>& set, const std::string& name) {
    const auto fields = model_scalar_fields(static_cast<int>(set.parameters.index()));
    for (std::size_t k = 0; k < fields.size(); ++k)
      if (name == fields[k].name) return static_cast<int>(k);
    return -1;
  }

  const SceneSettings& scene_;
  const Particles<T, D>& all_;
  double cell_;  // m; how far a probe reaches when nothing is said
  Vec3d period_{{0, 0, 0}};
};

}  // namespace

template <class T, int D>
std::vector<ProbeReading> read_probes(const SceneSettings& scene, const Particles<T, D>& all) {
  const ProbeReader<T, D> reader(scene, all);
  std::vector<ProbeReading> readings;
  for (const ProbeSettings& probe : scene.probes) readings.push_back(reader.read(probe));
  return readings;
}

#define FIRN_INSTANTIATE(T, D)                                               \
  template std::vector<ProbeReading> read_probes<T, D>(const SceneSettings&, \
                                                       const Particles<T, D>&);
FIRN_INSTANTIATE(float, 2)
FIRN_INSTANTIATE(float, 3)
FIRN_INSTANTIATE(double, 2)
FIRN_INSTANTIATE(double, 3)

}  // namespace firn
