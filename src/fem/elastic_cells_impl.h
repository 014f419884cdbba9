// ElasticCells of one model, dimension and order.
#pragma once

#include <cmath>

#include "base/transpose.h"
#include "exec/parallel.h"
#include "fem/cell_chunks.h"
#include "fem/cell_pack.h"
#include "fem/elastic_models.h"
#include "material/derivatives.h"
#include "material/elastic_law.h"

namespace firn {

template <class Model, int D, int Order>
class ElasticCellsOf final : public ElasticCells<D> {
  using Packs = CellPacks<D, Order>;
  using S = CellLanes;
  static constexpr int N = Packs::N, W = Packs::W, Q = CellShape<D, Order>::kPoints;
  static constexpr bool kFlows = std::is_same_v<Model, Viscoelastic>;
  static constexpr std::uint32_t kPacksAChunk = CellChunks::kCells / W;

 public:
  ElasticCellsOf(const FemBody<D>& body, const std::vector<std::uint32_t>& cells,
                 const typename Model::Parameters& parameters, std::size_t node_count)
      : packs_(body, cells),
        chunks_(cells, N, node_count),
        constants_(Model::template constants<S, D>(parameters, S(1))),
        viscosity_(viscosity_of<Model>(parameters)) {
    if constexpr (kFlows) start_flow();
  }

  std::size_t count() const override { return packs_.count(); }

  double energy(const double* x, double* g) const override {
    std::vector<double> sums(chunks_.count());
    for_packs("elastic energy", [&](std::uint32_t chunk, std::size_t pack, int packs) {
      Work work[kSideBySide];
      for (int k = 0; k < packs; ++k) open(pack + k, x, work[k]);
      for_points(work, packs, false, [&](Work& at, const StressDerivative<S, D>& stress, int q) {
        add_stress(stress, q, at);
      });
      for (int k = 0; k < packs; ++k) sums[chunk] += give_forces(work[k], g);
    });
    double sum = 0;
    for (const double part : sums) sum += part;
    return sum;
  }

  void add_stiffness(const double* x, bool definite, double factor,
                     BlockMatrix<D>& to) const override {
    for_packs("stiffness", [&](std::uint32_t, std::size_t pack, int packs) {
      Work work[kSideBySide];
      PairBlocks blocks[kSideBySide];
      for (int k = 0; k < packs; ++k) {
        open(pack + k, x, work[k]);
        blocks[k] = zero_blocks();
      }
      for_points(work, packs, definite, [&](Work& at, const StressDerivative<S, D>& stress, int) {
        add_point(stress, at.gradients, at.volume * S(factor / Q), blocks[&at - work]);
      });
      for (int k = 0; k < packs; ++k) scatter(pack + k, blocks[k], to);
    });
  }
  void use(const BlockMatrix<D>& pattern) override {
    place_.resize(packs_.packs() * kPairs * 2 * W);
    for (std::size_t pack = 0; pack < packs_.packs(); ++pack)
      for (int a = 0; a < N; ++a)
        for (int b = a; b < N; ++b) {
          const std::uint32_t *row = packs_.nodes(pack, a), *column = packs_.nodes(pack, b);
          std::uint16_t* place = place_.data() + (pack * kPairs + pair(a, b)) * 2 * W;
          for (int lane = 0; lane < W; ++lane) {
            place[lane] = pattern.place_in_row(row[lane], column[lane]);
            place[W + lane] = pattern.place_in_row(column[lane], row[lane]);
          }
        }
  }

  bool is_viscous() const override { return viscosity_ > 0; }
  // J eta |sym grad v|^2, whose second derivatives by v_a, v_b are J eta (h_a.h_b I + h_b h_a^T)
  // with h the gradients in space.
  void add_viscosity(const double* x, BlockMatrix<D>& to) const override {
    if (!is_viscous()) return;
    for_packs("viscosity", [&](std::uint32_t, std::size_t first, int packs) {
      for (std::size_t pack = first; pack < first + std::size_t(packs); ++pack)
        add_viscosity_of(pack, x, to);
    });
  }

