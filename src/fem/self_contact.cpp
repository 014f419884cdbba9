#include "fem/self_contact.h"

#include <algorithm>
#include <utility>

namespace firn {
namespace {

constexpr std::size_t kCellsPerLeaf = 2, kFacesPerLeaf = 2;

template <int D, class Element>
std::vector<Vec<double, D>> centers_of(const std::vector<Element>& elements, const double* rest) {
  std::vector<Vec<double, D>> centers;
  centers.reserve(elements.size());
  for (const Element& element : elements) {
    Vec<double, D> center = Vec<double, D>::zero();
    for (std::uint32_t v : element)
      for (int a = 0; a < D; ++a) center[a] += rest[D * std::size_t(v) + a];
    centers.push_back(center * (1.0 / double(element.size())));
  }
  return centers;
}

}  // namespace

template <int D>
SelfContact<D>::SelfContact(std::size_t vertices, std::vector<SelfCell<D>> cells,
                            std::vector<SelfFace<D>> faces, const double* rest,
                            std::vector<double> stiffness_of_vertex, bool all_vertices)
    : mesh_(vertices, std::move(cells), std::move(faces), rest),
      stiffness_(std::move(stiffness_of_vertex)),
      last_met_(vertices, kNoFace) {
  for (std::uint32_t v = 0; v < vertices; ++v) {
    if (!(mesh_.spacing[v] > 0)) continue;  // part of nothing
    if (D == 2) stiffness_[v] /= mesh_.spacing[v];
    if (all_vertices || mesh_.on_boundary[v]) tested_.push_back(v);
    widest_skin_ += mesh_.spacing[v];
  }
  constexpr double kSkin = 0.5;  // mean spacings
  widest_skin_ *= kSkin / double(std::max<std::size_t>(vertices, 1));
  skin_ = widest_skin_;
  rest_.resize(vertices);
  for (std::size_t v = 0; v < vertices; ++v)
    for (int a = 0; a < D; ++a) rest_[v][a] = rest[D * v + a];
  body_of_vertex_.assign(vertices, mesh_.bodies);
  std::vector<std::uint32_t> all_cells(mesh_.cells.size());
  for (std::uint32_t c = 0; c < all_cells.size(); ++c) {
    all_cells[c] = c;
    for (std::uint32_t v : mesh_.cells[c]) body_of_vertex_[v] = mesh_.body_of_cell[c];
  }
  middle_of_cell_ = centers_of<D>(mesh_.cells, rest);
  cell_tree_ = SelfTree<D>(std::move(all_cells), middle_of_cell_, kCellsPerLeaf);
  middle_of_face_ = centers_of<D>(mesh_.faces, rest);
  rest_tree_ = cell_tree_;
  rest_tree_.refit([&](std::uint32_t c) {
    SelfBox<D> box;
    for (std::uint32_t v : mesh_.cells[c]) box.include(rest_[v]);
    return box;
  });
  known_.resize(vertices);
  for (const std::vector<std::uint32_t>& own : mesh_.faces_of_body)
    face_trees_.emplace_back(own, middle_of_face_, kFacesPerLeaf);
}

template <int D>
bool SelfContact<D>::cell_is_near(std::uint32_t vertex, std::uint32_t cell) {
  return asked_before(vertex, cell, middle_of_cell_[cell]);
}
template <int D>
bool SelfContact<D>::face_is_near(std::uint32_t vertex, std::uint32_t face) {
  return asked_before(vertex, static_cast<std::uint32_t>(mesh_.cells.size()) + face,
                      middle_of_face_[face]);
}
template <int D>
bool SelfContact<D>::asked_before(std::uint32_t vertex, std::uint32_t what,
                                  const Vec<double, D>& middle) {
  return known_[vertex].of(what, [&] { return is_near(vertex, middle); });
}

// On the way there is something else than cells where a point is in no cell's box.
template <int D>
bool SelfContact<D>::is_near(std::uint32_t vertex, const Vec<double, D>& middle) const {
  constexpr double kNear = 5;  // spacings
  constexpr int kParts = 10;
  const Vec<double, D> way = middle - rest_[vertex];
  const double reach = kNear * mesh_.spacing[vertex];
  if (dot(way, way) >= reach * reach) return false;
  for (int k = 1; k < kParts; ++k)
    if (!rest_tree_.any_around(rest_[vertex] + way * (double(k) / kParts))) return false;
  return true;
}

template <int D>
void SelfContact<D>::add_gradient(double* gradient) const {
  using Part = typename SelfSums<D>::Part;
  sums_.template gather<D>(1, gradient, [&](const Part& part, double* sum) {
    const SelfPair<D>& pair = pairs_[part.pair];
    const double along = -pair.share(part.slot) * pair.force;
    for (int a = 0; a < D; ++a) sum[a] += along * pair.normal[a];
  });
}

template <int D>
void SelfContact<D>::linearize(Curvature kind) {
  hessians_.resize(pairs_.size() * kSize * kSize);
  const auto n = static_cast<std::int64_t>(pairs_.size());
  parallel_for("self contact, derivatives", n, 64, [&](std::int64_t p, std::int64_t end) {
    for (; p < end; ++p) {
      const Shape& shape = shapes_[p];
      distance_hessian(shape.distance, shape.penalty.slope, shape.penalty.curvature,
                       kind == Curvature::definite, &hessians_[p * kSize * kSize]);
    }
  });
}

template <int D>
void SelfContact<D>::add_product(const double* d, double* out, double factor) const {
  using Part = typename SelfSums<D>::Part;
  sums_.template gather<D>(factor, out, [&](const Part& part, double* sum) {
    const SelfPair<D>& pair = pairs_[part.pair];
    const double* row = &hessians_[(part.pair * std::size_t(kSize) + part.slot * D) * kSize];
    for (int a = 0; a < D; ++a, row += kSize)
      for (int slot = 0; slot <= pair.corners; ++slot) {
        const double* there = d + D * std::size_t(pair.place(slot));
        for (int b = 0; b < D; ++b) sum[a] += row[slot * D + b] * there[b];
      }
  });
}

template <int D>
void SelfContact<D>::add_diagonal_blocks(double factor, double* blocks) const {
  using Part = typename SelfSums<D>::Part;
  sums_.template gather<D * D>(factor, blocks, [&](const Part& part, double* sum) {
    const int first = part.slot * D;
    const double* row = &hessians_[(part.pair * std::size_t(kSize) + first) * kSize + first];
    for (int a = 0; a < D; ++a, row += kSize)
      for (int b = 0; b < D; ++b) sum[a * D + b] += row[b];
  });
}

template class SelfContact<2>;
template class SelfContact<3>;

}  // namespace firn
