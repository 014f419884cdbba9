#include "fem/self_mesh.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace firn {
namespace {

constexpr std::uint32_t kNothing = 0xffffffffu;

template <int D>
Vec<double, D> rest_place(const double* rest, std::uint32_t vertex) {
  Vec<double, D> p;
  for (int a = 0; a < D; ++a) p[a] = rest[D * std::size_t(vertex) + a];
  return p;
}

template <int D>
double rest_distance(const double* rest, std::uint32_t u, std::uint32_t v) {
  const Vec<double, D> apart = rest_place<D>(rest, u) - rest_place<D>(rest, v);
  return std::sqrt(dot(apart, apart));
}

std::uint32_t root_of(std::vector<std::uint32_t>& parent, std::uint32_t v) {
  while (parent[v] != v) v = parent[v] = parent[parent[v]];
  return v;
}

template <class Element>
void join(std::vector<std::uint32_t>& parent, const std::vector<Element>& elements) {
  for (const Element& element : elements)
    for (std::uint32_t v : element) {
      const std::uint32_t a = root_of(parent, element[0]), b = root_of(parent, v);
      parent[std::max(a, b)] = std::min(a, b);
    }
}

// Adds the lengths of the elements' edges to their ends, where there is none from before.
template <int D, class Element>
void average_edges(const std::vector<Element>& elements, const double* rest,
                   std::vector<double>& spacing) {
  std::vector<double> total(spacing.size(), 0), count(spacing.size(), 0);
  for (const Element& element : elements)
    for (std::size_t i = 0; i < element.size(); ++i)
      for (std::size_t j = 0; j < i; ++j) {
        const double length = rest_distance<D>(rest, element[i], element[j]);
        for (std::uint32_t v : {element[i], element[j]}) {
          total[v] += length;
          count[v] += 1;
        }
      }
  for (std::size_t v = 0; v < spacing.size(); ++v)
    if (!(spacing[v] > 0) && total[v] > 0) spacing[v] = total[v] / count[v];
}

}  // namespace

template <int D>
std::vector<SelfFace<D>> boundary_of(const std::vector<SelfCell<D>>& cells) {
  struct Side {
    SelfFace<D> key;
    std::size_t number;  // D + 1 a cell
    bool operator<(const Side& other) const {
      return key != other.key ? key < other.key : number < other.number;
    }
  };
  const auto side_of = [&](std::size_t number) {
    const SelfCell<D>& c = cells[number / (D + 1)];
    const std::size_t left_out = number % (D + 1);
    SelfFace<D> face;
    for (std::size_t i = 0; i < D; ++i) face[i] = c[i < left_out ? i : i + 1];
    // Leaving out corners in turn gives sides of alternating orientation.
    if (left_out % 2 == 1) std::swap(face[D - 2], face[D - 1]);
    return face;
  };
  std::vector<Side> sides(cells.size() * (D + 1));
  for (std::size_t s = 0; s < sides.size(); ++s) {
    sides[s] = {side_of(s), s};
    std::sort(sides[s].key.begin(), sides[s].key.end());
  }
  std::sort(sides.begin(), sides.end());
  std::vector<std::size_t> lone;
  for (std::size_t s = 0; s < sides.size();) {
    std::size_t end = s + 1;
    while (end < sides.size() && sides[end].key == sides[s].key) ++end;
    if (end == s + 1) lone.push_back(sides[s].number);
    s = end;
  }
  std::sort(lone.begin(), lone.end());
  std::vector<SelfFace<D>> faces(lone.size());
  for (std::size_t f = 0; f < lone.size(); ++f) faces[f] = side_of(lone[f]);
  return faces;
}

template <>
std::vector<SelfCell<2>> linear_parts<2>(const std::vector<std::uint32_t>& cells) {
  std::vector<SelfCell<2>> parts;
  for (std::size_t c = 0; c + 6 <= cells.size(); c += 6) {
    const std::uint32_t* n = &cells[c];  // 3: (0,1), 4: (0,2), 5: (1,2)
    for (const SelfCell<2>& part : {SelfCell<2>{0, 3, 4}, {3, 1, 5}, {4, 5, 2}, {3, 5, 4}})
      parts.push_back({n[part[0]], n[part[1]], n[part[2]]});
  }
  return parts;
}

template <>
std::vector<SelfCell<3>> linear_parts<3>(const std::vector<std::uint32_t>& cells) {
  std::vector<SelfCell<3>> parts;
  for (std::size_t c = 0; c + 10 <= cells.size(); c += 10) {
    // 4: (0,1), 5: (0,2), 6: (0,3), 7: (1,2), 8: (1,3), 9: (2,3). Four at the corners, and four
    // around the line 5-8 that share the octahedron in the middle.
    const std::uint32_t* n = &cells[c];
    for (const SelfCell<3>& part : {SelfCell<3>{0, 4, 5, 6},
                                    {4, 1, 7, 8},
                                    {5, 7, 2, 9},
                                    {6, 8, 9, 3},
                                    {5, 8, 4, 7},
                                    {5, 8, 7, 9},
                                    {5, 8, 9, 6},
                                    {5, 8, 6, 4}})
      parts.push_back({n[part[0]], n[part[1]], n[part[2]], n[part[3]]});
  }
  return parts;
}

