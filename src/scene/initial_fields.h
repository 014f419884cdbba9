// Initial particle quantities by name, given as numbers or as expressions of the position.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "base/vec.h"
#include "scene/settings.h"

namespace firn {

inline const std::string kMassScale = "mass_scale";
inline const std::string kStiffnessScale = "stiffness_scale";

inline const std::string kChannelNames[3] = {"red", "green", "blue"};

// Names that objects of a material may give: the two scales, the colour, the scalars of the model
// and those of the scene.
std::vector<std::string> initial_field_names(const SceneSettings& scene,
                                             const ModelParameters& parameters);

// Whether a scalar of the scene may not have this name: something else has it already.
bool is_reserved_name(const std::string& name);

// What is wrong with the value that a field gives to a particle; "" when nothing is.
std::string value_problem(const ModelParameters& parameters, const std::string& field,
                          double value);

// The values of a field at the given points, all of them checked.
Result<std::vector<double>> evaluate_field(const ModelParameters& parameters,
                                           const InitialField& field,
                                           const std::vector<Vec3d>& points);

}  // namespace firn