  void begin_step(double dt) override { dt_ = dt; }
  void end_step(const double* x) override {
    if constexpr (kFlows) flow(x);
  }
  std::vector<CellValues> values(const double* x) const override;
  std::vector<double> save() const override { return flow_; }
  bool load(const std::vector<double>& state) override {
    if (state.size() != flow_.size()) return false;
    for (const double value : state)
      if (!std::isfinite(value)) return false;
    flow_ = state;
    return true;
  }
  std::size_t bytes() const override {
    return packs_.bytes() + place_.bytes() + flow_.size() * sizeof(double);
  }

 private:
  static constexpr int kPairs = N * (N + 1) / 2;
  static constexpr int pair(int a, int b) { return b * (b + 1) / 2 + a; }
  // Blocks of nodes a <= b; those of node 0 follow, since all gradients together are zero.
  struct PairBlocks {
    Mat<S, D> block[kPairs];
    Mat<S, D>& at(int a, int b) { return block[pair(a, b)]; }
  };
  // Packs that are taken together: their decompositions, chains of operations that wait for each
  // other, fill each other's time.
  static constexpr int kSideBySide = 2;
  struct Work {
    std::size_t pack;
    S volume, energy;
    Vec<S, D> places[N], gradients[N], force[N];
    Mat<S, D> F;
  };
  static PairBlocks zero_blocks() {
    PairBlocks blocks;
    for (auto& block : blocks.block) block = Mat<S, D>::zero();
    return blocks;
  }

  // body(chunk, pack, packs from it on), so that packs which share a node are never taken at once.
  template <class Body>
  void for_packs(const char* name, Body&& body) const {
    for (const auto& color : chunks_.colors)
      parallel_for(name, static_cast<std::int64_t>(color.size()), 1,
                   [&](std::int64_t begin, std::int64_t end) {
                     for (std::int64_t k = begin; k < end; ++k) {
                       const std::uint32_t chunk = color[k];
                       const std::size_t first = std::size_t(chunk) * kPacksAChunk;
                       const std::size_t last = std::min(first + kPacksAChunk, packs_.packs());
                       for (std::size_t pack = first; pack < last; pack += kSideBySide)
                         body(chunk, pack,
                              static_cast<int>(std::min<std::size_t>(kSideBySide, last - pack)));
                     }
                   });
  }

  ElasticLaw<Model, S> law(std::size_t pack, int q) const {
    MaterialState<S, D, Model::kScalars> state;
    if constexpr (kFlows) {
      state.scalar[0] = flow_value(pack, q, D * D);
      return ElasticLaw<Model, S>::of(constants_, state, S(dt_));
    } else {
      return ElasticLaw<Model, S>::of(constants_, state);
    }
  }
  // By the places at which the body is free of stress: those at rest, until it flows.
  void point_gradients(std::size_t pack, int q, Vec<S, D>* gradients) const {
    packs_.gradients(pack, q, gradients);
    if constexpr (kFlows) {
      const Mat<S, D> back = transpose(flow_part(pack, q));
      for (int a = 0; a < N; ++a) gradients[a] = back * gradients[a];
    }
  }

