// A bounding volume hierarchy over triangles: nearest points and winding numbers, for any soup of
// triangles. The winding number is that of Barill, Dickson, Schmidt, Levin & Jacobson, "Fast
// winding numbers for soups and clouds", 2018: far groups of triangles count as one dipole.
#pragma once

#include <cstdint>
#include <vector>

#include "base/vec.h"
#include "geometry/triangle_mesh.h"

namespace firn {

struct NearestPoint {
  double distance2;  // squared, m^2
  Vec3d point;
  std::uint32_t triangle;  // in the tree's own order; a hint for a query nearby
};

class MeshTree {
 public:
  // The mesh must have no fault (mesh_fault). A triangle with two equal corners is a segment.
  explicit MeshTree(const TriangleMesh& mesh);

  // Among triangles whose distances differ by less than 1e-6 of the mesh's size any may be taken.
  // `hint`: the triangle of a query nearby, to start with a good bound.
  NearestPoint nearest(const Vec3d& p, std::uint32_t hint = 0) const;

  // How often the surface surrounds p: 1 inside and 0 outside of a closed mesh whose normals point
  // outwards. Wrong by some hundredths: meant for comparison with 1/2.
  double winding_number(const Vec3d& p) const;

  // Its slope, 1/m: what flows through the holes of an open mesh.
  Vec3d winding_gradient(const Vec3d& p) const;

 private:
  struct Corners {
    Vec3d a, b, c;
  };
  // Four triangles, a lane each, in units of the mesh's size around its middle. The place of a
  // point over the triangle is (s . ap, t . ap) in the axes ab and ac.
  struct TrianglePack {
    float a[3][4], ab[3][4], ac[3][4], s[3][4], t[3][4];
    float per_ab2[4], per_ac2[4], per_bc2[4];  // 1 / squared lengths
  };
  // The boxes of the four children of a node, in the same units.
  struct BoxPack {
    float low[3][4], high[3][4];
  };
  struct Dipole {
    Vec3d center;   // area-weighted
    Vec3d normal;   // sum of area times normal
    double reach2;  // squared distance beyond which the group may count as one dipole
    double area;
  };

  void sort_triangles(const TriangleMesh& mesh);
  void fit_packs();
  void fit_nodes();
  Bounds fit_leaf(std::size_t node);
  Bounds fit_parent(std::size_t node, const std::vector<Bounds>& boxes);
  // Calls far(dipole, way to it, its square) and near(corners): together they cover the mesh.
  template <class Far, class Near>
  void walk(const Vec3d& p, Far&& far, Near&& near) const;

  std::size_t first_leaf() const { return ((std::size_t(1) << 2 * levels_) - 1) / 3; }
  // The SIMD vectors from the k-th leaf on, of 4^level equal parts.
  std::size_t pack_of(std::uint64_t k, int level) const { return k * packs_.size() >> 2 * level; }

  // A complete tree of four children each: those of node i are 4i+1 to 4i+4, the last 4^levels_
  // nodes are leaves, and each leaf holds an equal share of the SIMD vectors.
  int levels_ = 0;
  Vec3d middle_{{0, 0, 0}};
  double per_size_ = 1;  // 1 / size of the mesh
  std::vector<Corners> triangles_;
  std::vector<TrianglePack> packs_;
  std::vector<BoxPack> boxes_;
  std::vector<Dipole> dipoles_;
};

}  // namespace firn
