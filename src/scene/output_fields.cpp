#include "scene/output_fields.h"

#include <algorithm>

#include "material/models.h"

namespace firn {
namespace {

bool contains(const std::vector<std::string>& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

// What a format cannot do without.
std::vector<std::string> fields_of_format(const std::string& format) {
  if (format == "bgeo") return {"velocity", "id", "material", "color", "volume"};
  if (format == "vdb") return {"velocity", "mass", "volume"};
  return {};
}

// Of the fields that formats need.
std::vector<std::string> columns_of_field(const std::string& field) {
  if (field == "velocity") return {"vx", "vy", "vz"};
  if (field == "color") return {"red", "green", "blue"};
  return {field};
}

std::vector<std::string> with_model_scalars(std::vector<std::string> names) {
  for (int model = 0; model < model_count; ++model)
    for (const ScalarField& field : model_scalar_fields(model))
      if (!contains(names, field.name)) names.push_back(field.name);
  return names;
}

}  // namespace

std::vector<std::string> output_field_names() {
  return with_model_scalars({"velocity", "id", "material", "species", "color", "mass", "volume",
                             "density", "pressure", "phi", "det_F", "F", "stress", "stress_max",
                             "stress_mid", "stress_min", "yield_case"});
}

std::vector<std::string> color_by_names() {
  return with_model_scalars({"color", "material", "species", "velocity", "mass", "volume",
                             "density", "pressure", "phi", "det_F", "stress_max", "stress_mid",
                             "stress_min", "yield_case"});
}

std::vector<std::string> probe_field_names() {
  return with_model_scalars({"density", "velocity", "pressure", "phi", "det_F", "stress",
                             "stress_max", "stress_mid", "stress_min"});
}

std::vector<std::string> frame_format_names() {
  return {"ply", "vtu", "bgeo", "vdb"};
}

std::vector<std::string> fields_to_take(const std::vector<std::string>& fields,
                                        const std::vector<std::string>& formats) {
  std::vector<std::string> all = fields;
  for (const std::string& format : formats)
    for (const std::string& field : fields_of_format(format))
      if (!contains(all, field)) all.push_back(field);
  return all;
}

std::vector<std::string> columns_for_formats(const std::vector<std::string>& fields,
                                             const std::vector<std::string>& formats) {
  std::vector<std::string> columns;
  for (const std::string& field : fields_to_take(fields, formats))
    if (!contains(fields, field))
      for (const std::string& column : columns_of_field(field)) columns.push_back(column);
  return columns;
}

std::vector<std::string> yield_case_names() {
  return {"elastic", "cone", "tip"};
}

std::string field_problem(const std::string& field, int dimension) {
  if (dimension == 3 || field != "stress_mid") return "";
  return "stress_mid is for 3D scenes: in 2D there are stress_max and stress_min only";
}

std::string format_problem(const std::vector<std::string>& formats, int dimension) {
  if (dimension == 3 || !contains(formats, "vdb")) return "";
  return "vdb is for 3D scenes, and this one is 2D; leave it out";
}

}  // namespace firn
