// Velocities of the nodes as vectors for src/solvers, in device memory; as NodeSpace
// (mpm/implicit_space.h) on the CPU.
#pragma once

#include <memory>
#include <vector>

#include "cuda/memory.h"
#include "mpm_cuda/implicit_sums.h"

namespace firn {

// Arrays that come back when they are no longer needed: solvers make vectors all the time.
template <class E>
class ArrayPool {
 public:
  void set_size(std::size_t size) {
    if (size != size_) free_.clear();
    size_ = size;
  }
  DeviceArray<E> take() {
    if (free_.empty()) return DeviceArray<E>(size_);
    DeviceArray<E> array = std::move(free_.back());
    free_.pop_back();
    return array;
  }
  void give(DeviceArray<E> array) {
    if (array.size() == size_) free_.push_back(std::move(array));
  }

 private:
  std::size_t size_ = 0;
  std::vector<DeviceArray<E>> free_;
};

template <class T>
class DeviceVector {
 public:
  using Pool = ArrayPool<DeviceNode<T>>;

  explicit DeviceVector(Pool& pool) : pool_(&pool), array_(pool.take()) {}
  DeviceVector(DeviceVector&& other) noexcept
      : pool_(std::exchange(other.pool_, nullptr)), array_(std::move(other.array_)) {}
  DeviceVector& operator=(DeviceVector&& other) noexcept {
    std::swap(pool_, other.pool_);
    array_.swap(other.array_);
    return *this;
  }
  ~DeviceVector() {
    if (pool_) pool_->give(std::move(array_));
  }

  DeviceNode<T>* data() const { return array_.data(); }
  std::size_t bytes() const { return array_.bytes(); }

 private:
  Pool* pool_;
  DeviceArray<DeviceNode<T>> array_;
};

// y = a x + b y; what is not asked for is not read.
template <class T>
struct CombineNodes {
  T a, b;
  const DeviceNode<T>* x;
  DeviceNode<T>* y;

  __device__ void operator()(std::size_t i) const {
    DeviceNode<T> sum{};
    if (x) {
      const DeviceNode<T> of_x = load_node(x + i);
      for (int c = 0; c < 4; ++c) sum.e[c] = a * of_x.e[c];
    }
    if (b != T(0)) {
      const DeviceNode<T> of_y = load_node(y + i);
      for (int c = 0; c < 4; ++c) sum.e[c] += b * of_y.e[c];
    }
    store_node(y + i, sum);
  }
};

// m a.b
template <class T, int D>
__device__ double mass_product(T mass, const DeviceNode<T>& a, const DeviceNode<T>& b) {
  double sum = 0;
  for (int c = 0; c < D; ++c) sum += double(a.e[c]) * double(b.e[c]);
  return double(mass) * sum;
}
template <class T, int D>
struct DotTerm {
  static constexpr int kSums = 1;
  const T* mass;
  const DeviceNode<T>*a, *b;

  __device__ void operator()(std::size_t i, double (&terms)[1]) const {
    terms[0] = mass_product<T, D>(mass[i], load_node(a + i), load_node(b + i));
  }
};

// The memory behind a space: vectors, masses, sums. Lasts from step to step.
template <class T, int D>
class VectorStore {
 public:
  static constexpr std::size_t kNodes = BlockShape<D>::kNodes;

  explicit VectorStore(cudaStream_t stream) : stream_(stream) {
    arrived_.allocate(1);
    arrived_.fill_zero(stream);
    totals_.allocate(kTotals);
  }
  // Room for so many blocks, of which `rank` tells the order by key.
  void set(int capacity, const std::vector<std::int32_t>& rank) {
    const std::size_t nodes = std::size_t(capacity) * kNodes;
    pool_.set_size(nodes);
    mass_.allocate(nodes);
    rank_.allocate(capacity);
    rank_.upload(rank.data(), rank.size(), stream_);
    partial_.allocate(std::size_t(capacity) * SumRoom::kMostSums);
    blocks_ = static_cast<int>(rank.size());
  }
  SumRoom room() const { return {rank_.data(), blocks_, partial_.data(), arrived_.data()}; }
  // What was left in the first places of totals().
  const double* fetch() {
    found_.fetch(totals_, stream_);
    wait_for(stream_, "an implicit step");
    return found_.data();
  }
  static constexpr int kTotals = 16;
  double* totals() const { return totals_.data(); }

  int blocks() const { return blocks_; }
  T* mass() const { return mass_.data(); }
  typename DeviceVector<T>::Pool& pool() { return pool_; }
  cudaStream_t stream() const { return stream_; }

 private:
  cudaStream_t stream_;
  int blocks_ = 0;
  ArrayPool<DeviceNode<T>> pool_;
  DeviceArray<T> mass_;
  DeviceArray<std::int32_t> rank_;
  DeviceArray<double> partial_, totals_;
  DeviceArray<unsigned> arrived_;
  PinnedArray<double> found_{kTotals};
};

template <class T, int D>
class DeviceSpace {
 public:
  using Vector = DeviceVector<T>;

  // weights: of products, in place of the masses of the nodes unless null.
  explicit DeviceSpace(VectorStore<T, D>& store, const T* weights = nullptr)
      : store_(store), weights_(weights) {}

  VectorStore<T, D>& store() const { return store_; }
  const T* mass() const { return weights_ ? weights_ : store_.mass(); }
  cudaStream_t stream() const { return store_.stream(); }

  Vector make() const {
    Vector v(store_.pool());
    must(cudaMemsetAsync(v.data(), 0, v.bytes(), stream()), "making a vector");
    return v;
  }
  void copy(const Vector& from, Vector& to) const {
    must(cudaMemcpyAsync(to.data(), from.data(), nodes() * sizeof(DeviceNode<T>),
                         cudaMemcpyDeviceToDevice, stream()),
         "copying a vector");
  }
  void combine(double a, const Vector& x, double b, Vector& y) const {
    for_nodes(CombineNodes<T>{T(a), T(b), x.data(), y.data()});
  }
  void scale(double a, Vector& y) const {
    for_nodes(CombineNodes<T>{T(0), T(a), nullptr, y.data()});
  }
  double dot(const Vector& a, const Vector& b) const {
    return sum(DotTerm<T, D>{mass(), a.data(), b.data()});
  }
  // The first sum of a term over all nodes.
  template <class Term>
  double sum(const Term& term) const {
    start_sum(term);
    return store_.fetch()[0];
  }
  // Leaves the sums in totals() from number `at` on.
  template <class Term>
  void start_sum(const Term& term, int at = 0) const {
    if (store_.blocks() == 0) return;
    sum_nodes_kernel<D, Term><<<vector_groups<D>(store_.blocks()), kVectorThreads, 0, stream()>>>(
        store_.room(), term, store_.totals() + at);
    must(cudaGetLastError(), "a sum over nodes");
  }
  template <class Act>
  void for_nodes(const Act& act) const {
    if (store_.blocks() == 0) return;
    for_nodes_kernel<D, Act>
        <<<vector_groups<D>(store_.blocks()), kVectorThreads, 0, stream()>>>(store_.blocks(), act);
    must(cudaGetLastError(), "a loop over nodes");
  }

 private:
  std::size_t nodes() const { return std::size_t(store_.blocks()) * BlockShape<D>::kNodes; }

  VectorStore<T, D>& store_;
  const T* weights_;
};

}  // namespace firn