  void open(std::size_t pack, const double* x, Work& work) const {
    work.pack = pack;
    work.volume = packs_.volume(pack);
    work.energy = S(0);
    packs_.places(pack, x, work.places);
    for (auto& f : work.force) f = Vec<S, D>::zero();
  }
  // found(work, stress, point) for every point of these packs.
  template <class Found>
  void for_points(Work* work, int packs, bool definite, Found&& found) const {
    for (int q = 0; q < Q; ++q) {
      for (int k = 0; k < packs; ++k) {
        point_gradients(work[k].pack, q, work[k].gradients);
        work[k].F = Packs::deformation(work[k].places, work[k].gradients);
      }
      Svd<S, D> axes[kSideBySide];
      svd_of_two<QuickEstimates>(work[0].F, work[packs - 1].F, axes[0], axes[1]);
      for (int k = 0; k < packs; ++k)
        found(work[k], stress_derivative(law(work[k].pack, q), axes[k], definite), q);
    }
  }
  void add_stress(const StressDerivative<S, D>& stress, int q, Work& work) const {
    const S weight = work.volume * S(1.0 / Q);
    work.energy += law(work.pack, q).energy(stress.F.s) * weight;
    const Mat<S, D> P = stress.P() * weight;
    for (int a = 1; a < N; ++a) {
      const Vec<S, D> f = P * work.gradients[a];
      work.force[a] += f;
      work.force[0] -= f;
    }
  }
  // Adds the derivatives to g; the energy.
  double give_forces(const Work& work, double* g) const {
    const int lanes = packs_.lanes(work.pack);
    for (int a = 0; a < N; ++a) {
      const std::uint32_t* node = packs_.nodes(work.pack, a);
      for (int i = 0; i < D; ++i)
        for (int lane = 0; lane < lanes; ++lane)
          g[std::size_t(node[lane]) * D + i] += work.force[a][i][lane];
    }
    double sum = 0;
    for (int lane = 0; lane < lanes; ++lane) sum += work.energy[lane];
    return sum;
  }

  void add_viscosity_of(std::size_t pack, const double* x, BlockMatrix<D>& to) const {
    constexpr double kLeastJ = 1e-3, kMostJ = 1.1;
    PairBlocks blocks = zero_blocks();
    Vec<S, D> places[N], gradients[N];
    packs_.places(pack, x, places);
    for (int q = 0; q < Q; ++q) {
      packs_.gradients(pack, q, gradients);
      const Mat<S, D> F = Packs::deformation(places, gradients);
      const S J = max_of(determinant(F), S(kLeastJ));
      const Mat<S, D> to_space = cofactors(F) * (S(1) / J);
      for (int a = 0; a < N; ++a) gradients[a] = to_space * gradients[a];
      const S weight = packs_.volume(pack) * S(viscosity_ / Q) * min_of(J, S(kMostJ));
      for (int a = 1; a < N; ++a)
        for (int b = a; b < N; ++b) {
          const Mat<S, D> block =
              Mat<S, D>::diagonal(Vec<S, D>::fill(dot(gradients[a], gradients[b]))) +
              outer(gradients[b], gradients[a]);
          blocks.at(a, b) = blocks.at(a, b) + block * weight;
        }
    }
    scatter(pack, blocks, to);
  }

