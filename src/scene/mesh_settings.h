// The mesh of an object of the solver fem, as a scene file states it.
#pragma once

#include <cmath>
#include <cstdint>
#include <memory>
#include <string>

#include "base/describe.h"
#include "base/describe_scene.h"
#include "base/schemes.h"

namespace firn {

struct MeshAsset;  // scene/mesh_asset.h

struct ObjectMeshSettings {
  MeshKind kind = MeshKind::stuffing;
  double edge = 0;  // m; 0: twice the grid's spacing
  std::int64_t order = 1;
  std::string file;  // relative to the scene's folder
  // What the file gave; filled in when the scene is loaded.
  std::shared_ptr<const MeshAsset> asset;

  template <class V>
  void describe(V& v) {
    v.choice("type", kind, {"stuffing", "lattice", "file"},
             "stuffing: cells that follow the surface of the shape; lattice: cells of a regular "
             "lattice inside of it; file: cells that a file gives");
    const bool from_file = kind == MeshKind::file;
    if (from_file) v.require("file");
    if (from_file || sees_all_keys<V>())
      v.text("file", file,
             "file of tetrahedra or triangles (.msh, .vtk, .vtu, .mesh, .node, .ele), relative to "
             "the scene file");
    else
      v.reserved("file", "is for the type \"file\"");
    if (!from_file || sees_all_keys<V>())
      v.number("edge", edge,
               {"length of the edges of cells; twice /grid/spacing when not given", "m", 0,
                INFINITY, true});
    else
      v.reserved("edge", "the file says; remove it, or choose another type");
    v.integer("order", order,
              {"1: linear cells; 2: quadratic ones, with vertices in the middle of edges", 1, 2});
  }
};

}  // namespace firn
