#include "scene/initial_stress.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstdio>

#include "exec/parallel.h"
#include "scene/initial_fields.h"

namespace firn {
namespace {

double length(const Vec3d& v) {
  return std::sqrt(dot(v, v));
}

// In a periodic direction nothing can vary, so that the part of gravity along it makes no stress.
Vec3d loading_gravity(const SceneSettings& scene) {
  Vec3d gravity = VaryingField(scene.gravity).at(Vec3d::zero(), 0);
  for (int a = 0; a < 3; ++a)
    if (scene.grid.periodic.axes[a]) gravity[a] = 0;
  return gravity;
}

// Vertical and horizontal Cauchy stress, Pa.
struct BedStress {
  double vertical = 0, horizontal = 0;
  double noise = 0;  // what rounding makes of it
};

// The elastic state of one particle in the frame whose first axis points up. Unknown are the
// logarithmic stretches along it and across it, or the one volume ratio of a fluid.
template <class Model, int D>
class ElasticState {
 public:
  static constexpr int kUnknowns = Model::kHasF ? 2 : 1;
  using State = MaterialState<double, D, Model::kScalars>;
  using Constants = decltype(Model::template constants<double, D>(
      std::declval<const typename Model::Parameters&>(), 1.0));

  // `state` gives the model's scalars at the start.
  ElasticState(const Constants& constants, const State& state)
      : constants_(constants), start_(state) {}

  // Newton's method with a Jacobian by differences; the state it ends at is `result`.
  bool solve(const BedStress& target, State& result) const {
    const double size = std::max(std::abs(target.vertical), std::abs(target.horizontal));
    // From a little compression on: free of stress, sand is at the tip of its cone.
    double u[2] = {kFirstStrain, kFirstStrain};
    for (int iteration = 0; iteration < kMaxIterations; ++iteration) {
      const BedStress found = stress(u, result);
      const double r[2] = {found.vertical - target.vertical, found.horizontal - target.horizontal};
      const double error = std::max(std::abs(r[0]), std::abs(r[kUnknowns - 1]));
      if (!std::isfinite(error)) return false;
      if (error <= kTolerance * size + found.noise) return true;
      if (!take_newton_step(r, u)) return false;
    }
    return false;
  }

 private:
  static constexpr int kMaxIterations = 80;
  static constexpr double kTolerance = 1e-11, kLargestStep = 0.2, kFirstStrain = -1e-4;
  static constexpr double kRounding = 2e-15;

  // Stress of the model itself, after it brought the state into its elastic range.
  BedStress stress(const double* u, State& state) const {
    state = start_;
    double volume_ratio;
    if constexpr (Model::kHasF) {
      Vec<double, D> stretch;
      for (int a = 0; a < D; ++a) stretch[a] = std::exp(u[a == 0 ? 0 : 1]);
      state.F = Mat<double, D>::diagonal(stretch);
    } else {
      state.scalar[0] = std::exp(u[0]);
    }
    const StressUpdate<double, D> update = Model::template update<double, D>(constants_, state);
    if constexpr (Model::kHasF)
      volume_ratio = determinant(state.F);
    else
      volume_ratio = state.scalar[0];
    const double tau_v = update.tau.e[0];
    const double tau_h = Model::kIsotropicStress ? tau_v : update.tau(1, 1);
    return {tau_v / volume_ratio, tau_h / volume_ratio, kRounding * update.wave_modulus};
  }

  bool take_newton_step(const double* r, double* u) const {
    double slope[2][2] = {{1, 0}, {0, 1}};
    State ignored;
    // Small against the strain, so as not to reach over a nearby yield surface.
    const double difference = 1e-5 * std::max(std::abs(u[0]), std::abs(u[1]));
    const BedStress here = stress(u, ignored);
    for (int k = 0; k < kUnknowns; ++k) {
      double shorter[2] = {u[0], u[1]};
      shorter[k] -= difference;
      const BedStress there = stress(shorter, ignored);
      slope[0][k] = (here.vertical - there.vertical) / difference;
      if (kUnknowns == 2) slope[1][k] = (here.horizontal - there.horizontal) / difference;
    }
    double step[2] = {r[0] / slope[0][0], 0};
    if (kUnknowns == 2) {
      const double det = slope[0][0] * slope[1][1] - slope[0][1] * slope[1][0];
      step[0] = (slope[1][1] * r[0] - slope[0][1] * r[1]) / det;
      step[1] = (slope[0][0] * r[1] - slope[1][0] * r[0]) / det;
    }
    for (int k = 0; k < kUnknowns; ++k) {
      if (!std::isfinite(step[k])) return false;
      u[k] -= std::clamp(step[k], -kLargestStep, kLargestStep);
    }
    return true;
  }

