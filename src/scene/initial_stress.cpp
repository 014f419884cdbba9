#include "scene/initial_stress.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstdio>

#include "exec/parallel.h"
#include "material/elastic_state.h"
#include "scene/initial_fields.h"
#include "scene/varied_settings.h"

namespace firn {
namespace {

double length(const Vec3d& v) {
  return std::sqrt(dot(v, v));
}

// In a periodic direction nothing can vary, so that the part of gravity along it loads no depth: it
// makes shear.
struct Gravity {
  Vec3d loading, along_slope;  // m/s2
};
Gravity gravity_of(const SceneSettings& scene) {
  Gravity gravity{VaryingField(scene.gravity).at(Vec3d::zero(), 0), Vec3d::zero()};
  for (int a = 0; a < 3; ++a)
    if (scene.grid.periodic.axes[a]) std::swap(gravity.loading[a], gravity.along_slope[a]);
  return gravity;
}

// Orthonormal axes, the first of them up, as the columns of a matrix; the second is `slope` where
// that has any length (it is at right angles to `up`).
Mat<double, 3> frame_of(const Vec3d& up, const Vec3d& slope, int dimension) {
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
  if (length(slope) > 0) side = slope / length(slope);
  const Vec3d third = cross(up, side);
  Mat<double, 3> r;
  for (int a = 0; a < 3; ++a) {
    r(a, 0) = up[a];
    r(a, 1) = side[a];
    r(a, 2) = third[a];
  }
  return r;
}

// Cauchy stress of a bed in that frame: minus `pressure` up, minus `side` across, and shear between
// the first two axes, Pa.
struct BedStress {
  double pressure = 0, side = 0, shear = 0;

  // By how much its principal axes are turned from those of the frame, radians.
  double turn() const { return shear == 0 ? 0 : 0.5 * std::atan2(2 * shear, side - pressure); }
  Vec3d principal() const {
    const double c = std::cos(turn()), s = std::sin(turn()), mixed = 2 * c * s * shear;
    return {{-pressure * c * c - side * s * s + mixed, -pressure * s * s - side * c * c - mixed,
             -side}};
  }
};

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
    return p.is_given(p.given_mu) ? p.lambda() / (p.lambda() + 2 * p.mu())
                                  : p.poisson_ratio / (1 - p.poisson_ratio);
  else
    return 1;
}

template <class Model, int D>
class Overburden {
 public:
  using Particle = ElasticState<Model, D>;
  using State = typename Particle::State;
  static constexpr int kLayers = 64;  // that a varying mass is summed over
  static constexpr int kSlices = 8;   // that the pressure of a fluid is summed over

  Overburden(const SceneSettings& scene, const ObjectSettings& object,
             const std::vector<Shape>& shapes, ObjectParticles& particles)
      : settings_(*object.initial_stress),
        plain_(plain_parameters(scene, object.material)),
        varied_(varied_parameters(scene, object.material)),
        model_(std::get<typename Model::Parameters>(plain_)),
        own_(model_, varied_),
        particles_(particles) {
    const Gravity gravity = gravity_of(scene);
    const double density = settings_.density > 0 ? settings_.density : object.density;
    weight_ = density * length(gravity.loading);
    up_ = gravity.loading / -length(gravity.loading);
    // A fluid bears no shear: it runs.
    if (Model::kHasF) slope_ = gravity.along_slope / length(gravity.loading);
    for (const InitialField& field : object.fields)
      if (field.name == kMassScale) mass_scale_ = &field;
    surface_ = std::isfinite(settings_.surface) ? settings_.surface
                                                : top_of(shapes, particles.position, up_);
    for (const std::string& name : scene.scalars) {
      user_.push_back(nullptr);
      for (const ParticleField& field : particles.scalars)
        if (field.name == name) user_.back() = &field;
    }
    for (int k = 0; k < Model::kScalars; ++k) {
      given_[k] = nullptr;
      for (const ParticleField& field : particles.scalars)
        if (field.name == Model::kScalarFields[k].name) given_[k] = &field;
    }
  }

