// Patch test: where the boundary of a block is deformed affinely, its inside follows, from
// wherever its nodes start.
#include <cmath>

#include "base/random.h"
#include "cases/fem_tools.h"
#include "solvers/minimize.h"

namespace firn {
namespace {

constexpr const char* kCase = "fem_patch";
constexpr double kEdge = 0.25, kShaken = 0.04, kFar = 1e-10;

// A step of the solver whose boundary nodes stay where they are.
template <int D>
struct HeldObjective : FemObjective<D> {
  using FemObjective<D>::FemObjective;
  using Vector = Buffer<double>;

  void filter(Vector& d) {
    for (std::size_t k = 0; k < d.size(); ++k)
      if (held[k / D]) d[k] = 0;
  }
  std::vector<bool> held;
};

struct PatchModel {
  const char* name;
  ModelParameters parameters;
};

std::vector<PatchModel> patch_models() {
  constexpr double kModulus = 1e4, kPoisson = 0.3;
  return {{"fixed_corotated", elastic_material<FixedCorotated>(kModulus, kPoisson)},
          {"st_venant_kirchhoff", elastic_material<StVenantKirchhoff>(kModulus, kPoisson)},
          {"stable_neo_hookean", elastic_material<StableNeoHookean>(kModulus, kPoisson)},
          {"neo_hookean", elastic_material<NeoHookean>(kModulus, kPoisson)},
          {"hencky", elastic_material<Hencky>(kModulus, kPoisson)},
          {"viscoelastic", elastic_material<Viscoelastic>(kModulus, kPoisson)}};
}

// Farthest that a node inside ends from where the affine map puts it, over the block's size, from
// a start some hundredths of an edge off. `spoilt`: one node of the boundary is not on the map.
template <int D>
double patch_error(const ModelParameters& parameters, int order, bool spoilt = false) {
  Vec<double, D> size;
  for (int a = 0; a < D; ++a) size[a] = 1;
  FemBody<D> body = fem_block<D>(size, kEdge, 1);
  // Cells of many shapes.
  RandomStream random(7, 0);
  const auto inside = [](const Vec<double, D>& p) {
    for (int a = 0; a < D; ++a)
      if (p[a] < 1e-9 || p[a] > 1 - 1e-9) return false;
    return true;
  };
  SimplexMesh<D> mesh;
  for (auto& p : body.rest) {
    const bool free = inside(p);
    for (int a = 0; a < D; ++a) p[a] += free ? 0.2 * kEdge * (2 * random.next_double() - 1) : 0;
    mesh.points.push_back(p);
  }
  for (std::size_t k = 0; k < body.cells.size(); k += D + 1) {
    typename SimplexMesh<D>::Cell cell;
    for (std::size_t c = 0; c <= D; ++c) cell[c] = body.cells[k + c];
    mesh.cells.push_back(cell);
  }
  body = fem_body_of<D>(mesh, order);

  const FemModel<D> model({body}, {parameters});
  const ArraySpace<double> space(model.mass, D);
  HeldObjective<D> step(space, model);
  Buffer<double> x = space.make(), exact = space.make();
  std::size_t face = 0;  // a node within a side
  for (std::size_t i = 0; i < model.nodes(); ++i) {
    Vec<double, D> p;
    for (int a = 0; a < D; ++a) p[a] = model.rest[i * D + std::size_t(a)];
    step.held.push_back(!inside(p));
    if (std::abs(p[0]) < 1e-9 && std::abs(p[1] - 0.5) < 1e-9 && std::abs(p[D - 1] - 0.5) < 1e-9)
      face = i;
    for (int a = 0; a < D; ++a) {
      const std::size_t k = i * D + std::size_t(a);
      exact[k] = (1.1 - 0.1 * a) * p[a] + 0.2 * p[(a + 1) % D];
      x[k] = exact[k] + (step.held[i] ? 0 : kShaken * kEdge * (2 * random.next_double() - 1));
    }
  }
  if (spoilt) x[face * D] += 1e-3 * kEdge;
  constexpr double kLong = 10;  // s; waves cross the block some thirty times
  step.begin_step(StepCoefficients::of(TimeScheme::backward_euler, kLong, 0), exact, exact, exact,
                  0);
  MinimizeSettings settings;
  settings.tolerance = 1e-10;
  settings.tightest_linear = 1e-10;
  minimize(space, step, x, settings);
  double far = 0;
  for (std::size_t k = 0; k < x.size(); ++k)
    if (!step.held[k / D]) far = std::max(far, std::abs(x[k] - exact[k]));
  return far;
}

}  // namespace

std::vector<Check> validate_fem_patch(const ValidateOptions&) {
  std::vector<Check> checks;
  for (const PatchModel& model : patch_models()) {
    double far = 0;
    for (const int order : {1, 2}) {
      far = std::max(far, patch_error<2>(model.parameters, order));
      far = std::max(far, patch_error<3>(model.parameters, order));
    }
    checks.push_back(limit_check(
        kCase, std::string("off the affine map, m of 1 m, both orders, 2D and 3D, ") + model.name,
        far, kFar));
  }
  const ModelParameters parameters = patch_models().front().parameters;
  for (const int order : {1, 2})
    checks.push_back(must_fail(limit_check(
        kCase, "the same, a node of a side off by 1/4000 m, order " + std::to_string(order),
        patch_error<3>(parameters, order, true), kFar)));
  return checks;
}

}  // namespace firn
