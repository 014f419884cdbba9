// What the particles of one material add to an implicit step (implicit_particle.h), as loops over
// their columns; picked once for a model.
#pragma once

#include "mpm/state.h"

namespace firn {

// What the law of a set holds fixed, by particle, and where to leave what it asks to hold next.
template <class T>
struct HeldColumns {
  const T* now = nullptr;
  T* next = nullptr;  // null: nothing is asked
};

// With what is held now, and next, J.
struct Energies {
  double now = 0, next = 0;

  void add(const Energies& other) {
    now += other.now;
    next += other.next;
  }
};

template <class T, int D>
struct ImplicitMaterial {
  using Set = MaterialSet<T, D>;

  // Potential of the particles [begin, end), and its derivatives: their velocity gradients, columns
  // from the first of them on, become the derivatives by them, and `tangent` gets what `linearize`
  // finds. With a column for what is held next they are those with that.
  Energies (*evaluate)(Set&, T dt, std::uint32_t begin, std::uint32_t end,
                       const HeldColumns<T>& held, T* const* rate, Columns<T>& tangent);
  // What the law holds fixed at first. Null: nothing.
  void (*start_holding)(Set&, T dt, T* held);
  // The derivatives of those derivatives, columns of the whole set; with `clamped` each particle's
  // is positive semidefinite.
  void (*linearize)(Set&, T dt, std::uint32_t begin, std::uint32_t end, const T* held,
                    const T* const* rate, bool clamped, Columns<T>& tangent);
  // Changes of velocity gradients become those of the derivatives.
  void (*apply)(const Columns<T>& tangent, std::uint32_t begin, std::uint32_t end, T* const* rate);
  // Adds to nodes that have the gradients g of a particle's weight their own parts, symmetric
  // matrices: what is on the diagonal, and beside it. The lanes beyond get the nodes' shares, by
  // |g|^2, of the particle's stiffness against changes of volume and of shape.
  void (*add_blocks)(const Columns<T>& tangent, std::uint32_t p, const Vec<T, D>* g,
                     const int* node, int nodes, Node<T>* diagonal, Node<T>* beside);
  // Sum of V M, M the stiffness without strain against a change along one axis, J.
  double (*stiffness)(Set&, T dt);
  // Columns of tangents: all digits of them, or as many as a search for the way needs. The
  // functions above go by how many there are.
  int tangent_columns, rough_columns;
};

template <class T, int D>
ImplicitMaterial<T, D> implicit_material(const ModelParameters& parameters);

}  // namespace firn
