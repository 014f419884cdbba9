#include "grains/grain_order.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/math.h"
#include "grains/grain_lanes.h"

namespace firn {
namespace {

// Keys of the blocks that grains of a piece go to, one after the other.
template <int D>
class Targets {
 public:
  Targets(const BlockTopology<D>& blocks, const BlockCoord<D>& from)
      : blocks_(blocks), from_(from) {}

  // False where there is no such block.
  bool find(const Vec<float, D>& place) {
    if (!find_steps(place, steps_)) return false;
    int code = 0;
    bool is_beside = true;
    for (int a = 0; a < D; ++a) {
      is_beside = is_beside && steps_[a] >= -1 && steps_[a] <= 1;
      code = 3 * code + steps_[a] + 1;
    }
    if (!is_beside) return find_key(key_);
    if (!known_[code] && !find_key(beside_[code])) return false;
    known_[code] = true;
    key_ = beside_[code];
    return true;
  }
  std::uint64_t key() const { return key_; }
  const Vec<std::int32_t, D>& steps() const { return steps_; }  // blocks from the piece's own

 private:
  bool find_key(std::uint64_t& key) const {
    const BlockCoord<D> to = from_ + steps_;
    if (!is_numbered<D>(to)) return false;
    key = morton_key<D>(blocks_.wrapped(to));
    return true;
  }

