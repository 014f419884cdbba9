// Device memory that frees itself, and calls of the CUDA runtime that must succeed. Failures are
// exceptions inside of this room only. Nothing is put on the default stream: that would end what
// another thread records on its own.
#pragma once

#include <cuda_runtime.h>

#include <atomic>
#include <cstdint>
#include <cstdio>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace firn {

struct CudaFailure : std::runtime_error {
  using std::runtime_error::runtime_error;
};

inline void must(cudaError_t status, const char* what) {
  if (status == cudaSuccess) return;
  throw CudaFailure(std::string("CUDA: ") + what + " failed: " + cudaGetErrorString(status));
}

// What a group of threads can get of it at most: 64 KiB on Turing, 99 on Ampere, Ada and Blackwell
// of graphics cards, 163 to 227 on those of data centres.
inline std::size_t shared_memory() {
  int device = 0, most = 0;
  must(cudaGetDevice(&device), "asking for the device");
  must(cudaDeviceGetAttribute(&most, cudaDevAttrMaxSharedMemoryPerBlockOptin, device),
       "asking for the size of shared memory");
  return static_cast<std::size_t>(most);
}
// Whether it has so much beside what a kernel declares itself.
inline bool fits_shared_memory(std::size_t bytes) {
  constexpr std::size_t kDeclared = 8 * 1024;  // and some more
  return bytes + kDeclared <= shared_memory();
}
// Lets a kernel use so much shared memory; where there is less, `advice` says what to change.
template <class Kernel>
void allow_shared_memory(Kernel kernel, std::size_t bytes, const char* advice) {
  const std::size_t most = shared_memory();
  if (bytes > most)
    throw CudaFailure("CUDA: what is asked for needs " + std::to_string((bytes + 1023) / 1024) +
                      " KiB of shared memory, and this GPU has " + std::to_string(most / 1024) +
                      "; " + advice);
  must(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                            static_cast<int>(bytes)),
       "asking for shared memory");
}

// Holds all that a solver does on the device, in order, and beside what other solvers do there.
class Stream {
 public:
  Stream() { must(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking), "making a stream"); }
  Stream(const Stream&) = delete;
  Stream& operator=(const Stream&) = delete;
  ~Stream() { cudaStreamDestroy(stream_); }

  operator cudaStream_t() const { return stream_; }

 private:
  cudaStream_t stream_ = nullptr;
};

inline void wait_for(cudaStream_t stream, const char* what) {
  must(cudaStreamSynchronize(stream), what);
}

// Allocates, and counts what is in use. All of a process shares one device.
class DeviceMemory {
 public:
  // Null for no bytes; says what was needed and what there was when there is not enough.
  static void* allocate(std::size_t bytes) {
    if (bytes == 0) return nullptr;
    void* data = nullptr;
    if (bytes > left() || cudaMalloc(&data, bytes) != cudaSuccess) {
      cudaGetLastError();
      refuse(bytes);
    }
    used_ += bytes;
    return data;
  }
  static void free(void* data, std::size_t bytes) {
    if (data == nullptr) return;
    cudaFree(data);
    used_ -= bytes;
  }
  // So many bytes more at most; 0: as many as there are.
  static void set_limit(std::size_t bytes) { most_ = bytes == 0 ? SIZE_MAX : used_ + bytes; }

 private:
  static std::size_t left() { return most_ > used_ ? most_ - used_ : 0; }
  [[noreturn]] static void refuse(std::size_t bytes) {
    std::size_t free = 0, total = 0;
    cudaMemGetInfo(&free, &total);
    char line[256];
    const auto in_gib = [](std::size_t n) { return double(n) / (1 << 30); };
    std::snprintf(line, sizeof line,
                  "the device has too little memory: %.4f GiB are needed beside the %.4f GiB in "
                  "use, and %.4f of its %.4f GiB are free; use fewer particles or a larger spacing",
                  in_gib(bytes), in_gib(used_), in_gib(free < left() ? free : left()),
                  in_gib(total));
    throw CudaFailure(line);
  }

