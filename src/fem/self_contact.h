// Contact within and between deformable bodies by penalty (OPT 2.4.3).
//
// A vertex inside a cell that it is no part of is pushed to the nearest point of the boundary of
// that cell's body, a face, an edge or a vertex, with the energy k depth^3. k is the vertex's
// stiffness in 3D, in Pa, and that over its spacing at rest in 2D, so that the force 3 k depth^2 of
// a vertex, spread over its share of the surface, is in both the pressure 3 stiffness
// (depth/spacing)^2: with the modulus of the body, strains of 10 % sink in by 0.18 spacings.
//
// Vertices of the boundary are tested alone unless asked otherwise: a body cannot enter another
// but with its boundary, contact of finer surfaces than the cells' depth is theirs, and inner
// vertices count for nothing but bodies that already overlap by more than a cell.
//
// The energy is a function of the places alone (what a vertex met before makes the search shorter
// and changes no result; a checkpoint need not keep it), and it is continuous, with its gradient
// wherever the nearest primitive stays on one side. Limits, which are those of the method:
// - Halfway through a body the nearest face is that of the other side: the push turns around there.
//   A vertex that has gone through, which is inside of nothing, is not pushed at all.
// - In a body of its own cells and faces within five spacings of a vertex at rest, with nothing but
//   cells on the way, do not count: what is crushed or turned inside out there is elasticity's
//   matter, and a vertex that leaves its own cells for their neighbours would be deep at once.
// - Only vertices are tested, and where they are, not how they came there: edges that cross pass
//   until a vertex is inside, and a minimizer whose steps are longer than half a cell may leap over
//   a thin body.
// - Cells are those of their corners. Inverted ones hold what they cover, flat ones hold nothing.
#pragma once

#include <cstdint>
#include <vector>

#include "base/mat.h"
#include "fem/known_answers.h"
#include "fem/self_mesh.h"
#include "fem/self_nearest.h"
#include "fem/self_pair.h"
#include "fem/self_sums.h"
#include "fem/self_tree.h"
#include "solvers/problem.h"

namespace firn {

template <int D>
class SelfContact {
 public:
  // Arrays of numbers by vertex hold D of them each. Second-order nodes take part as corners of the
  // boundary faces, or of the cells where these are linear_parts. `all_vertices`: cells' corners
  // inside of bodies are tested too.
  SelfContact(std::size_t vertices, std::vector<SelfCell<D>> cells, std::vector<SelfFace<D>> faces,
              const double* rest, std::vector<double> stiffness_of_vertex,
              bool all_vertices = false);

  // Which vertices are inside of what at places x. What follows is of these places.
  void detect(const double* x);
  const std::vector<SelfPair<D>>& pairs() const { return pairs_; }  // by vertex, then by body
  // Keeps the pairs of the places asked last, each as a plane at its nearest point: nothing new is
  // met, and the energy is smooth whatever happens. For where contact within a crushed body comes
  // and goes with rounding, and searches end.
  void hold_pairs() { keeps_pairs_ = true; }
  void let_pairs_go() { keeps_pairs_ = false; }
  bool holds_pairs() const { return keeps_pairs_; }
  double energy() const { return energy_; }
  void add_gradient(double* gradient) const;

  // Second derivatives, exact or each pair's positive semidefinite part that is easy to have
  // (distance_hessian).
  void linearize(Curvature kind = Curvature::exact);
  void add_product(const double* d, double* out, double factor) const;  // out += factor H d
  // f(vertex, vertex, matrix) for what each pair has between two of its vertices.
  template <class F>
  void for_blocks(F&& f) const {
    for (std::size_t p = 0; p < pairs_.size(); ++p)
      for (int s = 0; s <= pairs_[p].corners; ++s)
        for (int t = 0; t <= pairs_[p].corners; ++t) {
          Mat<double, D> block;
          for (int a = 0; a < D; ++a)
            for (int b = 0; b < D; ++b)
              block(a, b) =
                  hessians_[(p * kSize + std::size_t(s * D + a)) * kSize + std::size_t(t * D + b)];
          f(pairs_[p].place(s), pairs_[p].place(t), block);
        }
  }
  // D by D numbers a vertex, row after row.
  void add_diagonal_blocks(double factor, double* blocks) const;

  const SelfMesh<D>& mesh() const { return mesh_; }

 private:
  static constexpr int kSize = (D + 1) * D;
  struct Hit {
    std::uint32_t vertex, body, cell;
  };
  struct Shape {  // of a pair, beside it
    DistanceShape<D> distance;
    SelfPenalty penalty;
  };
  struct Nearest {
    std::uint32_t face;
    NearestOnFace<D> on_face;
  };

  // Whether a cell or face is too near at rest for contact in one body. Answers are kept: of one
  // vertex one thread may ask at a time.
  bool cell_is_near(std::uint32_t vertex, std::uint32_t cell);
  bool face_is_near(std::uint32_t vertex, std::uint32_t face);
  bool asked_before(std::uint32_t vertex, std::uint32_t what, const Vec<double, D>& middle);
  bool is_near(std::uint32_t vertex, const Vec<double, D>& middle) const;
  // Whether no vertex has left its place of the last listing by more than half the skin.
  bool lists_hold(const double* x) const;
  void fit_skin();
  void list_cells(const double* x);
  void find_hits(const double* x);
  void hits_of(std::size_t tested, const double* x, std::vector<Hit>& hits) const;
  void fit_faces(const double* x);
  void find_pairs(const double* x);
  void follow_pairs(const double* x);
  Nearest nearest(const Hit& hit, const double* x);
  bool make_pair(const Hit& hit, const Nearest& found, const double* x, SelfPair<D>& pair,
                 Shape& shape) const;

  SelfMesh<D> mesh_;
  std::vector<double> stiffness_;  // k of each vertex
  std::vector<std::uint32_t> tested_, body_of_vertex_;
  bool keeps_pairs_ = false;
  std::vector<Vec<double, D>> rest_, middle_of_cell_, middle_of_face_;  // m
  SelfTree<D> cell_tree_, rest_tree_;
  std::vector<KnownAnswers> known_;      // by vertex: of asked_before
  std::vector<SelfTree<D>> face_trees_;  // by body; only those of bodies that were met are fitted
  std::vector<std::uint32_t> last_met_;  // face, by vertex

  // Cells that each tested vertex may be in, until something has moved by half the skin, which is
  // the thinner the sooner that happens.
  double skin_ = 0, widest_skin_ = 0;    // m
  int held_ = 4;                         // for how many searches the lists have done
  std::vector<double> listed_at_;        // D a vertex
  std::vector<std::uint64_t> first_of_;  // by tested vertex, in `listed_`
  std::vector<std::uint32_t> listed_;
  std::vector<std::vector<std::uint32_t>> listed_of_chunk_;

  std::vector<std::vector<Hit>> hits_of_chunk_;
  std::vector<Hit> hits_;
  std::vector<SelfPair<D>> pairs_;
  std::vector<Shape> shapes_;
  std::vector<double> hessians_;  // kSize by kSize numbers a pair
  SelfSums<D> sums_;
  double energy_ = 0;
};

extern template class SelfContact<2>;
extern template class SelfContact<3>;

}  // namespace firn