  const BlockTopology<D>& blocks_;
  const BlockCoord<D> from_;
  Vec<std::int32_t, D> steps_ = Vec<std::int32_t, D>::zero();
  std::uint64_t key_ = 0;
  // Of the blocks beside, and its own.
  std::uint64_t beside_[BlockShape<D>::kNeighbors];
  bool known_[BlockShape<D>::kNeighbors] = {};
};

// Whether a whole pack of grains from number i on exists and lies in the block of its piece.
template <int D>
bool stays(const GrainColumns<D>& grains, std::uint32_t i) {
  constexpr float kEdge = BlockShape<D>::kEdge;
  std::uint32_t missing = 0;
  for (int l = 0; l < kGrainLanes; ++l) missing |= grains.id[i + l] == kNoGrain ? 1 : 0;
  const GrainLanes zero(0), edge(kEdge);
  auto stay = zero < edge;
  for (int a = 0; a < D; ++a) {
    const GrainLanes x = GrainLanes::load(grains.place[a].data() + i);
    stay = stay & (x >= zero) & (x < edge);
  }
  return missing == 0 && !any(!stay);
}
// f(first, count) for the grains of a piece, in runs that go to one block.
template <int D, class F>
void for_runs(const GrainColumns<D>& grains, const GrainPiece<D>& piece, F&& f) {
  for (std::uint32_t i = piece.begin; i < piece.end;) {
    const std::uint32_t last = std::min(i + kGrainLanes, piece.end);
    if (last - i == kGrainLanes && stays(grains, i)) {
      f(i, std::uint32_t(kGrainLanes));
      i = last;
    } else
      for (; i < last; ++i)
        if (grains.id[i] != kNoGrain) f(i, 1u);
  }
}

}  // namespace

template <int D>
void GrainOrder<D>::sort(const std::vector<GrainPiece<D>>& pieces, GrainColumns<D>& grains) {
  address(pieces, grains);
  std::vector<Parcel*> all;
  for (auto& list : parcels_)
    for (Parcel& parcel : list) all.push_back(&parcel);
  std::stable_sort(all.begin(), all.end(),
                   [](const Parcel* a, const Parcel* b) { return a->key < b->key; });
  std::vector<std::uint64_t> keys;
  block_begin_.clear();
  std::uint32_t next = 0;
  for (Parcel* parcel : all) {
    if (keys.empty() || keys.back() != parcel->key) {
      keys.push_back(parcel->key);
      block_begin_.push_back(next);
    }
    parcel->first = next;
    next += parcel->count;
  }
  block_begin_.push_back(next);
  order_.resize(next);
  send(pieces, grains);
  blocks_.build(keys);
  order_blocks(grains);
  grains.reorder(order_);
}

// f(parcel, first, count, steps) for the grains of each piece in runs: their parcel, made where
// there is none, and how many blocks they go.
template <int D>
template <class F>
void GrainOrder<D>::for_parcels(const char* name, const std::vector<GrainPiece<D>>& pieces,
                                const GrainColumns<D>& grains, F&& f) {
  parallel_for(name, static_cast<std::int64_t>(pieces.size()), 1,
               [&](std::int64_t first, std::int64_t last) {
                 for (std::int64_t p = first; p < last; ++p) {
                   std::vector<Parcel>& list = parcels_[p];
                   std::size_t newest = 0;
                   Targets<D> targets(blocks_, pieces[p].block);
                   for_runs(grains, pieces[p], [&](std::uint32_t i, std::uint32_t count) {
                     if (!targets.find(grains.place_of(i))) return;
                     const std::uint64_t key = targets.key();
                     if (newest >= list.size() || list[newest].key != key) {
                       newest = 0;
                       while (newest < list.size() && list[newest].key != key) ++newest;
                       if (newest == list.size())
                         list.push_back({key, static_cast<std::uint32_t>(p), 0, 0});
                     }
                     f(list[newest], i, count, targets.steps());
                   });
                 }
               });
}

// Which blocks the grains of each piece go to, and how many.
template <int D>
void GrainOrder<D>::address(const std::vector<GrainPiece<D>>& pieces,
                            const GrainColumns<D>& grains) {
  parcels_.assign(pieces.size(), {});
  for_parcels("grain address", pieces, grains,
              [](Parcel& parcel, std::uint32_t, std::uint32_t count, const auto&) {
                parcel.count += count;
              });
}

// Numbers of grains into the order, by block; places become relative to the new one.
template <int D>
void GrainOrder<D>::send(const std::vector<GrainPiece<D>>& pieces, GrainColumns<D>& grains) {
  for_parcels("grain parcels", pieces, grains,
              [&](Parcel& parcel, std::uint32_t first, std::uint32_t count, const auto& steps) {
                for (std::uint32_t i = first; i < first + count; ++i) {
                  order_[parcel.first++] = i;
                  for (int a = 0; a < D; ++a)
                    grains.place[a][i] -= float(steps[a] * BlockShape<D>::kEdge);
                }
              });
}

template <int D>
void GrainOrder<D>::order_blocks(const GrainColumns<D>& grains) {
  const int parts = cells_.parts();
  begin_.assign(std::size_t(blocks_.occupied()) * parts + 1, order_.size());
  parallel_for("grain cells", blocks_.occupied(), 1, [&](std::int64_t first, std::int64_t last) {
    std::vector<std::uint32_t> place(parts + 1), sorted;
    std::vector<std::uint16_t> part;
    for (std::int64_t b = first; b < last; ++b) {
      const std::uint32_t from = block_begin_[b], count = block_begin_[b + 1] - from;
      sorted.resize(count);
      part.resize(count);
      std::fill(place.begin(), place.end(), 0);
      for (std::uint32_t i = 0; i < count; ++i) {
        part[i] = static_cast<std::uint16_t>(cells_.part(grains.place_of(order_[from + i])));
        ++place[part[i] + 1];
      }
      std::partial_sum(place.begin(), place.end(), place.begin());
      for (int k = 0; k < parts; ++k) begin_[b * parts + k] = from + place[k];
      for (std::uint32_t i = 0; i < count; ++i) sorted[place[part[i]]++] = order_[from + i];
      std::copy(sorted.begin(), sorted.end(), order_.data() + from);
    }
  });
}

template <int D>
std::vector<GrainPiece<D>> GrainOrder<D>::pieces() const {
  std::vector<GrainPiece<D>> pieces;
  for (int b = 0; b < blocks_.occupied(); ++b)
    pieces.push_back({blocks_.coord(b), begin(b, 0), begin(b + 1, 0)});
  return pieces;
}

template <int D>
bool GrainOrder<D>::restore(const std::vector<std::uint64_t>& keys,
                            std::vector<std::uint32_t> begins, std::size_t grains) {
  if (begins.size() != keys.size() * cells_.parts() + 1 || begins.front() != 0 ||
      begins.back() != grains || !std::is_sorted(begins.begin(), begins.end()))
    return false;
  for (std::size_t i = 0; i < keys.size(); ++i) {
    const BlockCoord<D> at = morton_coord<D>(keys[i]);
    if ((i > 0 && keys[i] <= keys[i - 1]) || morton_key<D>(at) != keys[i] ||
        !(blocks_.wrapped(at) == at))
      return false;
    if (!is_numbered<D>(at)) return false;
  }
  blocks_.build(keys);
  begin_ = std::move(begins);
  return true;
}

template <int D>
std::size_t GrainOrder<D>::bytes() const {
  return blocks_.bytes() + begin_.capacity() * sizeof(begin_[0]) + order_.bytes();
}

template class GrainOrder<2>;
template class GrainOrder<3>;

}  // namespace firn
