// A particle set: all particles of one material, as columns of scalars (one array per component),
// holding only what its model declares. Positions are relative to the particle's grid block, in
// cells: see particles/blocks.h. Sets are kept sorted by block; a block owns a range of each set.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "exec/buffer.h"
#include "exec/parallel.h"

namespace firn {

// Components of one field, each an array of its own.
template <class T>
class Columns {
 public:
  Columns() = default;
  explicit Columns(int components) : column_(components) {}
  int components() const { return static_cast<int>(column_.size()); }
  T* operator[](int c) { return column_[c].data(); }
  const T* operator[](int c) const { return column_[c].data(); }
  Buffer<T>& column(int c) { return column_[c]; }
  const Buffer<T>& column(int c) const { return column_[c]; }
  void resize(std::size_t n) {
    for (auto& column : column_) column.resize(n);
  }
  std::size_t bytes() const {
    std::size_t total = 0;
    for (const auto& column : column_) total += column.bytes();
    return total;
  }

 private:
  std::vector<Buffer<T>> column_;
};

struct SetLayout {
  int gradient_components = 0;  // entries of F: D*D, or 0 when the model keeps none
  int stress_components = 1;    // entries of tau: D(D+1)/2, or 1 when it is isotropic
  int scalars = 0;              // the model's own scalars
  int user = 0;                 // scalars that the scene declares
  bool source = false;          // the volume has a source: see mpm/fluid_volume.h
  bool dilation = false;        // particles may be loose: see mpm/advance_material.h
};

template <class T, int D>
class ParticleSet {
 public:
  ParticleSet() = default;
  explicit ParticleSet(const SetLayout& layout)
      : gradient(layout.gradient_components),
        stress(layout.stress_components),
        scalar(layout.scalars),
        user(layout.user),
        source(layout.source ? 1 : 0),
        dilation(layout.dilation ? 1 : 0) {}

  Columns<T> position{D};    // cells, relative to the block and shifted by the kernel
  Columns<T> velocity{D};    // m/s
  Columns<T> affine{D * D};  // C, 1/s, row-major
  Columns<T> gradient;       // elastic F, row-major
  Columns<T> stress;         // Kirchhoff stress, Pa
  Columns<T> scalar;
  Columns<T> user;          // carried along unchanged
  Columns<T> source;        // rate of volume per volume, 1/s
  Columns<T> dilation;      // logarithm of the volume that particles are apart by, free of stress
  Columns<T> mass{1};       // kg
  Columns<T> volume{1};     // initial volume, m^d
  Columns<T> stiffness{1};  // factor on the moduli
  Columns<std::uint64_t> id{1};
  Columns<std::uint32_t> color{1};  // 0xrrggbb

  std::size_t size() const { return size_; }
  void resize(std::size_t n) {
    size_ = n;
    for_each_field([n](const char*, auto& columns) { columns.resize(n); });
  }
  // f(name, columns) for every field; drives reordering, checkpoints and memory counts.
  template <class F>
  void for_each_field(F&& f) {
    visit(f, *this);
  }
  template <class F>
  void for_each_field(F&& f) const {
    visit(f, *this);
  }
  // Particles of a set with the same columns, behind those that are there.
  void append(const ParticleSet& more) {
    const std::size_t first = size_;
    resize(first + more.size_);
    const auto copy = [first](const char*, auto& to, const auto& from) {
      for (int c = 0; c < to.components(); ++c)
        std::copy(from.column(c).begin(), from.column(c).end(), to[c] + first);
    };
    visit(copy, *this, more);
  }
  std::size_t bytes() const {
    std::size_t total = 0;
    for_each_field([&](const char*, const auto& columns) { total += columns.bytes(); });
    return total;
  }
  // Particle i becomes the one that was order[i]; those that are not in the order are gone.
  void reorder(const std::uint32_t* order, std::size_t count) {
    size_ = count;
    for_each_field([&](const char*, auto& columns) {
      for (int c = 0; c < columns.components(); ++c) gather_column(columns.column(c), order);
    });
  }
  void reorder(const std::uint32_t* order) { reorder(order, size_); }

 private:
  template <class F, class... Self>
  static void visit(F& f, Self&... self) {
    f("position", self.position...);
    f("velocity", self.velocity...);
    f("affine", self.affine...);
    f("gradient", self.gradient...);
    f("stress", self.stress...);
    f("scalar", self.scalar...);
    f("user", self.user...);
    f("source", self.source...);
    f("dilation", self.dilation...);
    f("mass", self.mass...);
    f("volume", self.volume...);
    f("stiffness", self.stiffness...);
    f("id", self.id...);
    f("color", self.color...);
  }
  Buffer<T>& spare(T) { return spare_; }
  Buffer<std::uint64_t>& spare(std::uint64_t) { return spare_id_; }
  Buffer<std::uint32_t>& spare(std::uint32_t) { return spare_color_; }

  template <class E>
  void gather_column(Buffer<E>& column, const std::uint32_t* order) {
    Buffer<E>& target = spare(E{});
    target.resize(size_);
    E* out = target.data();
    const E* in = column.data();
    parallel_for("reorder", static_cast<std::int64_t>(size_), 16384,
                 [=](std::int64_t begin, std::int64_t end) {
                   for (std::int64_t i = begin; i < end; ++i) out[i] = in[order[i]];
                 });
    column.swap(target);
  }

  std::size_t size_ = 0;
  Buffer<T> spare_;
  Buffer<std::uint64_t> spare_id_;
  Buffer<std::uint32_t> spare_color_;
};

}  // namespace firn
