// Buffer: an aligned array of plain values that is not initialised when it grows, with slack behind
// its end so that a pack may be loaded at the last element.
#pragma once

#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <new>
#include <type_traits>
#include <utility>

namespace firn {

template <class T>
class Buffer {
  static_assert(std::is_trivially_copyable_v<T>);
  static constexpr std::size_t kAlignment = 64;

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
  ~Buffer() { std::free(data_); }

  void swap(Buffer& other) noexcept {
    std::swap(data_, other.data_);
    std::swap(size_, other.size_);
    std::swap(capacity_, other.capacity_);
  }
  // Keeps the first min(n, size) values.
  void resize(std::size_t n) {
    if (n > capacity_) grow(n);
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
    const std::size_t bytes = (n * sizeof(T) + 2 * kAlignment - 1) / kAlignment * kAlignment;
    T* fresh = static_cast<T*>(std::aligned_alloc(kAlignment, bytes));
    if (!fresh) throw std::bad_alloc();
    if (size_ > 0) std::memcpy(fresh, data_, size_ * sizeof(T));
    std::free(data_);
    data_ = fresh;
    capacity_ = n;
  }

  T* data_ = nullptr;
  std::size_t size_ = 0, capacity_ = 0;
};

}  // namespace firn
