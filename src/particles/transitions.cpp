#include "particles/transitions.h"

#include <algorithm>
#include <cmath>

#include "exec/parallel.h"
#include "particles/add_remove.h"
#include "particles/condition_batch.h"

namespace firn {
namespace {

// What a particle takes along into another material ...
const ColumnName* const kCarried[] = {&column::affine, &column::user, &column::phi};
// ... what it has there as if it were new ...
const ColumnName* const kCleared[] = {&column::gradient, &column::stress,   &column::scalar,
                                      &column::source,   &column::dilation, &column::room,
                                      &column::swelling, &column::varied};
// ... and what it takes along into another species of its own.
const ColumnName* const kOfMaterial[] = {&column::gradient, &column::stress,   &column::scalar,
                                         &column::source,   &column::dilation, &column::stiffness,
                                         &column::varied};

// A column of one set that goes into one of another; from nowhere: zeros.
template <class T>
struct ColumnWay {
  const T* from;
  T* to;
};

template <class T, int D>
void add_ways(const ParticleSet<T, D>& from, ParticleSet<T, D>& to, const ColumnName& name,
              bool carried, std::vector<ColumnWay<T>>& ways) {
  const Columns<T>& source = from[name];
  Columns<T>& target = to[name];
  for (int c = 0; c < target.components(); ++c)
    ways.push_back({carried && c < source.components() ? source[c] : nullptr, target[c]});
}

template <class T, int D>
std::vector<ColumnWay<T>> ways_between(const ParticleSet<T, D>& from, ParticleSet<T, D>& to,
                                       bool keeps_state) {
  std::vector<ColumnWay<T>> ways;
  for (int a = 0; a < D; ++a) {
    ways.push_back({from.position[a], to.position[a]});
    ways.push_back({from.velocity[a], to.velocity[a]});
  }
  ways.push_back({from.mass[0], to.mass[0]});
  ways.push_back({from.volume[0], to.volume[0]});
  for (const ColumnName* name : kCleared) add_ways(from, to, *name, false, ways);
  for (const ColumnName* name : kCarried) add_ways(from, to, *name, true, ways);
  if (keeps_state)
    for (const ColumnName* name : kOfMaterial) add_ways(from, to, *name, true, ways);
  return ways;
}

}  // namespace

template <class T, int D>
Changeover<T, D>::Changeover(Particles<T, D>& all, const Transitions& transitions, double time)
    : all_(all),
      transitions_(transitions),
      time_(time),
      marks_(all.sets.size()),
      arrivals_(all.sets.size()) {
  for (const Transition& transition : transitions_)
    marks_[transition.from].resize(all.sets[transition.from].particles.size(), Mark(0));
  parallel_for("transitions", all.blocks.occupied(), 4, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t b = begin; b < end; ++b)
      for (std::size_t s = 0; s < marks_.size(); ++s)
        if (!marks_[s].empty()) mark_block(static_cast<int>(s), static_cast<int>(b));
  });
  for (const auto& marks : marks_)
    any_ = any_ || std::any_of(marks.begin(), marks.end(), [](Mark mark) { return mark > 0; });
}

// Of several that hold for a particle it takes the first of the list.
template <class T, int D>
void Changeover<T, D>::mark_block(int s, int block) {
  const MaterialSet<T, D>& set = all_.sets[s];
  bool named[kMostTransitionVariables] = {};
  for (const Transition& transition : transitions_)
    for (int v = 0; v < kMostTransitionVariables && transition.from == s; ++v)
      named[v] = named[v] || depends_on(transition.when, v);
  ConditionBatch<T, D> batch(all_, set, block, time_);
  double value[kBatch];
  for (std::size_t first = set.begin[block]; first < set.begin[block + 1]; first += kBatch) {
    const int count = static_cast<int>(std::min<std::size_t>(kBatch, set.begin[block + 1] - first));
    batch.load(named, first, count);
    for (std::size_t k = 0; k < transitions_.size(); ++k) {
      if (transitions_[k].from != s) continue;
      evaluate_batch(transitions_[k].when, batch.at, count, value);
      for (int i = 0; i < count; ++i)
        if (value[i] > 0 && marks_[s][first + i] == 0) marks_[s][first + i] = Mark(k + 1);
    }
  }
}

template <class T, int D>
bool Changeover<T, D>::keeps_state(const Transition& transition) const {
  return all_.sets[transition.from].material == all_.sets[transition.to].material &&
         !(transition.density > 0);
}

