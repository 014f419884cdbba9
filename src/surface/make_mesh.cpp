#include <algorithm>
#include <cmath>

#include "exec/parallel.h"
#include "surface/marching_table.h"
#include "surface/patch.h"
#include "surface/surface_mesh.h"

namespace firn {
namespace {

using Cells = Patch<0, 1>;

// Numbers of the vertices of a block: one for each edge that starts at a sample and crosses.
struct BlockVertices {
  std::uint32_t first = 0, count = 0;
  std::vector<std::int32_t> number;  // from `first`, by 3 sample + axis; empty: none
};

std::size_t vertex_slot(int sample, int axis) {
  return 3 * static_cast<std::size_t>(sample) + static_cast<std::size_t>(axis);
}

int lower(int sample, int axis) {
  return sample >> (3 * (2 - axis)) & (kBlockEdge - 1);
}

float other_end(const Cells& cells, int i, int j, int k, int axis) {
  return cells(i + (axis == 0), j + (axis == 1), k + (axis == 2));
}

class Marcher {
 public:
  explicit Marcher(const LevelSet& level_set)
      : level_set_(level_set), blocks_(static_cast<std::size_t>(level_set.grid.size())) {}

  SurfaceMesh run() {
    for_blocks([this](int b, const Cells& cells) { number_vertices(b, cells); });
    std::uint32_t total = 0;
    for (BlockVertices& block : blocks_) {
      block.first = total;
      total += block.count;
    }
    mesh_.vertices.resize(total);
    std::vector<std::vector<SurfaceMesh::Triangle>> triangles(blocks_.size());
    for_blocks([&](int b, const Cells& cells) {
      place_vertices(b, cells);
      triangles[static_cast<std::size_t>(b)] = make_triangles(b, cells);
    });
    for (const auto& list : triangles)
      mesh_.triangles.insert(mesh_.triangles.end(), list.begin(), list.end());
    return std::move(mesh_);
  }

 private:
  // Blocks that are all outside or all inside, with the layer after them, have no part.
  template <class Body>
  void for_blocks(Body&& body) {
    parallel_for("mesh", level_set_.grid.size(), 16, [&](std::int64_t first, std::int64_t last) {
      Cells cells;
      for (int b = static_cast<int>(first); b < static_cast<int>(last); ++b) {
        cells.fetch(level_set_, b);
        const auto inside = std::count_if(std::begin(cells.values), std::end(cells.values),
                                          [](float value) { return value < 0; });
        if (inside > 0 && inside < std::ssize(cells.values)) body(b, cells);
      }
    });
  }

  template <class Body>
  static void for_crossings(const Cells& cells, Body&& body) {
    for (int s = 0; s < kBlockSamples; ++s) {
      const int i = lower(s, 0), j = lower(s, 1), k = lower(s, 2);
      const float here = cells(i, j, k);
      for (int axis = 0; axis < 3; ++axis) {
        const float there = other_end(cells, i, j, k, axis);
        if ((here < 0) != (there < 0)) body(s, axis, here / (here - there));
      }
    }
  }

  void number_vertices(int b, const Cells& cells) {
    BlockVertices& block = blocks_[static_cast<std::size_t>(b)];
    block.number.assign(3 * kBlockSamples, -1);
    for_crossings(cells, [&](int s, int axis, float) {
      block.number[vertex_slot(s, axis)] = static_cast<std::int32_t>(block.count++);
    });
  }

  void place_vertices(int b, const Cells& cells) {
    const BlockVertices& block = blocks_[static_cast<std::size_t>(b)];
    const SampleBlockCoord home = level_set_.grid.coord(b);
    std::uint32_t next = block.first;
    for_crossings(cells, [&](int s, int axis, float t) {
      double x[3] = {double(home.x) * kBlockEdge + lower(s, 0),
                     double(home.y) * kBlockEdge + lower(s, 1),
                     double(home.z) * kBlockEdge + lower(s, 2)};
      x[axis] += std::clamp(t, 0.001f, 0.999f);  // triangles of no area help nobody
      for (int a = 0; a < 3; ++a)
        mesh_.vertices[next][a] = static_cast<float>(x[a] * level_set_.voxel);
      ++next;
    });
  }

  // A block and those one step up along some of the axes, where its cells end.
  struct Around {
    const BlockVertices* block[2][2][2];
  };
  Around around(int b) const {
    Around result;
    for (int x = 0; x < 2; ++x)
      for (int y = 0; y < 2; ++y)
        for (int z = 0; z < 2; ++z) {
          const int n = level_set_.grid.find(level_set_.grid.coord(b) + SampleBlockCoord{x, y, z});
          result.block[x][y][z] = n < 0 ? nullptr : &blocks_[static_cast<std::size_t>(n)];
        }
    return result;
  }

  static std::uint32_t vertex(const Around& blocks, int i, int j, int k, int edge) {
    const CellEdge e = cell_edge(edge);
    const int x = i + (e.corner & 1), y = j + (e.corner >> 1 & 1), z = k + (e.corner >> 2);
    const BlockVertices& block = *blocks.block[x / kBlockEdge][y / kBlockEdge][z / kBlockEdge];
    const int mask = kBlockEdge - 1;
    const int s = sample_index(x & mask, y & mask, z & mask);
    return block.first + static_cast<std::uint32_t>(block.number[vertex_slot(s, e.axis)]);
  }

  std::vector<SurfaceMesh::Triangle> make_triangles(int b, const Cells& cells) const {
    const auto& table = cell_triangles();
    const Around blocks = around(b);
    std::vector<SurfaceMesh::Triangle> triangles;
    for (int s = 0; s < kBlockSamples; ++s) {
      const int i = lower(s, 0), j = lower(s, 1), k = lower(s, 2);
      unsigned inside = 0;
      for (int c = 0; c < 8; ++c)
        inside |= unsigned(cells(i + (c & 1), j + (c >> 1 & 1), k + (c >> 2)) < 0) << c;
      for (const auto& triangle : table[inside])
        triangles.push_back({vertex(blocks, i, j, k, triangle[0]),
                             vertex(blocks, i, j, k, triangle[1]),
                             vertex(blocks, i, j, k, triangle[2])});
    }
    return triangles;
  }

  const LevelSet& level_set_;
  std::vector<BlockVertices> blocks_;
  SurfaceMesh mesh_;
};

}  // namespace

SurfaceMesh make_mesh(const LevelSet& level_set) {
  return Marcher(level_set).run();
}

double mesh_volume(const SurfaceMesh& mesh) {
  if (mesh.vertices.empty()) return 0;
  const Vec3d origin = mesh.vertices[0].cast<double>();
  double volume = 0;
  for (const SurfaceMesh::Triangle& t : mesh.triangles) {
    const Vec3d a = mesh.vertices[t[0]].cast<double>() - origin;
    const Vec3d b = mesh.vertices[t[1]].cast<double>() - origin;
    const Vec3d c = mesh.vertices[t[2]].cast<double>() - origin;
    volume += dot(a, cross(b, c)) / 6;
  }
  return volume;
}

}  // namespace firn
