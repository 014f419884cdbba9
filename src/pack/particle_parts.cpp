#include "pack/particle_parts.h"

#include <algorithm>
#include <cmath>

#include "geometry/simplex_check.h"
#include "scene/object_mesh.h"
#include "scene/particle_sets.h"

namespace firn {
namespace {

bool all_finite(const double* values, std::size_t count) {
  return std::all_of(values, values + count, [](double x) { return std::isfinite(x); });
}
bool all_finite(const Vec3d& v) {
  return all_finite(v.e, 3);
}
bool all_finite(const std::vector<double>& values) {
  return all_finite(values.data(), values.size());
}
bool all_finite(const std::vector<Vec3d>& values) {
  return std::all_of(values.begin(), values.end(), [](const Vec3d& v) { return all_finite(v); });
}
bool all_finite(const std::vector<Mat<double, 3>>& values) {
  return std::all_of(values.begin(), values.end(),
                     [](const Mat<double, 3>& m) { return all_finite(&m.e[0][0], 9); });
}
bool all_positive(const std::vector<double>& values) {
  return std::all_of(values.begin(), values.end(), [](double x) { return x > 0; });
}

bool all_numbers(const std::vector<std::uint32_t>& cells, std::size_t nodes) {
  return std::all_of(cells.begin(), cells.end(), [&](std::uint32_t n) { return n < nodes; });
}

template <int D>
bool is_sound(const BodyMesh<D>& body, int order) {
  const auto a_cell = static_cast<std::size_t>(nodes_of_simplex(D, order));
  const auto finite = [](const Vec<double, D>& x) { return all_finite(x.e, D); };
  return !body.cells.empty() && body.cells.size() % a_cell == 0 &&
         all_numbers(body.cells, body.nodes.size()) &&
         std::all_of(body.nodes.begin(), body.nodes.end(), finite) &&
         mesh_problems(corner_cells(body, order)).empty();
}

}  // namespace

template <int D>
std::string bodies_problem(const ObjectMesh<D>& mesh, std::size_t particles) {
  if (mesh.order != 1 && mesh.order != 2) return "a mesh has no order";
  std::size_t nodes = 0;
  for (const BodyMesh<D>& body : mesh.bodies) {
    if (!is_sound(body, mesh.order)) return "a mesh has cells that are none";
    nodes += body.nodes.size();
  }
  return nodes == particles ? "" : "a mesh does not fit its particles";
}
template std::string bodies_problem<2>(const ObjectMesh<2>&, std::size_t);
template std::string bodies_problem<3>(const ObjectMesh<3>&, std::size_t);

std::string particle_problem(const SceneSettings& scene, const ObjectParticles& p,
                             std::uint64_t next_id) {
  const auto in = [](int index, std::size_t count) {
    return index >= 0 && static_cast<std::size_t>(index) < count;
  };
  const auto fits = [&](const auto& list) { return list.empty() || list.size() == p.size(); };
  if (!in(p.object, scene.objects.size()) || !in(p.set, planned_sets(scene).size()) ||
      p.first_id != next_id)
    return "particles belong to no object";
  bool sizes = fits(p.velocities) && fits(p.velocity_gradients) && fits(p.mass_scales) &&
               fits(p.stiffness_scales) && fits(p.gradients) && fits(p.volume_ratios) &&
               fits(p.volumes) && fits(p.colors);
  const bool matter = p.volume > 0 && p.density > 0 && std::isfinite(p.volume * p.density);
  bool numbers = (matter || p.size() == 0) && all_finite(p.position) &&
                 all_finite(p.linear_velocity) && all_finite(p.spin) && all_finite(p.center) &&
                 all_finite(p.velocities) && all_finite(p.velocity_gradients) &&
                 all_finite(p.mass_scales) && all_finite(p.stiffness_scales) &&
                 all_finite(p.gradients) && all_finite(p.volume_ratios) && all_finite(p.volumes) &&
                 all_positive(p.mass_scales) && all_positive(p.stiffness_scales) &&
                 all_positive(p.volume_ratios) && all_positive(p.volumes);
  for (const std::vector<double>& channel : p.channels) {
    sizes = sizes && fits(channel);
    numbers = numbers && all_finite(channel);
  }
  for (const ParticleField& field : p.scalars) {
    sizes = sizes && field.value.size() == p.size();
    numbers = numbers && all_finite(field.value);
  }
  if (p.palette.size() != p.cumulative.size() || (p.colors.empty() && p.palette.empty()))
    sizes = false;
  if (!sizes) return "the particles of an object do not fit together";
  if (!numbers) return "a particle has no finite state";
  return "";
}

}  // namespace firn
