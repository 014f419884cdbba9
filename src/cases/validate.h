// Physical reference cases: each runs the solver and compares what it measures with an exact
// solution, an experiment or a conservation law. Every case also runs a control that must fail.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "base/image.h"

namespace firn {

struct Check {
  std::string case_name;
  std::string quantity;
  double measured = 0;
  double reference = 0;
  double error = 0;      // as the tolerance counts it (relative unless the quantity says otherwise)
  double tolerance = 0;  // 0: reported, not judged
  bool pass = true;
  bool ran = true;  // false: the run broke down, so that nothing was measured
};

struct ValidateOptions {
  bool fine = false;  // refine
  std::function<void(const std::string& line)> progress = [](const std::string&) {};
  std::function<void(const std::string& name, const Image&)> picture = [](const std::string&,
                                                                          const Image&) {};
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
// A loss of energy, relative: at most `limit`, and a gain (a negative loss) at most `gain`.
Check loss_check(std::string case_name, std::string quantity, double loss, double limit,
                 double gain);
// A control: `judged` must not pass; the result passes when it does not. A control that did not
// run, or measured no number, proves nothing and fails.
Check must_fail(Check judged);
// Reported only.
Check report(std::string case_name, std::string quantity, double measured, double reference = 0);

// Each in its own file.
std::vector<Check> validate_invariants(const ValidateOptions&);
std::vector<Check> validate_derivatives(const ValidateOptions&);
std::vector<Check> validate_vortex(const ValidateOptions&);
std::vector<Check> validate_axial_bar(const ValidateOptions&);
std::vector<Check> validate_drag_limit(const ValidateOptions&);
std::vector<Check> validate_darcy(const ValidateOptions&);
std::vector<Check> validate_terzaghi(const ValidateOptions&);
std::vector<Check> validate_settling(const ValidateOptions&);
std::vector<Check> validate_porous_buoyancy(const ValidateOptions&);
std::vector<Check> validate_saturated_slope(const ValidateOptions&);
std::vector<Check> validate_porous_story(const ValidateOptions&);
std::vector<Check> validate_two_disks(const ValidateOptions&);
std::vector<Check> validate_rotating_body(const ValidateOptions&);
std::vector<Check> validate_incline(const ValidateOptions&);
std::vector<Check> validate_hydrostatic(const ValidateOptions&);
std::vector<Check> validate_water_rest(const ValidateOptions&);
std::vector<Check> validate_trapped_water(const ValidateOptions&);
std::vector<Check> validate_dam_break(const ValidateOptions&);
std::vector<Check> validate_tank_volume(const ValidateOptions&);
std::vector<Check> validate_lone_drops(const ValidateOptions&);
std::vector<Check> validate_standing_wave(const ValidateOptions&);
std::vector<Check> validate_taylor_green(const ValidateOptions&);
std::vector<Check> validate_poiseuille(const ValidateOptions&);
std::vector<Check> validate_axisymmetric_collapse(const ValidateOptions&);
std::vector<Check> validate_planar_collapse(const ValidateOptions&);
std::vector<Check> validate_repose(const ValidateOptions&);
std::vector<Check> validate_emission(const ValidateOptions&);
std::vector<Check> validate_snow(const ValidateOptions&);
std::vector<Check> validate_static_friction(const ValidateOptions&);
std::vector<Check> validate_infinite_slope(const ValidateOptions&);
std::vector<Check> validate_rankine(const ValidateOptions&);
std::vector<Check> validate_footing(const ValidateOptions&);
std::vector<Check> validate_janssen(const ValidateOptions&);
std::vector<Check> validate_grains(const ValidateOptions&);
std::vector<Check> validate_hanging_bar(const ValidateOptions&);
std::vector<Check> validate_viscoelastic(const ValidateOptions&);
std::vector<Check> validate_herschel_bulkley(const ValidateOptions&);
std::vector<Check> validate_metal(const ValidateOptions&);
std::vector<Check> validate_implicit_bar(const ValidateOptions&);
std::vector<Check> validate_implicit_flight(const ValidateOptions&);
std::vector<Check> validate_implicit_stiff(const ValidateOptions&);
std::vector<Check> validate_implicit_rest(const ValidateOptions&);
std::vector<Check> validate_implicit_order(const ValidateOptions&);
std::vector<Check> validate_implicit_snow(const ValidateOptions&);
std::vector<Check> validate_implicit_viscoelastic(const ValidateOptions&);
std::vector<Check> validate_implicit_sand(const ValidateOptions&);
std::vector<Check> validate_implicit_water(const ValidateOptions&);
std::vector<Check> validate_sph_momentum(const ValidateOptions&);
std::vector<Check> validate_sph_grain(const ValidateOptions&);
std::vector<Check> validate_sph_column(const ValidateOptions&);
std::vector<Check> validate_sph_repose(const ValidateOptions&);
std::vector<Check> validate_sph_heaps(const ValidateOptions&);
std::vector<Check> validate_sph_collapse(const ValidateOptions&);
std::vector<Check> validate_sph_orifice(const ValidateOptions&);
std::vector<Check> validate_sph_cut(const ValidateOptions&);
std::vector<Check> validate_fem_patch(const ValidateOptions&);
std::vector<Check> validate_fem_cantilever(const ValidateOptions&);
std::vector<Check> validate_fem_elastica(const ValidateOptions&);
std::vector<Check> validate_fem_torsion(const ValidateOptions&);
std::vector<Check> validate_fem_hertz(const ValidateOptions&);
std::vector<Check> validate_fem_vibration(const ValidateOptions&);
std::vector<Check> validate_fem_torture(const ValidateOptions&);
std::vector<Check> validate_fem_minimizer(const ValidateOptions&);
std::vector<Check> validate_fem_map(const ValidateOptions&);
std::vector<Check> validate_fem_incline(const ValidateOptions&);
std::vector<Check> validate_fem_momentum(const ValidateOptions&);

}  // namespace firn
