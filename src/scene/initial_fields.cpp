#include "scene/initial_fields.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <set>

#include "exec/parallel.h"
#include "expr/parser.h"

namespace firn {
namespace {

struct ValueRange {
  double min, max;
};

// Scales may not vanish: a particle without mass or stiffness has no wave speed.
ValueRange value_range(const ModelParameters& parameters, const std::string& field) {
  for (const ScalarField& scalar : model_scalar_fields(static_cast<int>(parameters.index())))
    if (field == scalar.name) return {scalar.min, scalar.max};
  if (field == kMassScale || field == kStiffnessScale) return {1e-6, 1e6};
  if (std::find(kChannelNames, kChannelNames + 3, field) != kChannelNames + 3) return {0, 1};
  return {-1e30, 1e30};  // a scalar of the scene: anything that a 32-bit number holds
}

std::string short_number(double x) {
  char text[32];
  std::snprintf(text, sizeof(text), "%.6g", x);
  return text;
}

}  // namespace

std::vector<std::string> initial_field_names(const SceneSettings& scene,
                                             const ModelParameters& parameters) {
  std::vector<std::string> names{kMassScale, kStiffnessScale};
  names.insert(names.end(), kChannelNames, kChannelNames + 3);
  names.insert(names.end(), scene.scalars.begin(), scene.scalars.end());
  for (const ScalarField& field : model_scalar_fields(static_cast<int>(parameters.index())))
    names.emplace_back(field.name);
  return names;
}

bool is_reserved_name(const std::string& name) {
  static const std::set<std::string> others{"x",  "y",  "z",  "t",  "phi",   "vx",   "vy",
                                            "vz", "nx", "ny", "nz", "speed", "alpha"};
  const auto taken = output_field_names();
  return others.count(name) > 0 || name == kMassScale || name == kStiffnessScale ||
         std::find(taken.begin(), taken.end(), name) != taken.end() ||
         std::find(kChannelNames, kChannelNames + 3, name) != kChannelNames + 3 ||
         name.starts_with("F_") || name.starts_with("stress_");
}

std::string value_problem(const ModelParameters& parameters, const std::string& field,
                          double value) {
  const ValueRange range = value_range(parameters, field);
  if (value >= range.min && value <= range.max) return "";
  if (!std::isfinite(value)) return "must be a finite number";
  return "must be between " + short_number(range.min) + " and " + short_number(range.max) +
         ", found " + short_number(value);
}

Result<std::vector<double>> evaluate_field(const ModelParameters& parameters,
                                           const InitialField& field,
                                           const std::vector<Vec3d>& points) {
  std::vector<double> values(points.size(), field.value.value);
  if (!field.value.is_constant()) {
    const Result<Program> program = parse_expression(field.value.expression, space_variables());
    if (!program) return program.errors();
    parallel_for("initial fields", static_cast<std::int64_t>(points.size()), 4096,
                 [&](std::int64_t begin, std::int64_t end) {
                   for (std::int64_t i = begin; i < end; ++i)
                     values[i] = evaluate(*program, points[i].e);
                 });
  }
  for (std::size_t i = 0; i < points.size(); ++i) {
    const std::string problem = value_problem(parameters, field.name, values[i]);
    if (problem.empty()) continue;
    const Vec3d& x = points[i];
    return Result<std::vector<double>>::failure(problem + " at (" + short_number(x[0]) + ", " +
                                                short_number(x[1]) + ", " + short_number(x[2]) +
                                                ")");
  }
  return values;
}

}  // namespace firn
