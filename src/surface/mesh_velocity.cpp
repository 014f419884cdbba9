#include "exec/parallel.h"
#include "surface/surface_mesh.h"

namespace firn {
namespace {

// Vertices of one block, one array a component, and what the particles nearby add to them.
struct VertexSums {
  std::vector<float> x, y, z, weight, vx, vy, vz;

  void clear(std::size_t count) {
    for (std::vector<float>* column : {&x, &y, &z, &weight, &vx, &vy, &vz})
      column->assign(count, 0.0f);
  }
  void add(const Vec3f& p, const Vec3f& v, float scale) {
    const std::size_t count = x.size();
    for (std::size_t i = 0; i < count; ++i) {
      const float dx = x[i] - p[0], dy = y[i] - p[1], dz = z[i] - p[2];
      const float q = 1 - (dx * dx + dy * dy + dz * dz) * scale;
      const float positive = q > 0 ? q : 0;
      const float w = positive * positive * positive;
      weight[i] += w;
      vx[i] += w * v[0];
      vy[i] += w * v[1];
      vz[i] += w * v[2];
    }
  }
};

}  // namespace

void add_velocity(SurfaceMesh& mesh, const PointBins& bins, const std::vector<Vec3f>& velocity,
                  double voxel, double radius) {
  const double reach = kKernelRadii * radius / voxel;  // voxels
  const auto scale = static_cast<float>(1 / (reach * reach));
  const PointBins vertices = bin_points(mesh.vertices, voxel);
  mesh.velocity.assign(mesh.vertices.size(), Vec3f::zero());
  parallel_for("velocity", vertices.grid.size(), 4, [&](std::int64_t first, std::int64_t last) {
    VertexSums sums;
    for (auto b = static_cast<std::size_t>(first); b < static_cast<std::size_t>(last); ++b) {
      const std::uint32_t begin = vertices.begin[b], count = vertices.begin[b + 1] - begin;
      sums.clear(count);
      for (std::size_t i = 0; i < count; ++i) {
        const Vec3f& x = vertices.position[begin + i];
        sums.x[i] = x[0], sums.y[i] = x[1], sums.z[i] = x[2];
      }
      visit_near(
          bins, vertices.grid.coord(static_cast<int>(b)), kBlockEdge + 1, reach,
          [&](std::size_t p, const Vec3f& x) { sums.add(x, velocity[bins.source[p]], scale); });
      for (std::size_t i = 0; i < count; ++i)
        if (sums.weight[i] > 0)
          mesh.velocity[vertices.source[begin + i]] =
              Vec3f{{sums.vx[i], sums.vy[i], sums.vz[i]}} / sums.weight[i];
    }
  });
}

}  // namespace firn
