// Objects of the solver fem as meshes of cells.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "scene/initial_particles.h"
#include "scene/mesh_asset.h"
#include "scene/settings.h"

namespace firn {

// The settings of an object's mesh: those that it gives, or the default.
ObjectMeshSettings mesh_settings(const ObjectSettings& object);

// Length of the edges of cells that are cut from a shape, m.
double mesh_edge(const SceneSettings& scene, const ObjectSettings& object);

// The mesh of an object at rest, in its place: its shape and transform, each copy a body of its
// own, with the nodes of second-order cells where these are asked for. The same bits for the same
// settings. Errors are "/mesh/...: what is wrong", to stand behind the object's pointer.
template <int D>
Result<ObjectMesh<D>> object_mesh(const SceneSettings& scene, std::size_t object);

// What of a cell's volume each of its nodes has: of linear cells equal shares, of second order the
// diagonal of the mass matrix scaled to the whole, which is positive for all.
double node_share(int dimension, int order, bool is_corner);

// By node, m^D.
template <int D>
std::vector<double> node_volumes(const BodyMesh<D>& body, int order);

// The cells alone, without the nodes that lie on edges.
template <int D>
SimplexMesh<D> corner_cells(const BodyMesh<D>& body, int order);

// A body as solvers need it.
template <int D>
struct SceneBody {
  std::string name;
  int set = 0;                 // of particles: see scene/particle_sets.h
  std::uint64_t first_id = 0;  // of its nodes, which are consecutive
  int order = 1;
  double density = 0;                              // kg/m^D
  double stiffness_damping = 0, mass_damping = 0;  // s, 1/s
  BodyMesh<D> mesh;
};

// All bodies of the scene. Ids are those that initial_particles() gives.
template <int D>
Result<std::vector<SceneBody<D>>> fem_bodies(const SceneSettings& scene);

// The scene with the meshes of its objects made, for those who need them more than once. Its
// settings must not be edited after that.
Result<SceneSettings> with_meshes(const SceneSettings& scene);
bool has_meshes(const SceneSettings& scene);

// Nodes at rest become particles, those of a copy behind those of the copies before: ends[k] is the
// number up to copy k. Errors stand behind the object's pointer.
Errors take_nodes(const SceneSettings& scene, std::size_t object, std::vector<std::size_t>& ends,
                  ObjectParticles& particles);
// Moves them where the object says that they start.
void move_to_start(const ObjectSettings& object, int dimension, std::uint64_t seed,
                   const std::vector<std::size_t>& ends, ObjectParticles& particles);

}  // namespace firn
