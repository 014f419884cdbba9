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

// For vector types, which device code does not know. Under sanitizers, whose checks would be copied
// with every function, the compiler decides: it takes minutes a file otherwise.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define FIRN_ALWAYS_INLINE
#else
#define FIRN_ALWAYS_INLINE __attribute__((always_inline))
#endif
#define FIRN_HOST_INLINE inline FIRN_ALWAYS_INLINE
#define FIRN_INLINE FIRN_HD FIRN_HOST_INLINE
