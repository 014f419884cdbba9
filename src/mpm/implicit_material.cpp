#include "mpm/implicit_material.h"

#include <optional>

#include "mpm/implicit_particle.h"
#include "mpm/material_columns.h"
#include "mpm/tangent_columns.h"

namespace firn {
namespace {

template <class Model, class T, int D>
struct ModelLoops {
  static constexpr int W = kPaired<T, 16> ? kModelLanes<Model> : 16;
  static constexpr bool kHolds = holds_law<Model>;
  using S = Simd<T, W>;
  using Set = MaterialSet<T, D>;
  using Tangent = TangentOf<Model, S, D>;
  using Kept = TangentColumns<Model, S, D>;

  static Mat<S, D> load_rate(const T* const* rate, std::uint32_t at, int n) {
    Mat<S, D> r;
    for (int k = 0; k < D * D; ++k) r(k / D, k % D) = S::load(rate[k] + at, n);
    return r;
  }
  static StepParticle<Model, S, D> load_particle(const UpdateColumns<Model, T, D>& columns, T dt,
                                                 std::size_t p) {
    StepParticle<Model, S, D> r;
    r.dt = S(dt);
    r.volume = S::load(columns.volume + p);
    for (int k = 0; k < Model::kScalars; ++k) r.state.scalar[k] = S::load(columns.scalar[k] + p);
    if constexpr (Model::kHasF)
      for (int k = 0; k < D * D; ++k) r.state.F(k / D, k % D) = S::load(columns.gradient[k] + p);
    r.source = kSources<Model> && columns.source ? S::load(columns.source + p) : S(0);
    if constexpr (keeps_dilation<Model>) r.state.scalar[Model::kDilation] += r.dt * r.source;
    r.has_dilation = columns.dilation != nullptr;
    if (r.has_dilation) r.dilation = S::load(columns.dilation + p);
    return r;
  }
  // f(particles of a pack, first of them from `begin` on, how many).
  template <template <class, class, int> class Source, class F>
  static void for_each_pack(Set& set, T dt, std::uint32_t begin, std::uint32_t end, const F& f) {
    const T* none[D * D] = {};
    UpdateColumns<Model, T, D> columns(none, set.particles, begin);
    Source<Model, S, D> model(set, columns);
    for (std::uint32_t at = 0; at < end - begin; at += W) {
      const int n = static_cast<int>(std::min<std::uint32_t>(W, end - begin - at));
      StepParticle<Model, S, D> particle = load_particle(columns, dt, at);
      model.load(at);
      particle.constants = model.constants.stiffened(S::load(columns.stiffness + at));
      particle.viscosity = model.viscosity;
      f(particle, at, n);
    }
  }
  template <class F>
  static void for_each_pack(Set& set, T dt, std::uint32_t begin, std::uint32_t end, const F& f) {
    if (set.particles[column::varied].components() > 0)
      for_each_pack<VariedConstants>(set, dt, begin, end, f);
    else
      for_each_pack<SameConstants>(set, dt, begin, end, f);
  }

  struct Pack {
    StepParticle<Model, S, D> particle;
    std::uint32_t at;
    int n;
  };
  // What one range of particles is evaluated with.
  struct Evaluation {
    std::uint32_t begin;
    const HeldColumns<T>& held;
    T* const* rate;
    Columns<T>& tangent;
    Energies sum;

    void two(Pack& a, Pack& b) {
      if constexpr (Model::kHasF) {
        const auto at_a = trial(a), at_b = trial(b);
        Svd<S, D> F_a, F_b;
        svd_of_two(at_a.strained(a.particle.dt), at_b.strained(b.particle.dt), F_a, F_b);
        finish(a, [&](auto&&... to) { return a.particle.evaluate(at_a, F_a, to...); });
        finish(b, [&](auto&&... to) { return b.particle.evaluate(at_b, F_b, to...); });
      } else {
        one(a);
        one(b);
      }
    }
    void one(Pack& pack) {
      const Mat<S, D> given = load_rate(rate, pack.at, pack.n);
      if constexpr (kHolds) pack.particle.held = S::load(held.now + begin + pack.at);
      finish(pack, [&](auto&&... to) { return pack.particle.evaluate(given, to...); });
    }

   private:
    auto trial(Pack& pack) {
      if constexpr (kHolds) pack.particle.held = S::load(held.now + begin + pack.at);
      return pack.particle.trial(load_rate(rate, pack.at, pack.n));
    }
    template <class Evaluate>
    void finish(const Pack& pack, const Evaluate& evaluate) {
      Mat<S, D> push;
      Tangent t;
      typename StepParticle<Model, S, D>::Next next;
      const bool renews = kHolds && held.next;
      const S energy = evaluate(push, &t, renews ? &next : nullptr);
      Kept::store(t, tangent, begin + pack.at, pack.n);
      for (int k = 0; k < D * D; ++k) push(k / D, k % D).store(rate[k] + pack.at, pack.n);
      for (int l = 0; l < pack.n; ++l) sum.now += double(energy[l]);
      if (!renews) return;
      next.held.store(held.next + begin + pack.at, pack.n);
      for (int l = 0; l < pack.n; ++l) sum.next += double(next.energy[l]);
    }
  };

