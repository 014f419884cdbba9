// Host/device and inlining macros. Everything below `exec` is written once for CPU and CUDA.
#pragma once

#ifdef __CUDACC__
#define FIRN_HD __host__ __device__
#else
#define FIRN_HD
#endif

// Large functions, called from many places: one copy each, or device code takes minutes to compile.
#if defined(__CUDA_ARCH__)
#define FIRN_HD_CALL __host__ __device__ __noinline__ inline
#elif defined(__CUDACC__)
#define FIRN_HD_CALL __host__ __device__ inline
#else
#define FIRN_HD_CALL inline
#endif

// Loops over what must stay in registers on the device.
#ifdef __CUDACC__
#define FIRN_UNROLL _Pragma("unroll")
#else
#define FIRN_UNROLL
#endif

// For vector types, which device code does not know.
#define FIRN_HOST_INLINE inline __attribute__((always_inline))
#define FIRN_INLINE FIRN_HD FIRN_HOST_INLINE