  inline static std::atomic<std::size_t> used_{0}, most_{SIZE_MAX};
};

template <class E>
class DeviceArray {
 public:
  DeviceArray() = default;
  explicit DeviceArray(std::size_t n) { allocate(n); }
  DeviceArray(DeviceArray&& other) noexcept { swap(other); }
  DeviceArray& operator=(DeviceArray&& other) noexcept {
    swap(other);
    return *this;
  }
  ~DeviceArray() { DeviceMemory::free(data_, bytes()); }

  void swap(DeviceArray& other) noexcept {
    std::swap(data_, other.data_);
    std::swap(size_, other.size_);
  }
  // What it held is lost, and no kernel may be using it.
  void allocate(std::size_t n) {
    if (n == size_) return;
    DeviceMemory::free(data_, bytes());
    data_ = nullptr;
    size_ = 0;
    data_ = static_cast<E*>(DeviceMemory::allocate(n * sizeof(E)));
    size_ = n;
  }
  // The first values stay.
  void grow(std::size_t n, cudaStream_t stream) {
    if (n <= size_) return;
    DeviceArray larger(n);
    copy(larger.data_, data_, size_, cudaMemcpyDeviceToDevice, stream,
         "copying an array that grew");
    swap(larger);
  }
  void fill_zero(cudaStream_t stream) {
    if (size_ > 0) must(cudaMemsetAsync(data_, 0, bytes(), stream), "clearing an array");
  }
  // Done when they return.
  void upload(const E* values, std::size_t n, cudaStream_t stream, std::size_t at = 0) {
    copy(data_ + at, values, n, cudaMemcpyHostToDevice, stream, "upload");
  }
  void download(E* values, std::size_t n, cudaStream_t stream, std::size_t at = 0) const {
    copy(values, data_ + at, n, cudaMemcpyDeviceToHost, stream, "download");
  }
  void assign(const std::vector<E>& values, cudaStream_t stream) {
    allocate(values.size());
    upload(values.data(), values.size(), stream);
  }

  E* data() const { return data_; }
  std::size_t size() const { return size_; }
  std::size_t bytes() const { return size_ * sizeof(E); }

 private:
  static void copy(E* to, const E* from, std::size_t n, cudaMemcpyKind kind, cudaStream_t stream,
                   const char* what) {
    if (n == 0) return;
    must(cudaMemcpyAsync(to, from, n * sizeof(E), kind, stream), what);
    wait_for(stream, what);
  }

  E* data_ = nullptr;
  std::size_t size_ = 0;
};

// Host memory that the device can copy without help of the processor.
template <class E>
class PinnedArray {
 public:
  explicit PinnedArray(std::size_t n = 0) { allocate(n); }
  PinnedArray(const PinnedArray&) = delete;
  PinnedArray& operator=(const PinnedArray&) = delete;
  ~PinnedArray() { cudaFreeHost(data_); }

  // What it held is lost.
  void allocate(std::size_t n) {
    if (n == size_) return;
    cudaFreeHost(data_);
    data_ = nullptr;
    size_ = 0;
    if (n > 0) must(cudaMallocHost(&data_, n * sizeof(E)), "asking for host memory");
    size_ = n;
  }
  E* data() const { return data_; }
  std::size_t size() const { return size_; }
  E& operator[](std::size_t i) const { return data_[i]; }

  // Copies that are done when the stream gets there.
  void send(const DeviceArray<E>& to, cudaStream_t stream) const {
    if (size_ > 0)
      must(cudaMemcpyAsync(to.data(), data_, size_ * sizeof(E), cudaMemcpyHostToDevice, stream),
           "upload");
  }
  void fetch(const DeviceArray<E>& from, cudaStream_t stream) {
    if (size_ > 0)
      must(cudaMemcpyAsync(data_, from.data(), size_ * sizeof(E), cudaMemcpyDeviceToHost, stream),
           "download");
  }

 private:
  E* data_ = nullptr;
  std::size_t size_ = 0;
};

}  // namespace firn
