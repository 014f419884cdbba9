// Parameters of materials that are expressions, made ready for particles.
#pragma once

#include "particles/varied_parameters.h"
#include "scene/settings.h"

namespace firn {

// Names that they may use: phi, x, y, z, t and the scene's scalars (VariedVariables).
std::vector<std::string> parameter_variables(const std::vector<std::string>& scalars);

// Those of a material whose expressions name variables, in the order of the file; what does not
// parse is left out (readers refuse it).
VariedParameters varied_parameters(const SceneSettings& scene, int material);
// Its parameters with the value that each expression has where all variables are 0.
ModelParameters plain_parameters(const SceneSettings& scene, int material);

// What is wrong among the parameters of a material, expressions included; "" when nothing is.
std::string parameters_problem(const SceneSettings& scene, int material);

}  // namespace firn
