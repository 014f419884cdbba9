#include "geometry/simplex_boundary.h"

#include <algorithm>
#include <limits>
#include <numeric>

namespace firn {
namespace {

// Corners of the face opposite to each corner, outwards for positively oriented cells.
template <int D>
struct OutwardFaces;
template <>
struct OutwardFaces<2> {
  static constexpr int kCorners[3][2] = {{1, 2}, {2, 0}, {0, 1}};
};
template <>
struct OutwardFaces<3> {
  static constexpr int kCorners[4][3] = {{1, 2, 3}, {0, 3, 2}, {0, 1, 3}, {0, 2, 1}};
};

template <int N>
using Corners = std::array<std::uint32_t, N>;

template <int D>
Corners<D> face_of(const SimplexMesh<D>& mesh, std::size_t cell, int opposite) {
  Corners<D> face;
  for (int i = 0; i < D; ++i) face[i] = mesh.cells[cell][OutwardFaces<D>::kCorners[opposite][i]];
  return face;
}

// Sorted corners, and whether sorting took an odd number of exchanges.
template <std::size_t N>
bool sort_corners(std::array<std::uint32_t, N>& corners) {
  bool odd = false;
  for (std::size_t i = 1; i < N; ++i)
    for (std::size_t j = i; j > 0 && corners[j] < corners[j - 1]; --j) {
      std::swap(corners[j], corners[j - 1]);
      odd = !odd;
    }
  return odd;
}

template <int N>
struct Sided {
  Corners<N> sorted;
  bool odd;
  std::uint32_t owner;  // number of the face or ridge in the order of their making
};

// Groups of equal corners: calls use(first, last) for each. Buckets by the smallest corner keep the
// sorting short.
template <int N, class Use>
void for_each_group(const std::vector<Sided<N>>& items, std::size_t points, Use&& use) {
  std::vector<std::uint32_t> start(points + 1, 0);
  for (const Sided<N>& item : items) ++start[item.sorted[0] + 1];
  for (std::size_t i = 0; i < points; ++i) start[i + 1] += start[i];
  std::vector<std::uint32_t> next(start.begin(), start.end() - 1);
  std::vector<Sided<N>> ordered(items.size());
  for (const Sided<N>& item : items) ordered[next[item.sorted[0]]++] = item;
  for (std::size_t i = 0; i < points; ++i) {
    const auto begin = ordered.begin() + start[i], end = ordered.begin() + start[i + 1];
    std::sort(begin, end, [](const Sided<N>& a, const Sided<N>& b) {
      return a.sorted != b.sorted ? a.sorted < b.sorted : a.owner < b.owner;
    });
    for (auto first = begin; first != end;) {
      auto last = first + 1;
      while (last != end && last->sorted == first->sorted) ++last;
      use(&*first, &*first + (last - first));
      first = last;
    }
  }
}

template <int D, class Use>
void for_each_face_group(const SimplexMesh<D>& mesh, Use&& use) {
  std::vector<Sided<D>> faces;
  faces.reserve(mesh.cells.size() * (D + 1));
  for (std::size_t cell = 0; cell < mesh.cells.size(); ++cell)
    for (int opposite = 0; opposite <= D; ++opposite) {
      Sided<D> face{face_of(mesh, cell, opposite), false,
                    static_cast<std::uint32_t>(cell * (D + 1) + opposite)};
      face.odd = sort_corners(face.sorted);
      faces.push_back(face);
    }
  for_each_group<D>(faces, mesh.points.size(), use);
}

template <int D>
BoundaryFace<D> boundary_face(const SimplexMesh<D>& mesh, std::uint32_t owner) {
  const std::uint32_t cell = owner / (D + 1);
  return {face_of(mesh, cell, static_cast<int>(owner % (D + 1))), cell};
}

class Groups {
 public:
  explicit Groups(std::size_t n) : parent_(n) {
    std::iota(parent_.begin(), parent_.end(), std::uint32_t{0});
  }
  std::uint32_t root(std::uint32_t i) {
    while (parent_[i] != i) i = parent_[i] = parent_[parent_[i]];
    return i;
  }
  void join(std::uint32_t a, std::uint32_t b) { parent_[root(a)] = root(b); }