  Constants constants_;
  State start_;
};

// Orthonormal axes, the first of them up, as the columns of a matrix.
Mat<double, 3> frame_of(const Vec3d& up, int dimension) {
  Vec3d side{{-up[1], up[0], 0}};
  if (dimension == 3) {
    int smallest = 0;
    for (int a = 1; a < 3; ++a)
      if (std::abs(up[a]) < std::abs(up[smallest])) smallest = a;
    Vec3d axis{{0, 0, 0}};
    axis[smallest] = 1;
    side = cross(up, axis);
    side = side / length(side);
  }
  const Vec3d third = cross(up, side);
  Mat<double, 3> r;
  for (int a = 0; a < 3; ++a) {
    r(a, 0) = up[a];
    r(a, 1) = side[a];
    r(a, 2) = third[a];
  }
  return r;
}

// The highest point of the boxes around the shapes, measured along `up`; of points that a file
// gave, the highest of these.
double top_of(const std::vector<Shape>& shapes, const std::vector<Vec3d>& points, const Vec3d& up) {
  double top = -INFINITY;
  for (const Shape& shape : shapes) {
    const Bounds box = bounding_box(shape);
    double highest = 0;
    for (int a = 0; a < 3; ++a) highest += std::max(up[a] * box.low[a], up[a] * box.high[a]);
    top = std::max(top, highest);
  }
  if (shapes.empty())
    for (const Vec3d& x : points) top = std::max(top, dot(up, x));
  return top;
}

template <class Model>
double natural_k0(const typename Model::Parameters& p) {
  if constexpr (requires { p.poisson_ratio; })
    return p.poisson_ratio / (1 - p.poisson_ratio);
  else
    return 1;
}

template <class Model, int D>
class Overburden {
 public:
  using Particle = ElasticState<Model, D>;
  using State = typename Particle::State;

  Overburden(const SceneSettings& scene, const ObjectSettings& object,
             const std::vector<Shape>& shapes, ObjectParticles& particles)
      : settings_(*object.initial_stress),
        model_(std::get<typename Model::Parameters>(scene.materials[object.material].parameters)),
        particles_(particles) {
    const Vec3d gravity = loading_gravity(scene);
    weight_ = object.density * length(gravity);
    up_ = gravity / -length(gravity);
    surface_ = std::isfinite(settings_.surface) ? settings_.surface
                                                : top_of(shapes, particles.position, up_);
    for (int k = 0; k < Model::kScalars; ++k) {
      given_[k] = nullptr;
      for (const ParticleField& field : particles.scalars)
        if (field.name == Model::kScalarFields[k].name) given_[k] = &field;
    }
  }

  std::string run() {
    if (particles_.size() == 0) return "";
    if (!choose_ratio()) return yield_text();
    const std::size_t count = particles_.size();
    const Mat<double, 3> frame = frame_of(up_, D);
    std::vector<Mat<double, 3>> gradients(Model::kHasF ? count : 0, Mat<double, 3>::identity());
    std::vector<double> ratios(count, 1);
    std::vector<std::vector<double>> scalars(Model::kScalars, std::vector<double>(count));
    std::atomic<bool> failed{false};
    parallel_for("initial stress", static_cast<std::int64_t>(count), 512,
                 [&](std::int64_t begin, std::int64_t end) {
                   for (std::int64_t i = begin; i < end; ++i) {
                     State state = start(i);
                     if (!settle(i, ratio_, state)) failed = true;
                     for (int k = 0; k < Model::kScalars; ++k) scalars[k][i] = state.scalar[k];
                     if constexpr (Model::kHasF) {
                       gradients[i] = in_world(state.F, frame);
                       ratios[i] = determinant(state.F);
                     } else {
                       ratios[i] = state.scalar[0];
                     }
                   }
                 });
    if (failed) return yield_text();
    particles_.gradients = std::move(gradients);
    particles_.volume_ratios = std::move(ratios);
    for (int k = 0; k < Model::kScalars; ++k) store(k, std::move(scalars[k]));
    return "";
  }

 private:
  State start(std::size_t i) const {
    State state;
    state.F = Mat<double, D>::identity();
    for (int k = 0; k < Model::kScalars; ++k)
      state.scalar[k] = given_[k] ? given_[k]->value[i] : Model::kScalarFields[k].initial;
    return state;
  }

