// Buffer: an aligned array of plain values that is not initialised when it grows, with slack behind
// its end so that a pack may be loaded at the last element.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <new>
#include <type_traits>
#include <utility>

#ifdef __linux__
#include <sys/mman.h>
#endif

namespace firn {

template <class T>
class Buffer {
  static_assert(std::is_trivially_copyable_v<T>);
  static constexpr std::size_t kAlignment = 64, kHugePage = 2 << 20, kStaggerSpan = 16 << 10;

 public:
  Buffer() = default;
  explicit Buffer(std::size_t n) { resize(n); }
  Buffer(const Buffer& other) { *this = other; }
  Buffer(Buffer&& other) noexcept { swap(other); }
  Buffer& operator=(const Buffer& other) {
    if (this == &other) return *this;
    resize(other.size_);
    if (size_ > 0) std::memcpy(data_, other.data_, size_ * sizeof(T));
    return *this;
  }
  Buffer& operator=(Buffer&& other) noexcept {
    swap(other);
    return *this;
  }
  ~Buffer() { std::free(allocation_); }

  void swap(Buffer& other) noexcept {
    std::swap(allocation_, other.allocation_);
    std::swap(data_, other.data_);
    std::swap(size_, other.size_);
    std::swap(capacity_, other.capacity_);
  }
  // Keeps the first min(n, size) values. What grows once may grow again, so it gets room for that.
  void resize(std::size_t n) {
    if (n > capacity_)
      grow(size_ > 0 && n < capacity_ + capacity_ / 4 ? capacity_ + capacity_ / 4 : n);
    size_ = n;
  }
  void fill(const T& value) {
    for (std::size_t i = 0; i < size_; ++i) data_[i] = value;
  }

  std::size_t size() const { return size_; }
  std::size_t bytes() const { return capacity_ * sizeof(T); }
  T* data() { return data_; }
  const T* data() const { return data_; }
  T& operator[](std::size_t i) { return data_[i]; }
  const T& operator[](std::size_t i) const { return data_[i]; }
  T* begin() { return data_; }
  T* end() { return data_ + size_; }
  const T* begin() const { return data_; }
  const T* end() const { return data_ + size_; }

 private:
  void grow(std::size_t n) {
    const std::size_t bytes = n * sizeof(T) + kAlignment;
    const bool staggered = bytes >= kStaggerSpan;
    char* fresh = static_cast<char*>(allocate(bytes + (staggered ? kStaggerSpan : 0)));
    T* moved = reinterpret_cast<T*>(fresh + (staggered ? stagger(fresh) : 0));
    if (size_ > 0) std::memcpy(moved, data_, size_ * sizeof(T));
    std::free(allocation_);
    allocation_ = fresh;
    data_ = moved;
    capacity_ = n;
  }
  // Whole huge pages for big arrays: a step walks some forty of them side by side, and small pages
  // would not all stay in the first level of address translation. The rest keeps small pages.
  static void* allocate(std::size_t bytes) {
    const std::size_t alignment = bytes >= kHugePage ? kHugePage : kAlignment;
    void* p = std::aligned_alloc(alignment, (bytes + alignment - 1) / alignment * alignment);
    if (!p) throw std::bad_alloc();
#ifdef MADV_HUGEPAGE
    if (alignment == kHugePage) madvise(p, bytes / kHugePage * kHugePage, MADV_HUGEPAGE);
#endif
    return p;
  }
  // Arrays that start at the same place in a page compete for the same few cache sets when they are
  // walked side by side; so each starts at a place of its own.
  static std::size_t stagger(const void* p) {
    const std::uint64_t mixed =
        reinterpret_cast<std::uintptr_t>(p) / kStaggerSpan * 0x9e3779b97f4a7c15ull;
    return (mixed >> 40) % (kStaggerSpan / kAlignment) * kAlignment;
  }

  char* allocation_ = nullptr;
  T* data_ = nullptr;
  std::size_t size_ = 0, capacity_ = 0;
};

}  // namespace firn
