// Named parameter sets, most of them from the tables of published simulations.
#pragma once

#include "material/models.h"

namespace firn {

struct Preset {
  std::string name;
  std::string description;
  double density;  // kg/m3, suggested
  ModelParameters parameters;
};

// The presets of a model; the first one holds the model's default parameters.
const std::vector<Preset>& presets(int model);

const Preset* find_preset(int model, const std::string& name);  // nullptr: no such preset
std::vector<std::string> preset_names(int model);

// Parameters and density of a preset; the defaults where the model has no preset of that name.
ModelParameters preset_parameters(int model, const std::string& name);
double preset_density(int model, const std::string& name);

}  // namespace firn