  static Energies evaluate(Set& set, T dt, std::uint32_t begin, std::uint32_t end,
                           const HeldColumns<T>& held, T* const* rate, Columns<T>& tangent) {
    Evaluation of{begin, held, rate, tangent, {}};
    std::optional<Pack> waiting;
    for_each_pack(set, dt, begin, end,
                  [&](const StepParticle<Model, S, D>& particle, std::uint32_t at, int n) {
                    Pack pack{particle, at, n};
                    if (!waiting) {
                      waiting = pack;
                      return;
                    }
                    of.two(*waiting, pack);
                    waiting.reset();
                  });
    if (waiting) of.one(*waiting);
    if (!kHolds || !held.next) of.sum.next = of.sum.now;
    return of.sum;
  }
  static void start_holding(Set& set, T dt, T* held) {
    if constexpr (kHolds)
      for_each_pack(set, dt, 0, static_cast<std::uint32_t>(set.particles.size()),
                    [&](StepParticle<Model, S, D>& particle, std::uint32_t at, int n) {
                      particle.held_at_rest().store(held + at, n);
                    });
  }
  static void linearize(Set& set, T dt, std::uint32_t begin, std::uint32_t end, const T* held,
                        const T* const* rate, bool clamped, Columns<T>& tangent) {
    for_each_pack(set, dt, begin, end,
                  [&](StepParticle<Model, S, D>& particle, std::uint32_t at, int n) {
                    if constexpr (kHolds) particle.held = S::load(held + begin + at);
                    Tangent t = particle.tangent(load_rate(rate, at, n), clamped);
                    Kept::store(t, tangent, begin + at, n);
                  });
  }
  static void apply(const Columns<T>& tangent, std::uint32_t begin, std::uint32_t end,
                    T* const* rate) {
    const T* from[Kept::kWhole];
    const bool whole = tangent.components() == Kept::kWhole;
    for (int c = 0; c < tangent.components(); ++c) from[c] = tangent[c] + begin;
    for (std::uint32_t at = 0; at < end - begin; at += W) {
      const int n = static_cast<int>(std::min<std::uint32_t>(W, end - begin - at));
      const Tangent t = Kept::load(whole, [&](int c) { return S::load(from[c] + at); });
      const Mat<S, D> push = t.apply(load_rate(rate, at, n));
      for (int k = 0; k < D * D; ++k) push(k / D, k % D).store(rate[k] + at, n);
    }
  }
  // One particle, and nodes in the lanes.
  static void add_blocks(const Columns<T>& tangent, std::uint32_t p, const Vec<T, D>* g,
                         const int* node, int nodes, Node<T>* diagonal, Node<T>* beside) {
    const Tangent t =
        Kept::load(tangent.components() == Kept::kWhole, [&](int c) { return S(tangent[c][p]); });
    S bulk, shear;
    t.moduli(bulk, shear);
    T whole = T(0);
    for (int k = 0; k < nodes; ++k) whole += dot(g[k], g[k]);
    const S share = S(whole > T(0) ? T(1) / whole : T(0));
    bulk = bulk * share;
    shear = shear * share;
    for (int first = 0; first < nodes; first += W) {
      const int n = std::min(W, nodes - first);
      T lanes[D][W] = {};
      for (int l = 0; l < n; ++l)
        for (int a = 0; a < D; ++a) lanes[a][l] = g[first + l][a];
      Vec<S, D> gradient;
      for (int a = 0; a < D; ++a) gradient[a] = S::load(lanes[a]);
      const SymMat<S, D> found = t.of_node(gradient);
      T rows[W][8] = {};
      for (int a = 0, at = 4; a < D; ++a)
        for (int b = a; b < D; ++b) {
          T entries[W];
          found(a, b).store(entries);
          const int k = a == b ? a : at++;
          for (int l = 0; l < W; ++l) rows[l][k] = entries[l];
        }
      const S length2 = dot(gradient, gradient);
      T bulks[W], shears[W];
      (bulk * length2).store(bulks);
      (shear * length2).store(shears);
      for (int l = 0; l < W; ++l) {
        rows[l][kMassLane] = bulks[l];
        rows[l][4 + kMassLane] = shears[l];
      }
      for (int l = 0; l < n; ++l) {
        Node<T>&on = diagonal[node[first + l]], &off = beside[node[first + l]];
        on = on + Node<T>::load(rows[l]);
        off = off + Node<T>::load(rows[l] + 4);
      }
    }
  }
  static double stiffness(Set& set, T dt) {
    double sum = 0;
    for_each_pack(set, dt, 0, static_cast<std::uint32_t>(set.particles.size()),
                  [&](StepParticle<Model, S, D>& particle, std::uint32_t, int n) {
                    const S found = particle.modulus() * particle.volume;
                    for (int l = 0; l < n; ++l) sum += double(found[l]);
                  });
    return sum;
  }
  static ImplicitMaterial<T, D> make() {
    return {&evaluate,    kHolds ? &start_holding : nullptr,
            &linearize,   &apply,
            &add_blocks,  &stiffness,
            Kept::kWhole, Kept::kRough};
  }
};

}  // namespace

template <class T, int D>
ImplicitMaterial<T, D> implicit_material(const ModelParameters& parameters) {
  return visit_model(static_cast<int>(parameters.index()), [](auto tag) {
    return ModelLoops<typename decltype(tag)::type, T, D>::make();
  });
}

#define FIRN_INSTANTIATE(T, D) \
  template ImplicitMaterial<T, D> implicit_material<T, D>(const ModelParameters&);
FIRN_INSTANTIATE(float, 2)
FIRN_INSTANTIATE(float, 3)
FIRN_INSTANTIATE(double, 2)
FIRN_INSTANTIATE(double, 3)

}  // namespace firn
