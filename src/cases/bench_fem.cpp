#include "cases/bench_fem.h"

#include <algorithm>
#include <cmath>

#include "cases/bench_clock.h"
#include "cases/fem_tools.h"
#include "geometry/stuffing_mesh.h"

namespace firn {
namespace {

constexpr double kFrameOfBench = 1. / 24;

// A cube drawn to twice its length within six frames, where Newton's method converges too.
struct Stretched {
  Stretched(int cells, MinimizerKind minimizer)
      : run(settings(minimizer), {body(cells)}, elastic_material<FixedCorotated>(1e5, 0.3),
            pins()) {}
  static FemSettings settings(MinimizerKind minimizer) {
    FemSettings made;
    made.minimizer = minimizer;
    return made;
  }
  static FemBody<3> body(int cells) { return fem_block<3>({{1, 1, 1}}, 1. / cells, 1); }
  static ColliderSet pins() {
    ColliderSet set;
    for (const double side : {-1.0, 1.0}) {
      const double from = side < 0 ? -1 : 1 - 1e-6;
      Collider pin = fem_pin({{from, -1, -1}}, {{from + 1 + 1e-6, 2, 2}});
      pin.moves = true;
      KeyPose start, end;
      end.time = 6 * kFrameOfBench;
      end.translation = {{side * 0.5, 0, 0}};
      set.add(pin, fem_motion(start, end), nullptr);
    }
    return set;
  }
  // Seconds of some frames; a step that missed makes it NaN.
  double seconds(int frames) {
    const BenchClock clock(Device::cpu);
    bool missed = false;
    for (int k = 0; k < frames; ++k) missed = run.step(kFrameOfBench).solve.missed || missed;
    return missed ? std::nan("") : clock.seconds();
  }
  FemRun<3> run;
};

double product_share(const FemModel<3>& model, double bandwidth) {
  BlockMatrix<3> matrix = model.pattern.zeros();
  model.bodies[0].elastic->add_stiffness(model.rest.data(), true, 1, matrix);
  std::vector<double> d(model.nodes() * 3, 1.0), out(d.size());
  constexpr int kProducts = 40;
  matrix.product(d.data(), out.data());
  const BenchClock clock(Device::cpu);
  for (int k = 0; k < kProducts; ++k) matrix.product(d.data(), out.data());
  const double bytes = double(matrix.bytes_of_product()) + 2 * 8.0 * double(d.size());
  return kProducts * bytes / clock.seconds() / bandwidth;
}

double seconds_of_stuffing(std::size_t& cells) {
  Shape ball;
  ball.kind = ShapeKind::ball;
  ball.size = {{0.5, 0, 0}};
  const BenchClock clock(Device::cpu);
  const auto mesh = stuffing_mesh<3>(ball, 0.0099);
  cells = mesh ? mesh->cells.size() : 0;
  return clock.seconds();
}

}  // namespace

Errors bench_fem(const BenchOptions& options, const OnFigure& found) {
  const double wanted = options.particles > 0 ? double(options.particles) : 29. * 29 * 29;
  const int cells = std::max(4, static_cast<int>(std::lround(std::cbrt(wanted))) - 1);
  constexpr int kFrames = 8;
  Stretched robust(cells, MinimizerKind::robust);
  const std::string size = std::to_string(robust.run.nodes()) + " vertices";
  options.progress("product");
  found({"product / bandwidth of the triad",
         product_share(robust.run.solver.model(), measure_peak().bandwidth),
         0.6,
         {},
         size});
  options.progress("stretch");
  const double seconds = robust.seconds(kFrames);
  found({"stretched cube, s a frame", seconds / kFrames, {}, {}, size});
  found({"bytes a vertex",
         double(robust.run.solver.bytes()) / double(robust.run.nodes()),
         {},
         2500,
         "the solver's own, after those frames"});
  options.progress("Newton's method alone");
  const double alone = Stretched(cells, MinimizerKind::plain_newton).seconds(kFrames);
  found({"descent over Newton's method alone, where that converges",
         seconds / alone,
         {},
         1.1,
         "seconds of the same frames"});
  const int threads = thread_count();
  if (threads > 1) {
    set_thread_count(1);
    const double one = Stretched(cells, MinimizerKind::robust).seconds(kFrames);
    set_thread_count(threads);
    found({"one thread over " + std::to_string(threads),
           one / seconds,
           threads == 2 ? std::optional<double>(1.7) : std::nullopt,
           {},
           "seconds"});
  }
  options.progress("stuffing");
  std::size_t made = 0;
  const double cut = seconds_of_stuffing(made);
  found({"a million tetrahedra of a ball, s",
         cut * 1e6 / double(std::max<std::size_t>(made, 1)),
         {},
         10,
         "isosurface stuffing"});
  return {};
}

}  // namespace firn
