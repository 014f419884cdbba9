// Starting the transfers other than MLS in its usual form, and the gather without the material:
// compiled apart.
#pragma once

#include "cuda/memory.h"
#include "mpm/kernels.h"
#include "mpm_cuda/view.h"

namespace firn {

// Of kernels that transfer: as cuda/memory.h.
template <class Kernel>
void allow_shared_memory(Kernel kernel, std::size_t bytes) {
  allow_shared_memory(kernel, bytes,
                      "use --precision float, the quadratic kernel, MLS or --device cpu");
}

// f(kernel) with an object of the kernel's type.
template <class F>
void with_kernel(KernelKind kernel, F&& f) {
  if (kernel == KernelKind::linear)
    f(LinearKernel{});
  else if (kernel == KernelKind::quadratic)
    f(QuadraticKernel{});
  else
    f(CubicKernel{});
}

// f(kernel) for the kernels of degree two and three.
template <class F>
void with_smooth_kernel(KernelKind kernel, F&& f) {
  if (kernel == KernelKind::quadratic)
    f(QuadraticKernel{});
  else
    f(CubicKernel{});
}

// What particles lay on nodes beside momentum: mpm_cuda/volume.h, volume_beside.h, matter.h and
// fraction.h.
enum class LaidRows { volume, beside_solids, matter, pressure, fraction };

template <class T, int D>
struct TransferLaunches {
  // Asks for the shared memory that the kernels need.
  static void prepare(const MpmSettings& settings);
  // Transfers with kernel gradients.
  static void scatter_gradient(const View<T, D>& view, const MpmSettings& settings,
                               cudaStream_t stream);
  // Into the arenas of the view.
  static void scatter_to_arenas(const View<T, D>& view, const MpmSettings& settings,
                                cudaStream_t stream);
  // Other rows in its place.
  static void lay_in_arenas(const View<T, D>& view, const MpmSettings& settings, LaidRows laid,
                            cudaStream_t stream);
  static void gather(const View<T, D>& view, const SetView<T>& set, const MpmSettings& settings,
                     cudaStream_t stream);
};

// MLS: velocities and stresses through one affine field. The linear kernel has no constant D; its
// MLS and APIC transfers coincide with the form with kernel gradients.
inline bool is_mls(const MpmSettings& settings) {
  return settings.transfer == TransferKind::mls && settings.kernel != KernelKind::linear;
}
// Whether transfer and material are one kernel.
inline bool is_fused(const MpmSettings& settings) {
  return settings.kernel == KernelKind::quadratic;
}
// Whether blocks scatter into arenas of their own, which are then summed: for the same bytes in
// every run, for the linear kernel, and where a GPU has too little shared memory for rows with
// gradients.
template <class T, int D>
bool uses_arenas(const MpmSettings& settings);

template <class T, int D>
TransferView<T> transfer_view(const MpmSettings& settings);

}  // namespace firn