  std::string run() {
    if (particles_.size() == 0) return "";
    if (std::string problem = weigh(); !problem.empty()) return problem;
    if constexpr (!Model::kHasF) compress_above();
    if (!choose_ratio() && !choose_shear()) return yield_text();
    const std::size_t count = particles_.size();
    const Mat<double, 3> frame = frame_of(up_, slope_, D);
    std::vector<Mat<double, 3>> gradients(Model::kHasF ? count : 0, Mat<double, 3>::identity());
    std::vector<double> ratios(count, 1);
    std::vector<std::vector<double>> scalars(Model::kScalars, std::vector<double>(count));
    std::atomic<bool> failed{false};
    parallel_for("initial stress", static_cast<std::int64_t>(count), 512,
                 [&](std::int64_t begin, std::int64_t end) {
                   for (std::int64_t i = begin; i < end; ++i) {
                     State state = start(i);
                     const BedStress stress = stress_of(i);
                     if (!settle(i, stress, state)) failed = true;
                     for (int k = 0; k < Model::kScalars; ++k) scalars[k][i] = state.scalar[k];
                     if constexpr (Model::kHasF) {
                       gradients[i] = in_world(state.F, turned(frame, stress.turn()));
                       ratios[i] = determinant(state.F);
                     } else {
                       ratios[i] = state.scalar[0];
                     }
                   }
                 });
    if (failed) return yield_text();
    particles_.gradients = std::move(gradients);
    if constexpr (!Model::kHasF) {
      particles_.mass_scales.resize(count, 1.0);
      for (std::size_t i = 0; i < count; ++i) particles_.mass_scales[i] /= ratios[i];
    }
    particles_.volume_ratios = std::move(ratios);
    for (int k = 0; k < Model::kScalars; ++k) store(k, std::move(scalars[k]));
    return "";
  }

 private:
  // At the start nothing else is in the pores.
  typename Model::Parameters parameters_of(std::size_t i) const {
    if (varied_.empty()) return model_;
    double variables[kMostVariables] = {};
    for (int a = 0; a < 3; ++a) variables[VariedVariables::kPlace + a] = particles_.position[i][a];
    for (std::size_t k = 0; k < user_.size(); ++k)
      if (user_[k]) variables[VariedVariables::kScalars + k] = user_[k]->value[i];
    return own_.with([&](int k) {
      const VariedParameter& varied = varied_[k];
      const double value = evaluate(varied.program, variables);
      return std::isfinite(value) ? std::clamp(value, varied.low, varied.high) : varied.plain;
    });
  }

  State start(std::size_t i) const {
    State state;
    state.F = Mat<double, D>::identity();
    for (int k = 0; k < Model::kScalars; ++k)
      state.scalar[k] = given_[k] ? given_[k]->value[i] : Model::kScalarFields[k].initial;
    return state;
  }

  double depth(std::size_t i) const {
    return std::max(0.0, surface_ - dot(up_, particles_.position[i]));
  }

  // The weight of all that lies above each particle, Pa. Where the mass varies it is summed along
  // the way up.
  std::string weigh() {
    const std::size_t count = particles_.size();
    above_.resize(count);
    for (std::size_t i = 0; i < count; ++i) above_[i] = mass_scale_ ? 0 : weight_ * depth(i);
    if (!mass_scale_) return "";
    std::vector<Vec3d> points(count);
    for (int k = 0; k < kLayers; ++k) {
      for (std::size_t i = 0; i < count; ++i)
        points[i] = particles_.position[i] + up_ * (depth(i) * (k + 0.5) / kLayers);
      const auto scale = evaluate_field(plain_, *mass_scale_, points);
      if (!scale) return "mass_scale above the object: " + scale.errors().front();
      for (std::size_t i = 0; i < count; ++i)
        above_[i] += weight_ * depth(i) / kLayers * (*scale)[i];
    }
    return "";
  }

