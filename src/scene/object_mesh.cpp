#include "scene/object_mesh.h"

#include <algorithm>

#include "base/random.h"
#include "geometry/lattice_mesh.h"
#include "geometry/simplex_nodes.h"
#include "geometry/stuffing_mesh.h"
#include "scene/copies.h"
#include "scene/object_seed.h"
#include "scene/particle_sets.h"

namespace firn {
namespace {

template <int D>
Vec<double, D> without_depth(const Vec3d& x) {
  Vec<double, D> r;
  for (int a = 0; a < D; ++a) r[a] = x[a];
  return r;
}
template <int D>
Vec3d with_depth(const Vec<double, D>& x) {
  Vec3d r = Vec3d::zero();
  for (int a = 0; a < D; ++a) r[a] = x[a];
  return r;
}

Errors mesh_lines(const char* place, const Errors& lines) {
  Errors placed;
  for (const std::string& line : lines) placed.push_back(std::string(place) + ": " + line);
  return placed;
}

// Cells in the place of the object's first copy, before repeat and scatter.
template <int D>
Result<SimplexMesh<D>> placed_cells(const SceneSettings& scene, const ObjectSettings& object,
                                    const Shape& shape) {
  const ObjectMeshSettings settings = mesh_settings(object);
  if (settings.kind == MeshKind::file) {
    const auto* found = settings.asset ? settings.asset->get<SimplexMesh<D>>() : nullptr;
    if (!found) return Errors{"/mesh/file: was not loaded"};
    SimplexMesh<D> mesh = *found;
    const TransformSettings& t = object.transform;
    const Mat<double, 3> rotation = t.rotation.matrix() * t.scale;
    for (auto& x : mesh.points) x = without_depth<D>(rotation * with_depth<D>(x) + t.translation);
    return mesh;
  }
  const double edge = mesh_edge(scene, object);
  Result<SimplexMesh<D>> mesh = settings.kind == MeshKind::lattice ? lattice_mesh<D>(shape, edge)
                                                                   : stuffing_mesh<D>(shape, edge);
  if (!mesh) return mesh_lines("/mesh/edge", mesh.errors());
  return mesh;
}

template <int D>
BodyMesh<D> with_nodes(SimplexMesh<D> mesh, std::int64_t order) {
  BodyMesh<D> body;
  const auto take = [&](const auto& cells) {
    for (const auto& cell : cells) body.cells.insert(body.cells.end(), cell.begin(), cell.end());
  };
  if (order == 2) {
    SimplexNodes<D> nodes = quadratic_nodes(mesh);
    body.nodes = std::move(nodes.points);
    take(nodes.cells);
  } else {
    body.nodes = std::move(mesh.points);
    take(mesh.cells);
  }
  return body;
}

// The mesh of `shape` where a copy of the shape is.
template <int D>
BodyMesh<D> moved_to(const BodyMesh<D>& body, const Shape& shape, const Shape& copy) {
  BodyMesh<D> moved = body;
  const Mat<double, 3> rotation = copy.rotation * transpose(shape.rotation);
  for (auto& x : moved.nodes)
    x = without_depth<D>(rotation * (with_depth<D>(x) - shape.center) + copy.center);
  return moved;
}

template <int D>
std::shared_ptr<const MeshAsset> made_asset(ObjectMesh<D> mesh) {
  auto asset = std::make_shared<MeshAsset>();
  asset->content = std::move(mesh);
  return asset;
}

template <int D>
Errors make_meshes(SceneSettings& scene) {
  for (std::size_t i = 0; i < scene.objects.size(); ++i) {
    Result<ObjectMesh<D>> mesh = object_mesh<D>(scene, i);
    Errors lines;
    if (!mesh)
      for (const std::string& line : mesh.errors())
        lines.push_back("/objects/" + std::to_string(i) + line);
    if (!mesh) return lines;
    ObjectMeshSettings settings = mesh_settings(scene.objects[i]);
    settings.asset = made_asset<D>(std::move(*mesh));
    scene.objects[i].mesh = std::move(settings);
  }
  return {};
}

template <int D>
Errors take_nodes_of(const SceneSettings& scene, std::size_t object, std::vector<std::size_t>& ends,
                     ObjectParticles& particles) {
  const Result<ObjectMesh<D>> mesh = object_mesh<D>(scene, object);
  if (!mesh) return mesh.errors();
  double total = 0;
  for (const BodyMesh<D>& body : mesh->bodies) {
    for (const auto& x : body.nodes) particles.position.push_back(with_depth<D>(x));
    for (const double volume : node_volumes<D>(body, mesh->order)) {
      particles.volumes.push_back(volume);
      total += volume;
    }
    ends.push_back(particles.size());
  }
  particles.volume = total / static_cast<double>(particles.size());
  return {};
}

}  // namespace

ObjectMeshSettings mesh_settings(const ObjectSettings& object) {
  return object.mesh ? *object.mesh : ObjectMeshSettings{};
}

double mesh_edge(const SceneSettings& scene, const ObjectSettings& object) {
  const double own = object.mesh ? object.mesh->edge : 0;
  return own > 0 ? own : 2 * scene.grid.spacing;
}

template <int D>
Result<ObjectMesh<D>> object_mesh(const SceneSettings& scene, std::size_t object) {
  const ObjectSettings& settings = scene.objects[object];
  if (settings.mesh && settings.mesh->asset)
    if (const auto* made = settings.mesh->asset->get<ObjectMesh<D>>()) return *made;
  const Shape shape = single_shape(scene, settings);
  const Result<std::vector<Shape>> copies = object_shapes(scene, object);
  if (!copies) return copies.errors();
  Result<SimplexMesh<D>> cells = placed_cells<D>(scene, settings, shape);
  if (!cells) return cells.errors();
  ObjectMesh<D> mesh;
  mesh.order = static_cast<int>(mesh_settings(settings).order);
  const BodyMesh<D> body = with_nodes<D>(std::move(*cells), mesh.order);
  const bool copied = settings.repeat || settings.scatter;
  for (const Shape& copy : *copies)
    mesh.bodies.push_back(copied ? moved_to<D>(body, shape, copy) : body);
  return mesh;
}

double node_share(int dimension, int order, bool is_corner) {
  if (order == 1) return 1.0 / (dimension + 1);
  if (dimension == 3) return is_corner ? 1.0 / 36 : 4.0 / 27;
  return is_corner ? 1.0 / 19 : 16.0 / 57;
}

template <int D>
std::vector<double> node_volumes(const BodyMesh<D>& body, int order) {
  std::vector<double> volumes(body.nodes.size(), 0);
  const auto nodes = static_cast<std::size_t>(nodes_of_simplex(D, order));
  for (std::size_t first = 0; first + nodes <= body.cells.size(); first += nodes) {
    const std::uint32_t* cell = &body.cells[first];
    double volume = 0;
    if constexpr (D == 3)
      volume = simplex_volume(body.nodes[cell[0]], body.nodes[cell[1]], body.nodes[cell[2]],
                              body.nodes[cell[3]]);
    else
      volume = simplex_volume(body.nodes[cell[0]], body.nodes[cell[1]], body.nodes[cell[2]]);
    for (std::size_t k = 0; k < nodes; ++k)
      volumes[cell[k]] += volume * node_share(D, order, k <= D);
  }
  return volumes;
}

template <int D>
SimplexMesh<D> corner_cells(const BodyMesh<D>& body, int order) {
  SimplexMesh<D> mesh;
  const auto nodes = static_cast<std::size_t>(nodes_of_simplex(D, order));
  std::vector<std::uint32_t> place(body.nodes.size(), 0);
  for (std::size_t first = 0; first + nodes <= body.cells.size(); first += nodes) {
    typename SimplexMesh<D>::Cell cell;
    for (int k = 0; k <= D; ++k) {
      const std::uint32_t node = body.cells[first + k];
      if (place[node] == 0) {
        mesh.points.push_back(body.nodes[node]);
        place[node] = static_cast<std::uint32_t>(mesh.points.size());
      }
      cell[k] = place[node] - 1;
    }
    mesh.cells.push_back(cell);
  }
  return mesh;
}

template <int D>
Result<std::vector<SceneBody<D>>> fem_bodies(const SceneSettings& scene) {
  std::vector<SceneBody<D>> bodies;
  std::uint64_t next_id = 0;
  Errors errors;
  for (std::size_t i = 0; i < scene.objects.size(); ++i) {
    const ObjectSettings& object = scene.objects[i];
    Result<ObjectMesh<D>> mesh = object_mesh<D>(scene, i);
    if (!mesh) {
      for (const std::string& line : mesh.errors())
        errors.push_back("/objects/" + std::to_string(i) + line);
      continue;
    }
    const std::optional<DampingSettings>& damping = scene.materials[object.material].damping;
    for (std::size_t k = 0; k < mesh->bodies.size(); ++k) {
      SceneBody<D>& body = bodies.emplace_back();
      body.name = object.name + (mesh->bodies.size() > 1 ? "_" + std::to_string(k + 1) : "");
      body.set = set_of(scene, object.material, object.species);
      body.first_id = next_id;
      body.order = mesh->order;
      body.density = object.density;
      if (damping) body.stiffness_damping = damping->stiffness;
      if (damping) body.mass_damping = damping->mass;
      body.mesh = std::move(mesh->bodies[k]);
      next_id += body.mesh.nodes.size();
    }
  }
  if (!errors.empty()) return errors;
  return bodies;
}

Result<SceneSettings> with_meshes(const SceneSettings& scene) {
  SceneSettings meshed = scene;
  const Errors errors = scene.dimension == 2 ? make_meshes<2>(meshed) : make_meshes<3>(meshed);
  if (!errors.empty()) return errors;
  return meshed;
}

bool has_meshes(const SceneSettings& scene) {
  return std::all_of(scene.objects.begin(), scene.objects.end(), [](const ObjectSettings& object) {
    return object.mesh && object.mesh->asset &&
           (object.mesh->asset->get<ObjectMesh<2>>() || object.mesh->asset->get<ObjectMesh<3>>());
  });
}

Errors take_nodes(const SceneSettings& scene, std::size_t object, std::vector<std::size_t>& ends,
                  ObjectParticles& particles) {
  return scene.dimension == 2 ? take_nodes_of<2>(scene, object, ends, particles)
                              : take_nodes_of<3>(scene, object, ends, particles);
}

void move_to_start(const ObjectSettings& object, int dimension, std::uint64_t seed,
                   const std::vector<std::size_t>& ends, ObjectParticles& particles) {
  if (object.start == MeshStart::rest) return;
  std::size_t first = 0;
  for (std::size_t copy = 0; copy < ends.size(); first = ends[copy++]) {
    if (ends[copy] == first) continue;
    Vec3d low = particles.position[first], high = low;
    for (std::size_t i = first; i < ends[copy]; ++i)
      for (int a = 0; a < dimension; ++a) {
        low[a] = std::min(low[a], particles.position[i][a]);
        high[a] = std::max(high[a], particles.position[i][a]);
      }
    RandomStream random(random_bits(seed, kStartStream, copy), 0);
    for (std::size_t i = first; i < ends[copy]; ++i)
      for (int a = 0; a < dimension; ++a) {
        const double share = object.start == MeshStart::random ? random.next_double() : 0.5;
        particles.position[i][a] = low[a] + share * (high[a] - low[a]);
      }
  }
}

#define FIRN_INSTANTIATE(D)                                                         \
  template SimplexMesh<D> corner_cells<D>(const BodyMesh<D>&, int);                 \
  template Result<ObjectMesh<D>> object_mesh<D>(const SceneSettings&, std::size_t); \
  template std::vector<double> node_volumes<D>(const BodyMesh<D>&, int);            \
  template Result<std::vector<SceneBody<D>>> fem_bodies<D>(const SceneSettings&);
FIRN_INSTANTIATE(2)
FIRN_INSTANTIATE(3)

}  // namespace firn
