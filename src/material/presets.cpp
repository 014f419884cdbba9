#include "material/presets.h"

namespace firn {
namespace {

template <class Model>
typename Model::Parameters elastic(double youngs_modulus, double poisson_ratio) {
  typename Model::Parameters p;
  p.youngs_modulus = youngs_modulus;
  p.poisson_ratio = poisson_ratio;
  return p;
}

template <class Model>
std::vector<PresetOf<typename Model::Parameters>> elastic_presets() {
  return {{"soft", "medium soft solid", 1000, elastic<Model>(1e5, 0.3)},
          {"jelly", "wobbly gelatine", 1000, elastic<Model>(2e4, 0.4)},
          {"rubber", "stiff and nearly incompressible", 1100, elastic<Model>(1e6, 0.45)},
          {"foam", "light, shrinks without bulging", 100, elastic<Model>(5e4, 0.1)}};
}

}  // namespace

std::vector<PresetOf<StVenantKirchhoff::Parameters>> StVenantKirchhoff::presets() {
  return elastic_presets<StVenantKirchhoff>();
}
std::vector<PresetOf<Hencky::Parameters>> Hencky::presets() {
  return elastic_presets<Hencky>();
}
std::vector<PresetOf<NeoHookean::Parameters>> NeoHookean::presets() {
  return elastic_presets<NeoHookean>();
}
std::vector<PresetOf<FixedCorotated::Parameters>> FixedCorotated::presets() {
  return elastic_presets<FixedCorotated>();
}
std::vector<PresetOf<StableNeoHookean::Parameters>> StableNeoHookean::presets() {
  return elastic_presets<StableNeoHookean>();
}

namespace {

Snow::Parameters snow(double youngs_modulus, double hardening, double critical_compression,
                      double critical_stretch) {
  Snow::Parameters p;
  p.youngs_modulus = youngs_modulus;
  p.hardening = hardening;
  p.critical_compression = critical_compression;
  p.critical_stretch = critical_stretch;
  return p;
}

}  // namespace

// The base is MULTI 8. Variations of one quantity at a time follow Stomakhin et al. 2013: critical
// strains decide between chunks and powder, hardening between brittle and ductile; the last four
// are those of MULTI figure 25.
std::vector<PresetOf<Snow::Parameters>> Snow::presets() {
  Snow::Parameters firm = snow(4e5, 10, 5e-2, 2e-2);
  firm.poisson_ratio = 0.3;
  return {
      {"base", "the base of Stomakhin et al.", 400, snow(1.4e5, 10, 2.5e-2, 7.5e-3)},
      {"ductile", "less hardening: deforms before it breaks", 400, snow(1.4e5, 5, 2.5e-2, 7.5e-3)},
      {"muddy", "softer: wet, splatters", 400, snow(4.8e4, 10, 2.5e-2, 7.5e-3)},
      {"chunky", "wider critical strains: breaks into large chunks", 400,
       snow(1.4e5, 10, 5e-2, 1.5e-2)},
      {"powdery", "narrower critical strains: falls to powder", 400, snow(1.4e5, 10, 1.9e-2, 5e-3)},
      {"icy", "stiff, brittle, hardens fast", 500, snow(4.8e5, 20, 1.9e-2, 5e-3)},
      {"firm", "stiffer, with a wider elastic range", 400, firm},
      {"granular", "no tensile strain at all: behaves like sand", 400, snow(1.4e5, 10, 2.5e-2, 0)},
      {"packing", "hardly hardens: stays compressed", 400, snow(1.4e5, 1, 2.5e-2, 7.5e-3)},
      {"elastic", "never yields", 400, snow(1.4e5, 10, 1, 100)}};
}

namespace {

Sand::Parameters sand(double youngs_modulus, double friction_angle) {
  Sand::Parameters p;
  p.youngs_modulus = youngs_modulus;
  p.friction_angle = friction_angle;
  return p;
}

Sand::Parameters hardening_sand(double youngs_modulus, double h1, double h2) {
  Sand::Parameters p = sand(youngs_modulus, -1);
  p.h0 = 35;
  p.h1 = h1;
  p.h2 = h2;
  p.h3 = 10;
  return p;
}

Sand::Parameters cohesive_sand(double cohesion_strain) {
  Sand::Parameters p = hardening_sand(3.4e5, 0, 0.2);
  p.cohesion = cohesion_strain * 2 * p.mu();
  return p;
}

}  // namespace

// OPT table 4.2 (its rows by name), MULTI 10. MULTI figure 25 gives cohesion as a strain.
std::vector<PresetOf<Sand::Parameters>> Sand::presets() {
  return {{"dry", "dry sand at 30 degrees (pile from spout)", 2200, sand(3.537e5, 30)},
          {"base", "hardens from 25 to 35 degrees; slightly softer than castle", 2200,
           hardening_sand(3.4e5, 0, 0.2)},
          {"castle", "hardens from 25 to 35 degrees as it flows", 2200,
           hardening_sand(3.537e5, 0, 0.2)},
          {"hourglass", "hardens over a peak, fast", 2200, hardening_sand(3.537e5, 9, 0.3)},
          {"butterfly", "hardens over a peak; also raking and shovel", 2200,
           hardening_sand(3.537e5, 9, 0.2)},
          {"splash", "stiff and slippery, 22 degrees", 1582, sand(3.537e6, 22)},
          {"stiff", "Young's modulus of real sand", 2200, sand(3.537e7, 30)},
          {"friction_20", "20 degrees", 2200, sand(3.537e5, 20)},
          {"friction_25", "25 degrees", 2200, sand(3.537e5, 25)},
          {"friction_30", "30 degrees", 2200, sand(3.537e5, 30)},
          {"friction_35", "35 degrees", 2200, sand(3.537e5, 35)},
          {"friction_40", "40 degrees", 2200, sand(3.537e5, 40)},
          {"damp", "slightly cohesive", 2200, cohesive_sand(0.004)},
          {"wet", "holds steep slopes", 2200, cohesive_sand(0.025)},
          {"elastic", "so cohesive that it never yields", 2200, cohesive_sand(1)},
          {"liquid", "no friction: a fluid", 1000, sand(3.4e5, 0)}};
}

namespace {

Fluid::Parameters fluid(double bulk_modulus, StateEquation equation, double viscosity) {
  Fluid::Parameters p;
  p.bulk_modulus = bulk_modulus;
  p.equation = equation;
  p.viscosity = viscosity;
  return p;
}

}  // namespace

std::vector<PresetOf<Fluid::Parameters>> Fluid::presets() {
  const StateEquation tait = StateEquation::tait;
  return {{"water", "gives way by 2 % under a metre of its own weight", 1000, fluid(5e5, tait, 0)},
          {"linear", "water with a pressure linear in the volume", 1000,
           fluid(5e5, StateEquation::linear, 0)},
          {"stiff_water", "a tenth of the compression at a third of the time step", 1000,
           fluid(5e6, tait, 0)},
          {"oil", "viscous as olive oil", 910, fluid(5e5, tait, 0.08)},
          {"honey", "viscous as honey", 1420, fluid(7e5, tait, 10)}};
}

namespace {

struct Hardening {
  double yield_stress, modulus, voce_stress, voce_rate;
};

VonMises::Parameters metal(double youngs_modulus, double poisson_ratio,
                           const Hardening& hardening) {
  VonMises::Parameters p = elastic<VonMises>(youngs_modulus, poisson_ratio);
  p.yield_stress = hardening.yield_stress;
  p.hardening_modulus = hardening.modulus;
  p.voce_stress = hardening.voce_stress;
  p.voce_rate = hardening.voce_rate;
  return p;
}

}  // namespace

// Handbook values of annealed or common grades at room temperature; copper is that of Taylor bars
// (Wilkins and Guinan 1973). What is named soft is scaled down to run with long steps.
std::vector<PresetOf<VonMises::Parameters>> VonMises::presets() {
  return {
      {"plasticine", "modelling clay, half as stiff as it is", 1800,
       metal(2e6, 0.4, {2e4, 1e4, 0, 10})},
      {"clay", "stiff moist clay: yields without hardening", 1900,
       metal(1e7, 0.45, {1e5, 0, 0, 10})},
      {"soft_metal", "yields and hardens at the strains of copper, a thousandth as stiff", 8930,
       metal(1.17e8, 0.35, {4e5, 1e5, 0, 10})},
      {"steel", "mild steel", 7850, metal(2.1e11, 0.3, {2.5e8, 5e8, 1.5e8, 20})},
      {"copper", "hard copper of Taylor bar tests", 8930, metal(1.17e11, 0.35, {4e8, 1e8, 0, 10})},
      {"aluminium", "alloy 6061-T6", 2700, metal(6.9e10, 0.33, {2.76e8, 2e8, 6e7, 20})},
      {"lead", "soft and heavy", 11340, metal(1.6e10, 0.44, {8e6, 5e6, 1e7, 10})}};
}

namespace {

Viscoelastic::Parameters viscoelastic(double mu, double lambda, double viscosity,
                                      double relaxation_time) {
  Viscoelastic::Parameters p;
  p.given_mu = mu;
  p.given_lambda = lambda;
  p.viscosity = viscosity;
  p.relaxation_time = relaxation_time;
  return p;
}

}  // namespace

// OPT's table 3.1, whose motions depend on ratios alone: densities, moduli and viscosities times
// 1000 are in SI units. Its mu_N is twice the dynamic viscosity.
std::vector<PresetOf<Viscoelastic::Parameters>> Viscoelastic::presets() {
  return {
      {"shaving_foam", "holds its shape for half a second, then flows", 200, {}},
      {"sponge", "springs back, and gives way over a minute", 1000,
       viscoelastic(3.6e5, 1.4e6, 0, 50)},
      {"toothpaste", "soft, its viscosity dominates", 1000, viscoelastic(839, 8390, 50, 0.4)},
      {"ice_cream", "soft, folds and flows", 1000, viscoelastic(1000, 1e4, 0.025, 0.1)},
      {"cream", "whipped: flows as soon as it is moved", 200, viscoelastic(5000, 5e4, 5e-5, 1e-4)},
      {"crust", "of a pie: stiff, hardly relaxes", 500, viscoelastic(5e8, 4e9, 5e-6, 1e30)},
      {"scored_crust", "where the crust shall break", 500, viscoelastic(5000, 1e4, 5e-3, 1)}};
}

namespace {

struct Flow {
  double yield_stress, consistency, exponent, softened_stress;
};

HerschelBulkley::Parameters flowing(double youngs_modulus, double poisson_ratio, const Flow& flow) {
  HerschelBulkley::Parameters p = elastic<HerschelBulkley>(youngs_modulus, poisson_ratio);
  p.yield_stress = flow.yield_stress;
  p.consistency = flow.consistency;
  p.exponent = flow.exponent;
  p.softened_stress = flow.softened_stress;
  return p;
}

}  // namespace

// Flow curves of the size that rheometers show for such matter; moduli such that it yields at some
// per cent of shear.
std::vector<PresetOf<HerschelBulkley::Parameters>> HerschelBulkley::presets() {
  return {{"mud", "thins, stops on a slope", 1500, flowing(6e3, 0.45, {50, 10, 0.5, 50})},
          {"ketchup", "hardly flows until it does", 1100, flowing(2e3, 0.45, {20, 8, 0.3, 8})},
          {"whipped_cream", "holds peaks", 400, flowing(3e3, 0.4, {60, 10, 0.4, 60})},
          {"fresh_concrete", "heavy, nearly Bingham's", 2300, flowing(3e4, 0.4, {500, 50, 1, 500})},
          {"quick_clay", "loses nine tenths of its strength as it is sheared", 1800,
           flowing(2e5, 0.45, {5000, 50, 1, 500})},
          {"starch_in_water", "thickens: stiff against a blow", 1200,
           flowing(2e4, 0.45, {1, 0.5, 1.8, 1})}};
}

namespace {

std::vector<Preset> make_presets(int model) {
  return visit_model(model, [](auto tag) {
    std::vector<Preset> list;
    for (const auto& preset : decltype(tag)::type::presets())
      list.push_back({preset.name, preset.description, preset.density, preset.parameters});
    return list;
  });
}

}  // namespace

const std::vector<Preset>& presets(int model) {
  static const std::vector<std::vector<Preset>> all = [] {
    std::vector<std::vector<Preset>> lists;
    for (int i = 0; i < model_count; ++i) lists.push_back(make_presets(i));
    return lists;
  }();
  return all[model];
}

const Preset* find_preset(int model, const std::string& name) {
  for (const Preset& preset : presets(model))
    if (preset.name == name) return &preset;
  return nullptr;
}

std::vector<std::string> preset_names(int model) {
  std::vector<std::string> names;
  for (const Preset& preset : presets(model)) names.push_back(preset.name);
  return names;
}

ModelParameters preset_parameters(int model, const std::string& name) {
  const Preset* preset = find_preset(model, name);
  return preset ? preset->parameters : default_parameters(model);
}

double preset_density(int model, const std::string& name) {
  const Preset* preset = find_preset(model, name);
  return preset ? preset->density : presets(model).front().density;
}

}  // namespace firn