  // Of a fluid the density is that without pressure: one that weighed the same everywhere under
  // different pressures would have its lightest matter below, and turn over. Pressure then grows
  // by rho g / J per metre.
  void compress_above() {
    for (std::size_t i = 0; i < above_.size(); ++i) {
      const double slice = above_[i] / kSlices;
      double p = settings_.surcharge;
      for (int k = 0; k < kSlices; ++k)
        p += slice / ratio_under(i, p + 0.5 * slice / ratio_under(i, p));
      above_[i] = p - settings_.surcharge;
    }
  }
  double ratio_under(std::size_t i, double pressure) const {
    return Model::ratio_at(parameters_of(i), particles_.stiffness_scale(i), pressure);
  }

  BedStress stress_of(std::size_t i) const {
    const double pressure = settings_.surcharge + above_[i];
    return {pressure, ratio_ * pressure, shear_share_ * length(slope_) * above_[i]};
  }

  // The state of a particle under its stress; false where the material yields first.
  bool settle(std::size_t i, const BedStress& stress, State& state) const {
    if (!(stress.pressure > 0)) return true;
    const auto constants =
        Model::template constants<double, D>(parameters_of(i), particles_.stiffness_scale(i));
    return Particle(constants, state).solve(stress.principal(), state);
  }

  // The ratio that was asked for. One that is not given is what the elastic bed would take, or the
  // least above it that the material bears, with a margin: a bed that yields on its way ends there.
  bool choose_ratio() {
    const auto deepest =
        static_cast<std::size_t>(std::max_element(above_.begin(), above_.end()) - above_.begin());
    const auto bears = [&](double ratio) {
      State state = start(deepest);
      ratio_ = ratio;
      return settle(deepest, stress_of(deepest), state);
    };
    const bool uniform = settings_.kind == InitialStressKind::hydrostatic;
    const double wanted = uniform             ? 1
                          : settings_.k0 >= 0 ? settings_.k0
                                              : natural_k0<Model>(parameters_of(deepest));
    if (bears(wanted)) return true;
    if (uniform || settings_.k0 >= 0 || !bears(1)) {
      ratio_ = wanted;
      return false;
    }
    double low = wanted, high = 1;
    while (high - low > 1e-3) (bears(0.5 * (low + high)) ? high : low) = 0.5 * (low + high);
    ratio_ = high + 0.01 * (1 - high);
    return true;
  }

  // A slope that is too steep for the material runs: it starts with the most shear that it bears.
  bool choose_shear() {
    double low = 0, high = 1;
    while (high - low > 1e-3) {
      shear_share_ = 0.5 * (low + high);
      (choose_ratio() ? low : high) = shear_share_;
    }
    shear_share_ = 0.99 * low;
    return length(slope_) > 0 && choose_ratio();
  }

  static Mat<double, 3> turned(const Mat<double, 3>& frame, double angle) {
    const double c = std::cos(angle), s = std::sin(angle);
    return frame * Mat<double, 3>{{{c, -s, 0}, {s, c, 0}, {0, 0, 1}}};
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
  ModelParameters plain_;
  VariedParameters varied_;
  const typename Model::Parameters& model_;
  ParticleParameters<Model> own_;
  std::vector<const ParticleField*> user_;  // scalars of the scene; null: 0
  ObjectParticles& particles_;
  const ParticleField* given_[Model::kScalars + 1] = {};
  const InitialField* mass_scale_ = nullptr;
  Vec3d up_{{0, 1, 0}};
  Vec3d slope_{{0, 0, 0}};                       // gravity along the slope over that into it
  std::vector<double> above_;                    // weight above each particle, Pa
  double weight_ = 0, surface_ = 0, ratio_ = 1;  // N/m^3, m along up, horizontal over vertical
  double shear_share_ = 1;                       // of the shear at rest
};

}  // namespace

std::string initial_stress_problem(const SceneSettings& scene, const ObjectSettings& object) {
  if (!object.initial_stress) return "";
  const VaryingField gravity(scene.gravity);
  if (gravity.varies_in_space() || gravity.varies_in_time())
    return "needs a gravity that is the same everywhere at all times; /gravity is an expression";
  if (!(length(gravity_of(scene).loading) > 0))
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
