#include "cases/compare_devices.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <thread>

#include "exec/parallel.h"
#include "particles/blocks.h"
#include "scene/periodic.h"

namespace firn {
namespace {

constexpr double kWaveShare = 1e-3;

// One component of a field, for all particles in the order of their ids.
using Values = std::vector<double>;

struct SavedParticles {
  Values id;                                          // ascending
  std::map<std::string, std::vector<Values>> fields;  // positions in cells of the world
  double density = 0;                                 // the largest, kg/m^d
};

Values numbers(const StateImage& image, const std::string& name) {
  const auto found = image.arrays.find(name);
  if (found == image.arrays.end()) return {};
  return std::visit([](const auto& v) { return Values(v.begin(), v.end()); }, found->second);
}

// Cells from the origin to each particle's block along an axis.
Values corners(const StateImage& image, const std::string& set, int dimension, int axis) {
  const auto keys = std::get<std::vector<std::uint64_t>>(image.arrays.at("blocks"));
  const Values begin = numbers(image, set + "begin");
  Values result;
  for (std::size_t b = 0; b < keys.size(); ++b) {
    const double corner =
        double(dimension == 2 ? morton_coord<2>(keys[b])[axis] : morton_coord<3>(keys[b])[axis]) *
        block_edge(dimension);
    result.resize(static_cast<std::size_t>(begin[b + 1]), corner);
  }
  return result;
}

// The same for fine grains, whose blocks hold so many cells in so many parts.
Values grain_corners(const StateImage& image, int dimension, int axis) {
  const auto keys = std::get<std::vector<std::uint64_t>>(image.arrays.at("fine_grains/blocks"));
  const Values begin = numbers(image, "fine_grains/begin");
  const std::size_t parts = keys.empty() ? 0 : (begin.size() - 1) / keys.size();
  Values result;
  for (std::size_t b = 0; b < keys.size(); ++b)
    result.resize(
        static_cast<std::size_t>(begin[(b + 1) * parts]),
        double(dimension == 2 ? morton_coord<2>(keys[b])[axis] : morton_coord<3>(keys[b])[axis]) *
            block_edge(dimension));
  return result;
}

// The places that the particles of all sets take when they are ordered by id.
std::vector<std::size_t> ranks(const Values& ids) {
  std::vector<std::size_t> order(ids.size()), rank(ids.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  std::sort(order.begin(), order.end(),
            [&](std::size_t a, std::size_t b) { return ids[a] < ids[b]; });
  for (std::size_t i = 0; i < order.size(); ++i) rank[order[i]] = i;
  return rank;
}

SavedParticles particles_of(const StateImage& image, int dimension) {
  SavedParticles particles;
  std::vector<std::string> sets;
  for (std::size_t s = 0; image.integers.count("set" + std::to_string(s) + "/count") > 0; ++s)
    sets.push_back("set" + std::to_string(s) + "/");
  for (const std::string& set : sets) {
    const Values id = numbers(image, set + "id0"), mass = numbers(image, set + "mass0"),
                 volume = numbers(image, set + "volume0");
    particles.id.insert(particles.id.end(), id.begin(), id.end());
    for (std::size_t p = 0; p < mass.size(); ++p)
      particles.density = std::max(particles.density, mass[p] / volume[p]);
  }
  const std::vector<std::size_t> rank = ranks(particles.id);
  std::sort(particles.id.begin(), particles.id.end());
  std::size_t first = 0;
  for (const std::string& set : sets) {
    for (const std::string name : {"position", "velocity", "affine", "gradient", "stress", "scalar",
                                   "source", "user", "mass", "phi", "room", "swelling"})
      for (int c = 0; image.arrays.count(set + name + std::to_string(c)) > 0; ++c) {
        Values values = numbers(image, set + name + std::to_string(c));
        if (name == "position") {
          const Values from = corners(image, set, dimension, c);
          for (std::size_t p = 0; p < values.size(); ++p) values[p] += from[p];
        }
        std::vector<Values>& columns = particles.fields[name];
        columns.resize(std::max(columns.size(), static_cast<std::size_t>(c + 1)));
        columns[c].resize(particles.id.size());
        for (std::size_t p = 0; p < values.size(); ++p) columns[c][rank[first + p]] = values[p];
      }
    first += numbers(image, set + "id0").size();
  }
  return particles;
}

// The impulses of the obstacles in this frame, of the largest one; next to none count as what a
// wave in all of the matter does.
double load_difference(const StateImage& expected, const StateImage& found, double wave) {
  const Values a = numbers(expected, "collider_impulses"), b = numbers(found, "collider_impulses");
  double scale = wave, difference = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    scale = std::max(scale, std::abs(a[i]));
    difference = std::max(difference, std::abs(b[i] - a[i]));
  }
  return difference / scale;
}

// Of some differences that which all but one in a thousand keep to: a grain that just meets an
// obstacle, or just does not, goes its own way.
double usual_largest(Values& differences) {
  if (differences.empty()) return 0;
  const auto at = differences.begin() + std::ptrdiff_t(0.999 * double(differences.size() - 1));
  std::nth_element(differences.begin(), at, differences.end());
  return *at;
}

// Of the fine grains, where there are any: places in cells, velocities of the largest one.
void compare_grains(const SceneSettings& scene, const StateImage& expected, const StateImage& found,
                    const double (&periods)[3], Agreement& result) {
  const std::string place = "fine_grains/";
  const Values ids = numbers(expected, place + "id");
  const auto differ = [&](double difference, const char* field) {
    if (difference <= result.difference) return;
    result.difference = difference;
    result.field = field;
  };
  if (ids.size() != numbers(found, place + "id").size())
    return differ(INFINITY, "number of grains");
  const int dimension = static_cast<int>(scene.dimension);
  double fastest = 1e-9;
  Values shifts(ids.size()), slips(ids.size());
  for (int a = 0; a < dimension; ++a) {
    const std::string axis = std::to_string(a);
    Values of[2], speed[2];
    for (const bool second : {false, true}) {
      const StateImage& image = second ? found : expected;
      const std::vector<std::size_t> rank = ranks(numbers(image, place + "id"));
      const Values from = grain_corners(image, dimension, a);
      const Values x = numbers(image, place + "place" + axis),
                   v = numbers(image, place + "velocity" + axis);
      of[second].resize(ids.size());
      speed[second].resize(ids.size());
      for (std::size_t i = 0; i < ids.size(); ++i) {
        of[second][rank[i]] = from[i] + x[i];
        speed[second][rank[i]] = v[i];
      }
    }
    for (std::size_t i = 0; i < ids.size(); ++i) {
      const double d = std::abs(of[1][i] - of[0][i]);
      shifts[i] = std::max(shifts[i], std::min(d, std::abs(periods[a] - d)));
      fastest = std::max(fastest, std::abs(speed[0][i]));
      slips[i] = std::max(slips[i], std::abs(speed[1][i] - speed[0][i]));
    }
  }
  differ(usual_largest(shifts), "place of grains");
  differ(usual_largest(slips) / fastest, "velocity of grains");
}

// What a strain of one would make of a field; 1 where it has no units.
double wave_scale(const std::string& field, double density, double speed, double spacing) {
  if (field == "velocity") return speed;
  if (field == "affine" || field == "source" || field == "swelling") return speed / spacing;
  if (field == "room") return 0;  // as large as it is
  if (field == "stress") return density * speed * speed;
  return 1;
}

}  // namespace

double agreement_tolerance(Precision precision) {
  return precision == Precision::double_ ? 1e-9 : 5e-3;
}

Agreement compare_worlds(const SceneSettings& scene, const World& expected, const World& found) {
  const int dimension = static_cast<int>(scene.dimension);
  const StateImage image = expected.save();
  const StateImage other = found.save();
  const SavedParticles a = particles_of(image, dimension), b = particles_of(other, dimension);
  Agreement result;
  if (a.id != b.id) {
    result.difference = INFINITY;
    result.field = "id";
    return result;
  }
  const double signal = image.reals.at("max_signal");
  double periods[3];  // cells; where sorts come a step apart, one may be at the other end
  for (int axis = 0; axis < 3; ++axis)
    periods[axis] = period_length(scene, axis) / scene.grid.spacing;
  for (const auto& [name, columns] : a.fields) {
    double scale = kWaveShare * wave_scale(name, a.density, signal, scene.grid.spacing);
    double difference = 0;
    for (std::size_t c = 0; c < columns.size(); ++c)
      for (std::size_t p = 0; p < columns[c].size(); ++p) {
        scale = std::max(scale, std::abs(columns[c][p]));
        double d = std::abs(b.fields.at(name)[c][p] - columns[c][p]);
        if (name == "position") d = std::min(d, std::abs(periods[c] - d));
        difference = d <= difference ? difference : d;  // NaN stays
      }
    if (difference == 0 || difference / scale <= result.difference) continue;
    result.difference = difference / scale;
    result.field = name;
  }
  if (scene.grains) compare_grains(scene, image, other, periods, result);
  if (scene.integrator.is_explicit()) return result;
  double mass = 0;
  for (const double m : a.fields.at("mass")[0]) mass += m;
  const double load = load_difference(image, other, kWaveShare * mass * signal);
  if (load > result.difference) {
    result.difference = load;
    result.field = "load";
  }
  return result;
}

Errors take_steps(World& world, int steps) {
  for (int step = 0; step < steps; ++step)
    if (const Result<double> dt = world.advance_step(); !dt) return dt.errors();
  return {};
}

Result<Agreement> compare_devices(const SceneSettings& scene, Precision precision,
                                  const MakeWorld& make, const RunWorld& run) {
  std::unique_ptr<World> worlds[2];
  Errors failed[2];
  const auto work = [&](Device device) {
    const bool cpu = device == Device::cpu;
    const std::string where = cpu ? "on the CPU: " : "on the device: ";
    Result<std::unique_ptr<World>> world = make(device);
    const Errors errors = world ? run(**world) : world.errors();
    if (!errors.empty())
      failed[!cpu] = {where + errors.front()};
    else
      worlds[!cpu] = std::move(*world);
  };
  std::thread beside(work, Device::cpu);
  {
    const OwnThreadScope own;  // the CPU has the pool
    work(Device::cuda);
  }
  beside.join();
  for (const Errors& errors : failed)
    if (!errors.empty()) return errors;
  Agreement result = compare_worlds(scene, *worlds[0], *worlds[1]);
  result.tolerance = agreement_tolerance(precision);
  return result;
}

}  // namespace firn
