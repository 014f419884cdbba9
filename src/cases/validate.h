// Physical reference cases: each runs the solver and compares what it measures with an exact
// solution, an experiment or a conservation law. Every case also runs a control that must fail.
#pragma once

#include <functional>
#include <string>
#include <vector>

namespace firn {

struct Check {
  std::string case_name;
  std::string quantity;
  double measured = 0;
  double reference = 0;
  double error = 0;      // as the tolerance counts it (relative unless the quantity says otherwise)
  double tolerance = 0;  // 0: reported, not judged
  bool pass = true;
};

struct ValidateOptions {
  bool fine = false;  // refine
  std::function<void(const std::string& line)> progress = [](const std::string&) {};
};

struct ValidationCase {
  const char* name;
  const char* description;
  std::vector<Check> (*run)(const ValidateOptions&);
};

const std::vector<ValidationCase>& validation_cases();

// |measured - reference| / |reference| <= tolerance.
Check relative_check(std::string case_name, std::string quantity, double measured, double reference,
                     double tolerance);
// measured <= limit (error is measured / limit).
Check limit_check(std::string case_name, std::string quantity, double measured, double limit);
// A control: `judged` must not pass; the result passes when it does not.
Check must_fail(Check judged);
// Reported only.
Check report(std::string case_name, std::string quantity, double measured, double reference = 0);

// Each in its own file.
std::vector<Check> validate_invariants(const ValidateOptions&);
std::vector<Check> validate_derivatives(const ValidateOptions&);
std::vector<Check> validate_vortex(const ValidateOptions&);
std::vector<Check> validate_axial_bar(const ValidateOptions&);
std::vector<Check> validate_two_disks(const ValidateOptions&);
std::vector<Check> validate_rotating_body(const ValidateOptions&);
std::vector<Check> validate_incline(const ValidateOptions&);
std::vector<Check> validate_hydrostatic(const ValidateOptions&);
std::vector<Check> validate_dam_break(const ValidateOptions&);
std::vector<Check> validate_tank_volume(const ValidateOptions&);
std::vector<Check> validate_axisymmetric_collapse(const ValidateOptions&);
std::vector<Check> validate_planar_collapse(const ValidateOptions&);
std::vector<Check> validate_repose(const ValidateOptions&);
std::vector<Check> validate_snow(const ValidateOptions&);
std::vector<Check> validate_metal(const ValidateOptions&);

}  // namespace firn
