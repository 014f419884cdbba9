#include "scene/output_fields.h"

#include <algorithm>

#include "material/models.h"

namespace firn {
namespace {

std::vector<std::string> with_model_scalars(std::vector<std::string> names) {
  for (int model = 0; model < model_count; ++model)
    for (const ScalarField& field : model_scalar_fields(model))
      if (std::find(names.begin(), names.end(), field.name) == names.end())
        names.push_back(field.name);
  return names;
}

}  // namespace

std::vector<std::string> output_field_names() {
  return with_model_scalars({"velocity", "id", "material", "color", "mass", "volume", "density",
                             "pressure", "det_F", "F", "stress"});
}

std::vector<std::string> color_by_names() {
  return with_model_scalars(
      {"color", "material", "velocity", "mass", "volume", "density", "pressure", "det_F"});
}

std::vector<std::string> probe_field_names() {
  return with_model_scalars({"density", "velocity", "pressure", "det_F", "stress"});
}

std::vector<std::string> frame_format_names() {
  return {"ply", "vtu"};
}

}  // namespace firn
