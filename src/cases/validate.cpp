#include "cases/validate.h"

#include <cmath>

namespace firn {

const std::vector<ValidationCase>& validation_cases() {
  static const std::vector<ValidationCase> cases = {
      {"invariants", "mass and momenta through every kernel, transfer and dimension",
       validate_invariants},
      {"derivatives", "stress of every model against finite differences of its energy",
       validate_derivatives},
      {"vortex", "generalized vortex: order of convergence of a manufactured solution",
       validate_vortex},
      {"axial_bar", "period and energy of a vibrating bar", validate_axial_bar},
      {"two_disks", "two elastic disks meet and part", validate_two_disks},
      {"rotating_body", "angular momentum and energy of a free spinning body",
       validate_rotating_body},
      {"incline", "a block slides down a plane with Coulomb friction", validate_incline},
      {"hydrostatic", "pressure, rest and volume of a column of water", validate_hydrostatic},
      {"dam_break", "front of a collapsing column of water, Martin and Moyce 1952",
       validate_dam_break},
      {"tank_volume", "volume of water that sloshes in a tank, MULTI 9", validate_tank_volume},
      {"axisymmetric_collapse", "run-out of sand columns, Lube et al. 2004",
       validate_axisymmetric_collapse},
      {"planar_collapse", "run-out of sand steps, Lube et al. 2005", validate_planar_collapse},
      {"repose", "wedges of sand below and above the angle of friction", validate_repose},
      {"snow", "compaction, fracture and sticking of snow", validate_snow},
      {"metal", "yield and hardening of a pressed block, Taylor bar", validate_metal},
  };
  return cases;
}

Check relative_check(std::string case_name, std::string quantity, double measured, double reference,
                     double tolerance) {
  const double error = std::abs(measured - reference) / std::abs(reference);
  return {std::move(case_name), std::move(quantity), measured, reference, error, tolerance,
          error <= tolerance};
}

Check limit_check(std::string case_name, std::string quantity, double measured, double limit) {
  return {std::move(case_name), std::move(quantity), measured, limit, measured, limit,
          measured <= limit};
}

Check must_fail(Check judged) {
  judged.quantity = "control, must fail: " + judged.quantity;
  judged.pass = !judged.pass;
  return judged;
}

Check report(std::string case_name, std::string quantity, double measured, double reference) {
  return {std::move(case_name), std::move(quantity), measured, reference, 0, 0, true};
}

}  // namespace firn