template <int D>
SelfMesh<D>::SelfMesh(std::size_t vertices, std::vector<SelfCell<D>> cells_given,
                      std::vector<SelfFace<D>> faces_given, const double* rest)
    : cells(std::move(cells_given)), faces(std::move(faces_given)) {
  find_bodies(vertices);
  find_ends(vertices);
  measure(vertices, rest);
  spread_faces(vertices, rest);
}

template <int D>
void SelfMesh<D>::find_bodies(std::size_t vertices) {
  std::vector<std::uint32_t> parent(vertices);
  for (std::uint32_t v = 0; v < vertices; ++v) parent[v] = v;
  join(parent, cells);
  join(parent, faces);
  std::vector<std::uint32_t> body(vertices, kNothing);
  const auto body_of = [&](std::uint32_t v) {
    std::uint32_t& number = body[root_of(parent, v)];
    if (number == kNothing) number = bodies++;
    return number;
  };
  for (const auto& cell : cells) body_of_cell.push_back(body_of(cell[0]));
  for (const auto& face : faces) body_of_face.push_back(body_of(face[0]));
  faces_of_body.resize(bodies);
  for (std::uint32_t f = 0; f < faces.size(); ++f) faces_of_body[body_of_face[f]].push_back(f);
}

// A boundary vertex that is no cell's corner lies on the edge between the two corners that it
// shares faces with.
template <int D>
void SelfMesh<D>::find_ends(std::size_t vertices) {
  std::vector<char> corner_of_cell(vertices, 0);
  on_boundary.assign(vertices, 0);
  for (const auto& cell : cells)
    for (std::uint32_t v : cell) corner_of_cell[v] = 1;
  ends.assign(vertices, {kNothing, kNothing});
  for (std::uint32_t v = 0; v < vertices; ++v)
    if (corner_of_cell[v]) ends[v] = {v, v};
  for (const auto& face : faces)
    for (std::uint32_t v : face) {
      on_boundary[v] = 1;
      if (corner_of_cell[v]) continue;
      for (std::uint32_t other : face) {
        if (!corner_of_cell[other] || other == ends[v][0] || other == ends[v][1]) continue;
        ends[v][ends[v][0] == kNothing ? 0 : 1] = other;
      }
    }
}

template <int D>
void SelfMesh<D>::measure(std::size_t vertices, const double* rest) {
  spacing.assign(vertices, 0);
  average_edges<D>(faces, rest, spacing);
  average_edges<D>(cells, rest, spacing);
}

// From the boundary inwards, cell by cell: a vertex takes the face of the neighbour for which the
// way over it is shortest.
template <int D>
void SelfMesh<D>::spread_faces(std::size_t vertices, const double* rest) {
  face_near.assign(vertices, kNoFace);
  std::vector<double> way(vertices, 0);
  for (std::uint32_t f = 0; f < faces.size(); ++f)
    for (std::uint32_t v : faces[f]) face_near[v] = std::min(face_near[v], f);
  std::vector<std::uint32_t> open(cells.size());
  for (std::uint32_t c = 0; c < cells.size(); ++c) open[c] = c;
  while (!open.empty()) {
    std::vector<std::uint32_t> left;
    std::vector<std::pair<std::uint32_t, std::uint32_t>> reached;  // vertex, from where
    for (std::uint32_t c : open) {
      std::uint32_t known = 0;
      for (std::uint32_t v : cells[c]) known += face_near[v] != kNoFace;
      if (known == 0) left.push_back(c);
      if (known == 0 || known > D) continue;
      for (std::uint32_t v : cells[c])
        for (std::uint32_t u : cells[c])
          if (face_near[v] == kNoFace && face_near[u] != kNoFace) reached.push_back({v, u});
    }
    if (reached.empty() && left.size() == open.size()) break;
    const auto way_over = [&](const std::pair<std::uint32_t, std::uint32_t>& step) {
      return way[step.second] + rest_distance<D>(rest, step.first, step.second);
    };
    std::sort(reached.begin(), reached.end());
    for (std::size_t i = 0; i < reached.size();) {
      std::size_t best = i, end = i;
      for (; end < reached.size() && reached[end].first == reached[i].first; ++end)
        if (way_over(reached[end]) < way_over(reached[best])) best = end;
      const auto [vertex, from] = reached[best];
      way[vertex] = way_over(reached[best]);
      face_near[vertex] = face_near[from];
      i = end;
    }
    open.swap(left);
  }
}

template std::vector<SelfFace<2>> boundary_of<2>(const std::vector<SelfCell<2>>&);
template std::vector<SelfFace<3>> boundary_of<3>(const std::vector<SelfCell<3>>&);
template struct SelfMesh<2>;
template struct SelfMesh<3>;

}  // namespace firn