 private:
  std::vector<std::uint32_t> parent_;
};

// Edges of boundary triangles, and the fans of triangles about their corners: corner c of face f is
// item 3 f + c, and two of them are of one fan when their faces share an edge at that corner.
void survey_ridges(const std::vector<BoundaryFace<3>>& faces, std::size_t points,
                   BoundarySurvey& survey) {
  std::vector<Sided<2>> edges;
  edges.reserve(3 * faces.size());
  for (std::size_t f = 0; f < faces.size(); ++f)
    for (int i = 0; i < 3; ++i) {
      Sided<2> edge{{faces[f].corners[i], faces[f].corners[(i + 1) % 3]},
                    false,
                    static_cast<std::uint32_t>(3 * f + i)};
      edge.odd = sort_corners(edge.sorted);
      edges.push_back(edge);
    }
  const auto corner_item = [&](std::uint32_t edge, std::uint32_t point) {
    const std::uint32_t first = edge / 3 * 3;
    for (std::uint32_t i = 0; i < 3; ++i)
      if (faces[edge / 3].corners[i] == point) return first + i;
    return first;
  };
  Groups fans(3 * faces.size());
  std::int64_t edge_count = 0;
  for_each_group<2>(edges, points, [&](const Sided<2>* first, const Sided<2>* last) {
    ++edge_count;
    if (last - first != 2 || first[0].odd == first[1].odd) {
      ++survey.open_ridges;
      return;
    }
    for (const std::uint32_t point : first->sorted)
      fans.join(corner_item(first[0].owner, point), corner_item(first[1].owner, point));
  });
  std::vector<std::uint32_t> fan_of(points, std::numeric_limits<std::uint32_t>::max());
  std::vector<bool> pinched(points, false);
  for (std::uint32_t item = 0; item < 3 * faces.size(); ++item) {
    const std::uint32_t point = faces[item / 3].corners[item % 3], fan = fans.root(item);
    if (fan_of[point] == std::numeric_limits<std::uint32_t>::max()) {
      fan_of[point] = fan;
      ++survey.points;
    } else if (fan_of[point] != fan) {
      pinched[point] = true;
    }
  }
  survey.pinched_points =
      static_cast<std::size_t>(std::count(pinched.begin(), pinched.end(), true));
  survey.euler = static_cast<std::int64_t>(survey.points) - edge_count +
                 static_cast<std::int64_t>(faces.size());
}

// In 2D every point of the outline has one edge that comes and one that goes.
void survey_ridges(const std::vector<BoundaryFace<2>>& faces, std::size_t points,
                   BoundarySurvey& survey) {
  std::vector<std::uint32_t> coming(points, 0), going(points, 0);
  for (const BoundaryFace<2>& face : faces) {
    ++going[face.corners[0]];
    ++coming[face.corners[1]];
  }
  for (std::size_t i = 0; i < points; ++i) {
    if (coming[i] + going[i] == 0) continue;
    ++survey.points;
    if (coming[i] != going[i])
      ++survey.open_ridges;
    else if (coming[i] > 1)
      ++survey.pinched_points;
  }
  survey.euler = static_cast<std::int64_t>(survey.points) - static_cast<std::int64_t>(faces.size());
}

}  // namespace

template <int D>
std::vector<BoundaryFace<D>> boundary_faces(const SimplexMesh<D>& mesh) {
  std::vector<std::uint32_t> owners;
  for_each_face_group(mesh, [&](const Sided<D>* first, const Sided<D>* last) {
    if (last - first == 1) owners.push_back(first->owner);
  });
  std::sort(owners.begin(), owners.end());
  std::vector<BoundaryFace<D>> faces;
  faces.reserve(owners.size());
  for (const std::uint32_t owner : owners) faces.push_back(boundary_face(mesh, owner));
  return faces;
}

template <int D>
BoundarySurvey survey_boundary(const SimplexMesh<D>& mesh) {
  BoundarySurvey survey;
  std::vector<BoundaryFace<D>> faces;
  for_each_face_group(mesh, [&](const Sided<D>* first, const Sided<D>* last) {
    if (last - first == 1) {
      faces.push_back(boundary_face(mesh, first->owner));
    } else if (last - first > 2 || first[0].odd == first[1].odd) {
      ++survey.crowded_faces;
      survey.crowded_cell = first->owner / (D + 1);
    }
  });
  survey.faces = faces.size();
  survey_ridges(faces, mesh.points.size(), survey);
  return survey;
}

template <int D>
std::size_t count_bodies(const SimplexMesh<D>& mesh) {
  Groups bodies(mesh.cells.size());
  for_each_face_group(mesh, [&](const Sided<D>* first, const Sided<D>* last) {
    for (const Sided<D>* face = first + 1; face != last; ++face)
      bodies.join(face->owner / (D + 1), first->owner / (D + 1));
  });
  std::size_t count = 0;
  for (std::uint32_t i = 0; i < mesh.cells.size(); ++i) count += bodies.root(i) == i;
  return count;
}

template std::vector<BoundaryFace<2>> boundary_faces(const SimplexMesh<2>&);
template std::vector<BoundaryFace<3>> boundary_faces(const SimplexMesh<3>&);
template BoundarySurvey survey_boundary(const SimplexMesh<2>&);
template BoundarySurvey survey_boundary(const SimplexMesh<3>&);
template std::size_t count_bodies(const SimplexMesh<2>&);
template std::size_t count_bodies(const SimplexMesh<3>&);

}  // namespace firn
