// Host/device and inlining macros. Everything below `exec` is written once for CPU and CUDA.
#pragma once

#ifdef __CUDACC__
#define FIRN_HD __host__ __device__
#else
#define FIRN_HD
#endif

// Large functions, called from many places: one copy each, or device code takes minutes to compile.
#ifdef __CUDACC__
#define FIRN_HD_CALL __host__ __device__ __noinline__
#else
#define FIRN_HD_CALL inline
#endif

// For vector types, which device code does not know.
#define FIRN_HOST_INLINE inline __attribute__((always_inline))
#define FIRN_INLINE FIRN_HD FIRN_HOST_INLINE
