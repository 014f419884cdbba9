#include "cases/bench_implicit.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "cases/bench_implicit_scenes.h"
#include "cases/case_tools.h"
#include "cases/implicit_cost.h"
#include "cases/product_cost.h"
#include "cases/timed_run.h"
#include "sim/integrator_forecast.h"

namespace firn {
namespace {

BenchFigure figure(const std::string& what, double measured, const std::string& note = "") {
  BenchFigure made;
  made.what = what;
  made.measured = measured;
  made.note = note;
  return made;
}
BenchFigure no_more_than(double most, BenchFigure made) {
  made.at_most = most;
  return made;
}
BenchFigure no_less_than(double least, BenchFigure made) {
  made.at_least = least;
  return made;
}

std::string seconds_text(double seconds) {
  return short_number(seconds) + " s";
}
std::string explicit_text(const TimedRun& run) {
  std::string text = "explicit " + seconds_text(run.seconds);
  if (run.part < 1) text += " by the first " + short_number(100 * run.part) + " % of the time";
  return text;
}
std::string implicit_text(const TimedRun& run, IntegratorKind kind) {
  return std::string(name_of(kind)) + " " + seconds_text(run.seconds) + " (" +
         short_number(run.steps) + " steps, " + short_number(run.newton_iterations) + " Newton, " +
         short_number(run.krylov_iterations) + " products, residual " + short_number(run.residual) +
         " m/s)";
}

class ImplicitBench {
 public:
  ImplicitBench(const BenchOptions& options, const OnFigure& found)
      : options_(options), found_(found), cells_(cells_across(options)) {
    if (options_.particles == 0)
      options_.particles = std::llround(options_.dimension == 3 ? kPi / 6 * 8 * std::pow(cells_, 3)
                                                                : kPi * std::pow(cells_, 2));
  }

  Errors run() {
    for (const auto part : {&ImplicitBench::products, &ImplicitBench::drops,
                            &ImplicitBench::choices, &ImplicitBench::snow, &ImplicitBench::sponge})
      if (Errors errors = (this->*part)(); !errors.empty()) return errors;
    return {};
  }

 private:
  double fewer_cells() const { return std::max(kFewestCells, cells_ / 2); }
  bool on_cpu() const { return options_.device == Device::cpu; }

  Errors products() {
    options_.progress("products");
    if (on_cpu()) {
      const ProductCost cost = measure_product(options_);
      found_(no_more_than(
          0.8, figure("Hessian product over explicit step", cost.product / cost.explicit_step,
                      short_number(1e3 * cost.product) + " ms over " +
                          short_number(1e3 * cost.explicit_step) + " ms")));
    }
    if (options_.dimension != 3) return {};
    const Result<KrylovCost> cost = measure_krylov(options_, PreconditionerKind::multigrid);
    if (!cost) return cost.errors();
    found_(figure("iteration, with all else, over explicit step",
                  cost->iteration / cost->explicit_step,
                  short_number(double(cost->iterations)) + " iterations in " +
                      short_number(double(cost->newton_steps)) + " Newton steps"));
    return {};
  }

  Errors drops() {
    for (const double modulus : {1.4e5, 1e6, 1e7, 1e9}) {
      SceneSettings scene = falling_ball(cells_, modulus, 0, options_);
      const Result<TimedRun> plain = time_explicit_run(scene, options_);
      if (!plain) return plain.errors();
      scene.integrator.kind = IntegratorKind::optimization;
      scene.integrator.implicit_cfl = IntegratorSettings::kMostImplicitCfl;
      const Result<TimedRun> large = time_run(scene, options_);
      if (!large) return large.errors();
      BenchFigure drop =
          figure("explicit over optimization, " + scene.name, plain->seconds / large->seconds,
                 explicit_text(*plain) + ", " + implicit_text(*large, scene.integrator.kind));
      if (modulus == 1e7) drop.at_least = 5;
      if (modulus == 1e9) drop.at_least = 60;
      found_(drop);
      if (modulus != 1e7) continue;
      constexpr double kMiB = 1 << 20;
      found_(no_more_than(2, figure("memory of optimization over explicit, " + scene.name,
                                    large->bytes / plain->bytes,
                                    short_number(large->bytes / kMiB) + " MiB over " +
                                        short_number(plain->bytes / kMiB) + " MiB")));
    }
    return {};
  }

  Errors choices() {
    for (SceneSettings scene : scenes_of_choice(fewer_cells(), options_)) {
      const IntegratorForecasts forecasts = forecast_integrators(scene);
      const Result<TimedRun> plain = time_explicit_run(scene, options_);
      if (!plain) return plain.errors();
      scene.integrator.kind = forecasts.implicit.kind;
      const Result<TimedRun> large = time_run(scene, options_);
      if (!large) return large.errors();
      const IntegratorKind chosen = forecasts.cheapest().kind;
      const bool takes_explicit = chosen == IntegratorKind::explicit_;
      const double taken = takes_explicit ? plain->seconds : large->seconds;
      found_(figure("auto over the better one, " + scene.name,
                    taken / std::min(plain->seconds, large->seconds),
                    "takes " + std::string(name_of(chosen)) + "; " + explicit_text(*plain) + ", " +
                        implicit_text(*large, scene.integrator.kind)));
    }
    return {};
  }

  // One linear system a step on a floor that holds; friction asks for several.
  Errors snow() {
    for (const ContactKind floor : {ContactKind::sticky, ContactKind::separate})
      for (const auto& [kind, name] : kPreconditioners) {
        SceneSettings scene = falling_snow(fewer_cells(), options_);
        scene.colliders[0].contact = floor;
        scene.integrator.preconditioner = kind;
        const Result<TimedRun> run = time_run(scene, options_);
        if (!run) return run.errors();
        const bool holds = floor == ContactKind::sticky;
        BenchFigure made = figure(
            std::string("iterations a step to 1e-4, snow, ") + name + (holds ? "" : ", friction"),
            run->krylov_iterations / run->steps,
            short_number(run->steps) + " steps of semi_implicit");
        if (holds && kind == PreconditionerKind::none)
          made = no_less_than(10, no_more_than(30, made));
        found_(made);
      }
    return {};
  }

  Errors sponge() {
    double without = 0;
    for (const auto& [kind, name] : kPreconditioners) {
      SceneSettings scene = shot_sponge(fewer_cells(), options_);
      scene.integrator.preconditioner = kind;
      const Result<TimedRun> run = time_run(scene, options_);
      if (!run) return run.errors();
      if (kind == PreconditionerKind::none) {
        without = run->krylov_iterations;
        continue;
      }
      BenchFigure made = figure(
          std::string("times fewer iterations, sponge, ") + name, without / run->krylov_iterations,
          short_number(without) + " without, " + short_number(run->krylov_iterations) + " with");
      found_(kind == PreconditionerKind::diagonal ? no_less_than(6, made) : made);
    }
    return {};
  }

  static constexpr std::pair<PreconditionerKind, const char*> kPreconditioners[] = {
      {PreconditionerKind::none, "none"},
      {PreconditionerKind::diagonal, "diagonal"},
      {PreconditionerKind::blocks, "blocks"},
      {PreconditionerKind::multigrid, "multigrid"}};

  static constexpr double kFewestCells = 6;

  BenchOptions options_;
  const OnFigure& found_;
  double cells_;
};

}  // namespace

Errors bench_implicit(const BenchOptions& options, const OnFigure& found) {
  return ImplicitBench(options, found).run();
}

}  // namespace firn