  // In the axes of F, with w_a = V^T of the gradient: U M U^T, where M gets the derivatives of the
  // diagonal, and for each pair of axes half the sum and half the difference of its two values.
  static void add_point(const StressDerivative<S, D>& at, const Vec<S, D>* gradients, S weight,
                        PairBlocks& blocks) {
    const S half(0.5);
    Vec<S, D> w[N];
    const Mat<S, D> Vt = transpose(at.F.V), Ut = transpose(at.F.U);
    for (int a = 1; a < N; ++a) w[a] = Vt * gradients[a];
    for (int a = 1; a < N; ++a)
      for (int b = a; b < N; ++b) {
        Mat<S, D> M;
        for (int p = 0; p < D; ++p)
          for (int r = 0; r < D; ++r) M(p, r) = at.by_stretch.second(p, r) * w[a][p] * w[b][r];
        for (int p = 0; p < D; ++p)
          for (int r = p + 1; r < D; ++r) {
            const int pair = at.by_stretch.pair_index(p, r);
            const S even = half * (at.by_stretch.difference[pair] + at.by_stretch.sum[pair]);
            const S odd = half * (at.by_stretch.difference[pair] - at.by_stretch.sum[pair]);
            M(p, p) += even * w[a][r] * w[b][r];
            M(r, r) += even * w[a][p] * w[b][p];
            M(p, r) += odd * w[a][r] * w[b][p];
            M(r, p) += odd * w[a][p] * w[b][r];
          }
        blocks.at(a, b) = blocks.at(a, b) + at.F.U * (M * weight) * Ut;
      }
  }
  static void complete(PairBlocks& blocks) {
    Mat<S, D> corner = Mat<S, D>::zero();
    for (int b = 1; b < N; ++b) {
      Mat<S, D> sum = Mat<S, D>::zero();
      for (int a = 1; a < N; ++a)
        sum = sum - (a <= b ? blocks.at(a, b) : transpose(blocks.at(b, a)));
      blocks.at(0, b) = sum;
      corner = corner - sum;
    }
    blocks.at(0, 0) = corner;
  }
  // Lanes behind the last cell add nothing to its blocks.
  void scatter(std::size_t pack, PairBlocks& blocks, BlockMatrix<D>& to) const {
    complete(blocks);
    for (int a = 0; a < N; ++a)
      for (int b = a; b < N; ++b) {
        alignas(64) double entry[D * D][W];  // by columns
        for (int j = 0; j < D; ++j)
          for (int i = 0; i < D; ++i) blocks.at(a, b)(i, j).store(entry[j * D + i]);
        const std::uint32_t *row = packs_.nodes(pack, a), *column = packs_.nodes(pack, b);
        const std::uint16_t* place = place_.data() + (pack * kPairs + pair(a, b)) * 2 * W;
        add_blocks(entry, false, row, place, to);
        if (a != b) add_blocks(entry, true, column, place + W, to);
      }
  }
  static void add_blocks(const double (*entry)[W], bool mirrored, const std::uint32_t* row,
                         const std::uint16_t* place, BlockMatrix<D>& to) {
    using Four = Simd<double, 4>;
    const auto source = [&](int k) { return entry[mirrored ? k % D * D + k / D : k]; };
    for (int first = 0; first < W; first += 4) {
      Four lane[D * D / 4][4];
      for (int part = 0; part < D * D / 4; ++part) {
        for (int k = 0; k < 4; ++k) lane[part][k] = Four::load(source(4 * part + k) + first);
        transpose_lanes(lane[part][0], lane[part][1], lane[part][2], lane[part][3]);
      }
      for (int k = 0; k < 4; ++k) {
        double* there = to.block(row[first + k], place[first + k]);
        for (int part = 0; part < D * D / 4; ++part)
          (Four::load(there + 4 * part) + lane[part][k]).store(there + 4 * part);
        if constexpr (D == 3) there[8] += entry[8][first + k];
      }
    }
  }

  // What relaxed: by point the factor that takes F to the part that is elastic, and the scale that
  // the material keeps.
  static constexpr std::size_t kFlowSize = D * D + 1;
  double* flow_at(std::size_t pack, int q, int k) {
    return flow_.data() + ((pack * Q + q) * kFlowSize + k) * W;
  }
  S flow_value(std::size_t pack, int q, int k) const {
    return S::load(flow_.data() + ((pack * Q + q) * kFlowSize + k) * W);
  }
  Mat<S, D> flow_part(std::size_t pack, int q) const {
    Mat<S, D> part;
    for (int k = 0; k < D * D; ++k) part(k / D, k % D) = flow_value(pack, q, k);
    return part;
  }
  void start_flow() {
    flow_.assign(packs_.packs() * Q * kFlowSize * W, 0);
    for (std::size_t pack = 0; pack < packs_.packs(); ++pack)
      for (int q = 0; q < Q; ++q) {
        for (int i = 0; i < D; ++i) S(1).store(flow_at(pack, q, i * D + i));
        S(1).store(flow_at(pack, q, D * D));
      }
  }
  void flow(const double* x) {
    parallel_for("relax", static_cast<std::int64_t>(packs_.packs()), kPacksAChunk,
                 [&](std::int64_t begin, std::int64_t end) {
                   for (std::int64_t pack = begin; pack < end; ++pack) flow_pack(pack, x);
                 });
  }
  void flow_pack(std::size_t pack, const double* x) {
    Vec<S, D> places[N], gradients[N];
    packs_.places(pack, x, places);
    for (int q = 0; q < Q; ++q) {
      packs_.gradients(pack, q, gradients);
      const Mat<S, D> F = Packs::deformation(places, gradients);
      MaterialState<S, D, Model::kScalars> state;
      state.F = F * flow_part(pack, q);
      state.scalar[0] = flow_value(pack, q, D * D);
      Model::relax(constants_, S(dt_), state);
      const Mat<S, D> part = inverse(F) * state.F;
      for (int k = 0; k < D * D; ++k) part(k / D, k % D).store(flow_at(pack, q, k));
      state.scalar[0].store(flow_at(pack, q, D * D));
    }
  }

