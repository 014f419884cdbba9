// A particle set: all particles of one material, as columns of scalars (one array per component):
// those that every particle has, and those that its solver and model declare. Positions are
// relative to the particle's grid block, in cells: see particles/blocks.h. Sets are kept sorted by
// block; a block owns a range of each set.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "exec/buffer.h"
#include "exec/parallel.h"
#include "particles/column_name.h"

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

// The columns of a set beside those that every particle has: names and components.
class SetLayout {
 public:
  struct Declared {
    ColumnName name;
    int components;
  };

  // Of a name that is there already, the number of components changes.
  SetLayout& declare(const ColumnName& name, int components) {
    for (Declared& column : columns_)
      if (column.name.number() == name.number()) {
        column.components = components;
        return *this;
      }
    columns_.push_back({name, components});
    return *this;
  }
  int components(const ColumnName& name) const {
    for (const Declared& column : columns_)
      if (column.name.number() == name.number()) return column.components;
    return 0;
  }
  const std::vector<Declared>& columns() const { return columns_; }

 private:
  std::vector<Declared> columns_;
};

template <class T, int D>
class ParticleSet {
 public:
  ParticleSet() = default;
  explicit ParticleSet(const SetLayout& layout) {
    for (const SetLayout::Declared& column : layout.columns()) {
      const int number = column.name.number();
      if (number >= static_cast<int>(place_of_.size())) place_of_.resize(number + 1, -1);
      place_of_[number] = static_cast<int>(declared_.size());
      declared_.push_back({column.name, Columns<T>(column.components)});
    }
  }

  // Of every particle, whoever moves it.
  Columns<T> position{D};  // cells, relative to the block and shifted by the kernel
  Columns<T> velocity{D};  // m/s
  Columns<T> mass{1};      // kg
  Columns<T> volume{1};    // initial volume, m^d
  Columns<std::uint64_t> id{1};
  Columns<std::uint32_t> color{1};  // 0xrrggbb

  // A declared column; without components where it was not declared.
  Columns<T>& operator[](const ColumnName& name) {
    const int place = place_of(name);
    return place < 0 ? none_ : declared_[place].columns;
  }
  const Columns<T>& operator[](const ColumnName& name) const {
    const int place = place_of(name);
    return place < 0 ? none_ : declared_[place].columns;
  }

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
  struct Declared {
    ColumnName name;
    Columns<T> columns;
  };

  int place_of(const ColumnName& name) const {
    const auto number = static_cast<std::size_t>(name.number());
    return number < place_of_.size() ? place_of_[number] : -1;
  }
  // Sets that are visited together have declared the same columns.
  template <class F, class First, class... More>
  static void visit(F& f, First& first, More&... more) {
    f("position", first.position, more.position...);
    f("velocity", first.velocity, more.velocity...);
    for (std::size_t k = 0; k < first.declared_.size(); ++k)
      f(first.declared_[k].name.text().c_str(), first.declared_[k].columns,
        more.declared_[k].columns...);
    f("mass", first.mass, more.mass...);
    f("volume", first.volume, more.volume...);
    f("id", first.id, more.id...);
    f("color", first.color, more.color...);
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
  std::vector<Declared> declared_;
  std::vector<int> place_of_;  // in declared_, by the number of the name; -1: not declared
  Columns<T> none_;
  Buffer<T> spare_;
  Buffer<std::uint64_t> spare_id_;
  Buffer<std::uint32_t> spare_color_;
};

}  // namespace firn