  // Pressure of all that lies above a particle, Pa.
  double overburden(std::size_t i) const {
    return settings_.surcharge +
           weight_ * std::max(0.0, surface_ - dot(up_, particles_.position[i]));
  }

  // The state of a particle under its overburden; false where the material yields first.
  bool settle(std::size_t i, double ratio, State& state) const {
    const double pressure = overburden(i);
    if (!(pressure > 0)) return true;
    const auto constants = Model::template constants<double, D>(
        model_, particles_.stiffness_scales.empty() ? 1.0 : particles_.stiffness_scales[i]);
    return Particle(constants, state).solve({-pressure, -ratio * pressure, 0}, state);
  }

  // The ratio that was asked for. One that is not given is what the elastic bed would take, or the
  // least above it that the material bears, with a margin: a bed that yields on its way ends there.
  bool choose_ratio() {
    std::size_t deepest = 0;
    for (std::size_t i = 1; i < particles_.size(); ++i)
      if (overburden(i) > overburden(deepest)) deepest = i;
    const auto bears = [&](double ratio) {
      State state = start(deepest);
      return settle(deepest, ratio, state);
    };
    const bool uniform = settings_.kind == InitialStressKind::hydrostatic;
    ratio_ = uniform ? 1 : settings_.k0 >= 0 ? settings_.k0 : natural_k0<Model>(model_);
    if (bears(ratio_)) return true;
    if (uniform || settings_.k0 >= 0 || !bears(1)) return false;
    double low = ratio_, high = 1;
    while (high - low > 1e-3) (bears(0.5 * (low + high)) ? high : low) = 0.5 * (low + high);
    ratio_ = high + 0.01 * (1 - high);
    return true;
  }

  static Mat<double, 3> in_world(const Mat<double, D>& stretch, const Mat<double, 3>& frame) {
    Mat<double, 3> local = Mat<double, 3>::identity();
    for (int a = 0; a < D; ++a)
      for (int b = 0; b < D; ++b) local(a, b) = stretch(a, b);
    return frame * local * transpose(frame);
  }

  void store(int k, std::vector<double> values) {
    const std::string name = Model::kScalarFields[k].name;
    for (ParticleField& field : particles_.scalars)
      if (field.name == name) {
        field.value = std::move(values);
        return;
      }
    particles_.scalars.push_back({name, std::move(values)});
  }

  std::string yield_text() const {
    char text[160];
    std::snprintf(text, sizeof(text),
                  "the material yields before it bears this stress (horizontal over vertical: "
                  "%.3g); choose k0 nearer to 1, less depth or a stronger material",
                  ratio_);
    return text;
  }

  const InitialStressSettings& settings_;
  typename Model::Parameters model_;
  ObjectParticles& particles_;
  const ParticleField* given_[Model::kScalars + 1] = {};
  Vec3d up_{{0, 1, 0}};
  double weight_ = 0, surface_ = 0, ratio_ = 1;  // N/m^3, m along up, horizontal over vertical
};

}  // namespace

std::string initial_stress_problem(const SceneSettings& scene, const ObjectSettings& object) {
  if (!object.initial_stress) return "";
  const VaryingField gravity(scene.gravity);
  if (gravity.varies_in_space() || gravity.varies_in_time())
    return "needs a gravity that is the same everywhere at all times; /gravity is an expression";
  if (!(length(loading_gravity(scene)) > 0))
    return "needs gravity; /gravity is 0, or all of it in periodic directions";
  if (object.volume == VolumeKind::estimated) return "needs volume \"constant\"";
  const bool fluid =
      std::holds_alternative<Fluid::Parameters>(scene.materials[object.material].parameters);
  if (fluid && object.initial_stress->k0 >= 0 && object.initial_stress->k0 != 1)
    return "a fluid at rest has the same stress in all directions: leave out k0";
  return "";
}

std::string set_initial_stress(const SceneSettings& scene, const ObjectSettings& object,
                               const std::vector<Shape>& shapes, ObjectParticles& particles) {
  if (!object.initial_stress) return "";
  const ModelParameters& parameters = scene.materials[object.material].parameters;
  return visit_model(static_cast<int>(parameters.index()), [&](auto tag) {
    using Model = typename decltype(tag)::type;
    if (scene.dimension == 2) return Overburden<Model, 2>(scene, object, shapes, particles).run();
    return Overburden<Model, 3>(scene, object, shapes, particles).run();
  });
}

}  // namespace firn
