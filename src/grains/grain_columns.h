// Grains as columns. Places are relative to the block that a grain is in, in cells.
#pragma once

#include "exec/parallel.h"
#include "grains/grain_cells.h"

namespace firn {

constexpr std::uint32_t kNoGrain = UINT32_MAX;  // the id of a grain that is to go

// What each of the grains of a particle has of it.
struct GrainShare {
  float mass;    // kg
  float volume;  // m^D
};

template <int D>
struct GrainColumns {
  Buffer<float> place[D];
  Buffer<float> velocity[D];  // m/s
  Buffer<std::uint32_t> id;
  Buffer<std::uint32_t> paint;  // material and 0xrrggbb of the particle it was made of

  std::size_t size() const { return id.size(); }
  void resize(std::size_t n) {
    for_each([n](const char*, auto& column) { column.resize(n); });
  }
  // f(name, column)
  template <class F>
  void for_each(F&& f) {
    visit(*this, f);
  }
  template <class F>
  void for_each(F&& f) const {
    visit(*this, f);
  }
  Vec<float, D> place_of(std::size_t i) const {
    Vec<float, D> r;
    for (int a = 0; a < D; ++a) r[a] = place[a][i];
    return r;
  }

  // Grain i becomes the one that was order[i].
  void reorder(const Buffer<std::uint32_t>& order) {
    for_each([&](const char*, auto& column) { gather(column, order); });
  }
  std::size_t bytes() const {
    std::size_t total = spare_.bytes() + spare_number_.bytes();
    for_each([&](const char*, const auto& column) { total += column.bytes(); });
    return total;
  }

 private:
  template <class Own, class F>
  static void visit(Own& own, F& f) {
    constexpr const char* kPlaces[3] = {"place0", "place1", "place2"};
    constexpr const char* kVelocities[3] = {"velocity0", "velocity1", "velocity2"};
    for (int a = 0; a < D; ++a) f(kPlaces[a], own.place[a]);
    for (int a = 0; a < D; ++a) f(kVelocities[a], own.velocity[a]);
    f("id", own.id);
    f("paint", own.paint);
  }
  Buffer<float>& spare(float) { return spare_; }
  Buffer<std::uint32_t>& spare(std::uint32_t) { return spare_number_; }
  template <class E>
  void gather(Buffer<E>& column, const Buffer<std::uint32_t>& order) {
    Buffer<E>& target = spare(E{});
    target.resize(order.size());
    parallel_for("grain order", static_cast<std::int64_t>(order.size()), 16384,
                 [&](std::int64_t begin, std::int64_t end) {
                   for (std::int64_t i = begin; i < end; ++i) target[i] = column[order[i]];
                 });
    column.swap(target);
  }

  Buffer<float> spare_;
  Buffer<std::uint32_t> spare_number_;
};

}  // namespace firn
