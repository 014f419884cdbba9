// Starting the kernels of implicit_material.h: compiled apart, since every model has its own.
#pragma once

#include "mpm_cuda/view.h"

namespace firn {

template <class T>
struct ParticleColumns;

// One set of a step.
template <class T, int D>
struct ImplicitSet {
  const View<T, D>& view;
  const SetView<T>& set;
  const ModelParameters& parameters;
  cudaStream_t stream;
};

template <class T, int D>
struct ImplicitMaterials {
  // Sums that `evaluate` and `stiffness` leave, one for each thread block.
  static int sums(const SetView<T>& set);
  static int tangent_columns(const ModelParameters& parameters);
  // Whether the law holds something fixed in a solve.
  static bool holds(const ModelParameters& parameters);

  // next_held: null where what is held is not renewed.
  static void evaluate(const ImplicitSet<T, D>& of, const ParticleColumns<T>& rates, const T* held,
                       T* next_held, double* energies, double* next_energies);
  static void linearize(const ImplicitSet<T, D>& of, const ParticleColumns<T>& rates, const T* held,
                        bool clamped, const ParticleColumns<T>& tangents);
  static void start_holding(const ImplicitSet<T, D>& of, T* held);
  static void stiffness(const ImplicitSet<T, D>& of, double* stiffnesses);
};

}  // namespace firn
