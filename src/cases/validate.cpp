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
      {"drag_limit", "species that share a place: drag, and its limit", validate_drag_limit},
      {"darcy", "water through sand that is held", validate_darcy},
      {"terzaghi", "consolidation of a saturated column", validate_terzaghi},
      {"settling", "a bed of grains that sinks through water", validate_settling},
      {"buoyancy", "porous bodies that float, hover and sink", validate_porous_buoyancy},
      {"saturated_slope", "slopes full of water that seeps along them", validate_saturated_slope},
      {"story", "damp sand in a flood", validate_porous_story},
      {"rotating_body", "angular momentum and energy of a free spinning body",
       validate_rotating_body},
      {"incline", "a block slides down a plane with Coulomb friction", validate_incline},
      {"hydrostatic", "pressure, rest and volume of a column of water", validate_hydrostatic},
      {"water_at_rest", "water left alone: rest, volume, pressure beside walls of every place",
       validate_water_rest},
      {"trapped_water", "bodies that sink and float in water on one grid", validate_trapped_water},
      {"dam_break", "front of a collapsing column of water, Martin and Moyce 1952",
       validate_dam_break},
      {"tank_volume", "volume of water that sloshes in a tank, MULTI 9", validate_tank_volume},
      {"lone_drops", "single particles of fluids and clusters of them settle, whatever the scheme",
       validate_lone_drops},
      {"standing_wave", "period and damping of water that sloshes in its first mode",
       validate_standing_wave},
      {"taylor_green", "decay of vortices in a viscous fluid", validate_taylor_green},
      {"poiseuille", "profile of a viscous fluid in a channel", validate_poiseuille},
      {"axisymmetric_collapse", "run-out and height of sand columns, Lube et al. 2004",
       validate_axisymmetric_collapse},
      {"planar_collapse", "run-out and height of sand steps, Lube et al. 2005",
       validate_planar_collapse},
      {"repose", "wedges of sand below and above the angle of friction", validate_repose},
      {"emission", "volume, mass and momentum of poured sand and water", validate_emission},
      {"snow", "compaction, fracture and sticking of snow", validate_snow},
      {"static_friction", "blocks stop and stay on slopes below the angle of friction",
       validate_static_friction},
      {"infinite_slope", "a layer of sand slides down a rough slope", validate_infinite_slope},
      {"rankine", "active and passive pressure of sand on a smooth wall", validate_rankine},
      {"footing", "bearing of a strip footing and height of a vertical cut in cohesive ground",
       validate_footing},
      {"janssen", "loads of floor and walls of a slot filled with sand", validate_janssen},
      {"grains", "fine grains of sand at rest and of a column that falls apart", validate_grains},
      {"hanging_bar", "length at which a hanging bar of snow breaks", validate_hanging_bar},
      {"viscoelastic", "Oldroyd-B: shear that starts at once", validate_viscoelastic},
      {"herschel_bulkley", "flow curves of a sheared layer", validate_herschel_bulkley},
      {"metal", "yield and hardening of a pressed block, Taylor bar", validate_metal},
      {"implicit_bar", "damping and period of a vibrating bar in implicit steps",
       validate_implicit_bar},
      {"implicit_flight", "free flight in implicit steps", validate_implicit_flight},
      {"implicit_stiff", "stiff elastic balls on a floor in steps of a frame",
       validate_implicit_stiff},
      {"implicit_rest", "a block that rests or slides on a slope in steps of a frame",
       validate_implicit_rest},
      {"implicit_order", "implicit against explicit steps as both shrink", validate_implicit_order},
      {"implicit_snow", "a ball of snow in implicit and in explicit steps", validate_implicit_snow},
      {"implicit_viscoelastic", "Oldroyd-B in steps short and long beside its relaxation",
       validate_implicit_viscoelastic},
      {"implicit_sand", "wedges of sand in implicit steps", validate_implicit_sand},
      {"implicit_water", "a tank at rest, a dam break and a drop in steps of a frame",
       validate_implicit_water},
      {"sph_momentum", "momentum of grains without walls, and the power of friction",
       validate_sph_momentum},
      {"sph_grain", "a lone grain in air and on a floor", validate_sph_grain},
      {"sph_column", "pressure, loads and volume of sand and of a frictionless block at rest",
       validate_sph_column},
      {"sph_repose", "wedges below and above the angle of friction, for a minute",
       validate_sph_repose},
      {"sph_heaps", "slopes of heaps under a spout", validate_sph_heaps},
      {"sph_collapse", "run-out and height of steps and columns of sand, Lube et al.",
       validate_sph_collapse},
      {"sph_orifice", "discharge of a bin through a hole, Beverloo", validate_sph_orifice},
      {"sph_cut", "height of a vertical cut in cohesive sand", validate_sph_cut},
      {"fem_patch", "affine states of meshed solids from a disturbed start", validate_fem_patch},
      {"fem_cantilever", "sinking of a beam of linear and of quadratic cells under its own weight",
       validate_fem_cantilever},
      {"fem_elastica", "a slender beam bent far by a load at its end", validate_fem_elastica},
      {"fem_torsion", "torque of a twisted square bar", validate_fem_torsion},
      {"fem_hertz", "a ball pressed on a plane, Hertz", validate_fem_hertz},
      {"fem_vibration", "decay, order and energy of a vibrating bar of cells",
       validate_fem_vibration},
      {"fem_torture", "cubes whose vertices start at random places or in one point",
       validate_fem_torture},
      {"fem_minimizer", "steps of a frame by Newton's method alone and by descent",
       validate_fem_minimizer},
      {"fem_map", "where one step of Newton's method alone and of descent converges",
       validate_fem_map},
      {"fem_incline", "meshed blocks that slide, rest and drop", validate_fem_incline},
      {"fem_momentum", "momentum of meshed bodies that collide", validate_fem_momentum},
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

Check loss_check(std::string case_name, std::string quantity, double loss, double limit,
                 double gain) {
  return {std::move(case_name),    std::move(quantity),           loss, limit, std::abs(loss),
          loss < 0 ? gain : limit, loss <= limit && loss >= -gain};
}

Check must_fail(Check judged) {
  judged.quantity = "control, must fail: " + judged.quantity;
  judged.pass = judged.ran && std::isfinite(judged.error) && !judged.pass;
  return judged;
}

Check report(std::string case_name, std::string quantity, double measured, double reference) {
  return {std::move(case_name), std::move(quantity), measured, reference, 0, 0, true};
}

}  // namespace firn