template <class T, int D>
void Changeover<T, D>::append(bool that_keep_state) {
  std::vector<std::size_t> known;
  for (const auto& arrivals : arrivals_) known.push_back(arrivals.size());
  for (int b = 0; b < all_.blocks.occupied(); ++b)
    for (std::size_t s = 0; s < marks_.size(); ++s) {
      if (marks_[s].empty()) continue;
      for (std::uint32_t p = all_.sets[s].begin[b]; p < all_.sets[s].begin[b + 1]; ++p) {
        if (marks_[s][p] == 0) continue;
        const auto k = static_cast<std::uint32_t>(marks_[s][p] - 1);
        if (keeps_state(transitions_[k]) == that_keep_state)
          arrivals_[transitions_[k].to].push_back({b, k, p});
      }
    }
  for (std::size_t s = 0; s < arrivals_.size(); ++s)
    all_.sets[s].particles.resize(first_new_[s] + arrivals_[s].size());
  for (std::size_t s = 0; s < arrivals_.size(); ++s) copy_columns(static_cast<int>(s), known[s]);
}

// Of the arrivals from `first` on.
template <class T, int D>
void Changeover<T, D>::copy_columns(int s, std::size_t first) {
  auto& to = all_.sets[s].particles;
  std::vector<std::vector<ColumnWay<T>>> ways(transitions_.size());
  for (std::size_t i = first; i < arrivals_[s].size(); ++i) {
    const Arrival& arrival = arrivals_[s][i];
    const Transition& transition = transitions_[arrival.transition];
    const auto& from = all_.sets[transition.from].particles;
    auto& columns = ways[arrival.transition];
    if (columns.empty()) columns = ways_between(from, to, keeps_state(transition));
    const std::size_t p = first_new_[s] + i, source = arrival.source;
    for (const ColumnWay<T>& way : columns) way.to[p] = way.from ? way.from[source] : T(0);
    to.id[0][p] = from.id[0][source];
    to.color[0][p] = from.color[0][source];
    // The room of those that change follows from the volume that they get.
    if (!keeps_state(transition)) {
      if (to[column::stiffness].components() > 0) to[column::stiffness][0][p] = T(1);
    } else if (to[column::room].components() > 0) {
      to[column::room][0][p] = to.volume[0][p];
    }
  }
}

template <class T, int D>
void Changeover<T, D>::settle(int s) {
  auto& set = all_.sets[s];
  const auto& arrivals = arrivals_[s];
  parallel_for("transitions", static_cast<std::int64_t>(arrivals.size()), 64,
               [&](std::int64_t begin, std::int64_t end) {
                 for (std::int64_t i = begin; i < end; ++i) {
                   const Arrival& arrival = arrivals[i];
                   const Transition& transition = transitions_[arrival.transition];
                   const Matter<D> matter = matter_of(all_.sets[transition.from], arrival.source);
                   settle_matter(set, first_new_[s] + i, matter, transition.density);
                 }
               });
}

template <class T, int D>
VariedFinding Changeover<T, D>::append_changed() {
  first_new_.clear();
  for (const auto& set : all_.sets) first_new_.push_back(set.particles.size());
  append(false);
  VariedFinding total;
  for (std::size_t s = 0; s < all_.sets.size(); ++s) {
    std::vector<Vec3d> places;
    for (std::size_t i = 0; i < arrivals_[s].size(); ++i)
      places.push_back(
          world_position(all_, all_.sets[s].particles, arrivals_[s][i].block, first_new_[s] + i));
    VariedFinding finding = vary_new(all_.sets[s], first_new_[s], places, time_);
    finding.set = static_cast<int>(s);
    total.add(finding);
  }
  if (total.is_error()) return total;
  for (std::size_t s = 0; s < all_.sets.size(); ++s) settle(static_cast<int>(s));
  return total;
}

template <class T, int D>
void Changeover<T, D>::append_moved() {
  append(true);
}

template <class T, int D>
void Changeover<T, D>::regroup() {
  for (std::size_t s = 0; s < all_.sets.size(); ++s) {
    std::vector<int> blocks;
    for (const Arrival& arrival : arrivals_[s]) blocks.push_back(arrival.block);
    std::vector<char> removed;
    for (const Mark mark : marks_[s]) removed.push_back(mark > 0);
    regroup_set(all_.sets[s], first_new_[s], blocks, removed);
  }
}

template <class T, int D>
void Changeover<T, D>::count(std::vector<std::uint64_t>& totals) const {
  for (const auto& marks : marks_)
    for (const Mark mark : marks)
      if (mark > 0) ++totals[transitions_[mark - 1].number];
}

template <class T, int D>
std::vector<double> Changeover<T, D>::least_densities() const {
  std::vector<double> least;
  for (std::size_t s = 0; s < all_.sets.size(); ++s) {
    const auto& particles = all_.sets[s].particles;
    least.push_back(INFINITY);
    for (std::size_t p = first_new_[s]; p < particles.size(); ++p)
      least.back() =
          std::min(least.back(), double(particles.mass[0][p]) / double(particles.volume[0][p]));
  }
  return least;
}

template class Changeover<float, 2>;
template class Changeover<float, 3>;
template class Changeover<double, 2>;
template class Changeover<double, 3>;

}  // namespace firn