  double poisson_ratio() const {
    LameConstants<S> lame;
    if constexpr (kFlows)
      lame = constants_.lame;
    else
      lame = constants_;
    const double both = lame.lambda[0] + lame.mu[0];
    return both > 0 ? lame.lambda[0] / (2 * both) : 0;
  }

  Packs packs_;
  CellChunks chunks_;
  decltype(Model::template constants<S, D>(std::declval<typename Model::Parameters>(),
                                           S(1))) constants_;
  double viscosity_ = 0, dt_ = 0;
  std::vector<double> flow_;     // of what relaxes
  Buffer<std::uint16_t> place_;  // of pairs of nodes in the rows of the matrix, both ways
};

template <class Model, int D, int Order>
std::vector<CellValues> ElasticCellsOf<Model, D, Order>::values(const double* x) const {
  std::vector<CellValues> list(packs_.count());
  for (std::size_t pack = 0; pack < packs_.packs(); ++pack) {
    Vec<S, D> places[N], gradients[N];
    packs_.places(pack, x, places);
    S ratio(0);
    SymMat<S, D> stress = SymMat<S, D>::isotropic(S(0));
    Mat<S, D> mean = Mat<S, D>::zero();
    for (int q = 0; q < Q; ++q) {
      packs_.gradients(pack, q, gradients);
      const Mat<S, D> F = Packs::deformation(places, gradients);
      const S J = determinant(F);
      for (int k = 0; k < D * D; ++k) mean(k / D, k % D) += F(k / D, k % D) * S(1.0 / Q);
      point_gradients(pack, q, gradients);
      const auto found = stress_derivative(law(pack, q), Packs::deformation(places, gradients));
      const SymMat<S, D> tau = found.tau();
      const S share = S(1.0 / Q) / select(abs_of(J) < S(1e-9), S(1e-9), J);
      for (int k = 0; k < SymMat<S, D>::kSize; ++k) stress.e[k] += tau.e[k] * share;
      ratio += J * S(1.0 / Q);
    }
    for (int lane = 0; lane < packs_.lanes(pack); ++lane) {
      CellValues& cell = list[pack * W + lane];
      cell.volume_ratio = ratio[lane];
      for (int k = 0; k < D * D; ++k) cell.deformation[k] = mean(k / D, k % D)[lane];
      for (int k = 0; k < SymMat<S, D>::kSize; ++k) cell.stress[k] = stress.e[k][lane];
      cell.von_mises = von_mises<D>(cell.stress, poisson_ratio());
    }
  }
  return list;
}

template <class Model, int D, int Order>
std::unique_ptr<ElasticCells<D>> make_cells_of(const FemBody<D>& body,
                                               const std::vector<std::uint32_t>& cells,
                                               const typename Model::Parameters& parameters,
                                               std::size_t node_count) {
  return std::make_unique<ElasticCellsOf<Model, D, Order>>(body, cells, parameters, node_count);
}

// In a file for each dimension and order, since they take long to compile.
#define FIRN_CELLS_OF(Model, D, Order)                                                \
  template std::unique_ptr<ElasticCells<D>> make_cells_of<Model, D, Order>(           \
      const FemBody<D>&, const std::vector<std::uint32_t>&, const Model::Parameters&, \
      std::size_t);
#define FIRN_CELLS(D, Order)                 \
  FIRN_CELLS_OF(StVenantKirchhoff, D, Order) \
  FIRN_CELLS_OF(Hencky, D, Order)            \
  FIRN_CELLS_OF(NeoHookean, D, Order)        \
  FIRN_CELLS_OF(FixedCorotated, D, Order)    \
  FIRN_CELLS_OF(StableNeoHookean, D, Order)  \
  FIRN_CELLS_OF(Viscoelastic, D, Order)

}  // namespace firn
