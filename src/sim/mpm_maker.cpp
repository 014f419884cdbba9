#include "sim/mpm_maker.h"

#include <algorithm>
#include <cmath>

#include "mpm/cpu_mpm.h"
#include "mpm/kernels.h"
#include "mpm/material_loop.h"
#include "mpm_cuda/cuda_mpm.h"
#include "scene/initial_fields.h"
#include "scene/particle_sets.h"
#include "scene/varied_settings.h"

namespace firn {
namespace {

// Whether particles of a material may have room between them: poured ones, and what a transition
// makes denser than it was.
bool may_be_loose(const SceneSettings& scene, int material) {
  for (const EmitterSettings& emitter : scene.emitters)
    if (emitter.material == material) return true;
  for (const TransitionSettings& transition : scene.transitions)
    if (transition.to == material && transition.density > 0) return true;
  return false;
}

// What the sets of poured materials need beside the model's own: a fluid and a solid somewhere to
// keep a dilation, sand, which has one, the source that keeps it in step with the room it takes.
void add_poured_columns(const SceneSettings& scene, std::size_t material, SetLayout& layout) {
  if (!may_be_loose(scene, static_cast<int>(material))) return;
  const auto* sand = std::get_if<Sand::Parameters>(&scene.materials[material].parameters);
  if (sand && sand->volume_correction)
    layout.declare(column::source, 1);
  else
    layout.declare(column::dilation, 1);
}

// What particles of a species know of others in the same place.
void add_porous_columns(const PorousSettings& porous, int species, SetLayout& layout) {
  if (porous.fractions_wanted) layout.declare(column::phi, 1);
  if (porous.form == DragForm::mixture && porous.is_fluid[species])
    layout.declare(column::room, 1).declare(column::swelling, 1);
}

// A fluid whose viscosity may become positive keeps all of its stress from the start.
ModelParameters layout_parameters(const SceneSettings& scene, int material) {
  ModelParameters parameters = plain_parameters(scene, material);
  auto* fluid = std::get_if<Fluid::Parameters>(&parameters);
  if (fluid && varies(varied_parameters(scene, material), "viscosity")) fluid->viscosity = 1;
  return parameters;
}

double inverse_d(KernelKind kernel) {
  return kernel == KernelKind::cubic ? CubicKernel::kInverseD : QuadraticKernel::kInverseD;
}

// MLS keeps the velocity gradient C itself. APIC and the linear kernel keep B h^-2 = C D h^-2
// (mpm/transfer_classic.h): D h^-2 along one axis, for a particle at x.
double affine_scale(const MpmSettings& settings, double x) {
  if (settings.transfer != TransferKind::mls && settings.transfer != TransferKind::apic) return 1;
  if (settings.kernel == KernelKind::linear) {
    const double f = x / settings.spacing - std::floor(x / settings.spacing);
    return f * (1 - f);
  }
  if (settings.transfer == TransferKind::mls) return 1;
  return 1 / inverse_d(settings.kernel);
}

PairSettings pair_settings(const PorousPair& pair) {
  PairSettings made;
  made.viscosity = pair.viscosity;
  const auto set = [&](DragLaw law, double value) {
    if (!(value > 0)) return;
    made.law = law;
    made.value = value;
  };
  set(DragLaw::coefficient, pair.drag);
  set(DragLaw::conductivity, pair.conductivity);
  set(DragLaw::permeability, pair.permeability);
  set(DragLaw::grains, pair.grain_diameter);
  return made;
}

// That all particles of a species have, kg/m^3; 0 where they differ, or volumes are not known.
double even_density(const SceneSettings& scene, const std::string& species) {
  double density = 0;
  const auto add = [&](double more) {
    if (density == 0) density = more;
    return density == more;
  };
  for (const ObjectSettings& object : scene.objects) {
    if (object.species != species) continue;
    const auto scales_mass = [](const InitialField& f) { return f.name == kMassScale; };
    if (!add(object.density) || object.volume == VolumeKind::estimated ||
        std::any_of(object.fields.begin(), object.fields.end(), scales_mass))
      return 0;
  }
  for (const EmitterSettings& emitter : scene.emitters)
    if (emitter.species == species && !add(emitter.density)) return 0;
  for (const TransitionSettings& t : scene.transitions)
    if (t.to_species.empty() || t.to_species == species) return 0;
  return density;
}

PorousSettings porous_settings(const SceneSettings& scene) {
  PorousSettings porous;
  const std::vector<std::string> names = species_names(scene);
  porous.species = static_cast<int>(names.size());
  if (!scene.porous) return porous;
  const PorousKeys& keys = *scene.porous;
  porous.form = static_cast<DragForm>(keys.coupling);
  porous.share = keys.share;
  const auto index_of = [&](const std::string& name) {
    return std::find(names.begin(), names.end(), name) - names.begin();
  };
  porous.fractions_wanted = names.size() > 1;
  porous.buoyancy = keys.buoyancy;
  porous.fraction = static_cast<FractionForm>(keys.fraction);
  for (std::size_t i = 0; i < keys.pairs.size(); ++i) {
    const PorousPair& pair = keys.pairs[i];
    const auto solid = index_of(pair.solid), fluid = index_of(pair.fluid);
    porous.pairs[i] = pair_settings(pair);
    porous.pairs[i].solid = static_cast<int>(solid);
    porous.pairs[i].fluid = static_cast<int>(fluid);
    porous.pair_of[solid][fluid] = porous.pair_of[fluid][solid] = static_cast<int>(i) + 1;
    porous.porosity[solid] = pair.porosity;
    porous.density[solid] = even_density(scene, pair.solid);
    porous.density[fluid] = even_density(scene, pair.fluid);
    porous.is_solid[solid] = porous.is_fluid[fluid] = true;
  }
  return porous;
}

// How much faster than its fluid says the pressure wave of a mixture is. Fluid and grains get
// grad p / rho each, and the compression of the fluid is div(n v_f + (1 - n) v_s) / n: where grains
// are lighter than the fluid c^2 is K / (n rho_f) times n + (1 - n) rho_f / rho_s.
double wave_of_light_grains(const SceneSettings& scene) {
  if (!scene.porous || scene.porous->coupling != CouplingKind::mixture) return 1;
  double most = 1;
  for (const PorousPair& pair : scene.porous->pairs) {
    double dry = INFINITY, fluid = 0;  // kg/m^3
    const auto add = [&](const auto& list) {
      for (const auto& entry : list) {
        if (entry.species == pair.solid) dry = std::min(dry, entry.density);
        if (entry.species == pair.fluid) fluid = std::max(fluid, entry.density);
      }
    };
    add(scene.objects);
    add(scene.emitters);
    const double solid = 1 - pair.porosity;
    most = std::max(most, pair.porosity + solid * solid * fluid / dry);
  }
  return std::sqrt(most);
}

// D of the affine matrices that particles keep, m^2.
double affine_d(const MpmSettings& settings) {
  const double h2 = settings.spacing * settings.spacing;
  switch (settings.transfer) {
    case TransferKind::flip:
    case TransferKind::pic:
      return 0;
    case TransferKind::apic:
      return h2;
    case TransferKind::mls:
      break;
  }
  return settings.kernel == KernelKind::linear ? h2 : h2 / inverse_d(settings.kernel);
}

ImplicitSettings implicit_settings(const IntegratorSettings& of) {
  constexpr double kBeyond = 1.5;  // what is faster in the end than at the start of a step
  return {of.kind,
          of.beta,
          of.tolerance,
          static_cast<int>(of.max_newton),
          kBeyond * of.implicit_cfl,
          of.preconditioner,
          of.positions};
}

}  // namespace

MpmSettings mpm_settings(const SceneSettings& scene) {
  MpmSettings settings;
  settings.spacing = scene.grid.spacing;
  settings.kernel = scene.mpm.kernel;
  settings.transfer = scene.mpm.transfer;
  settings.flip_ratio = scene.mpm.flip_ratio;
  settings.particle_collisions = scene.mpm.particle_collisions;
  settings.cfl = scene.integrator.cfl();
  settings.fixed_dt = scene.integrator.fixed_dt;
  settings.max_dt = scene.integrator.max_dt(scene.fps);
  settings.porous = porous_settings(scene);
  settings.implicit = implicit_settings(scene.integrator);
  if (scene.integrator.is_explicit()) settings.cfl /= wave_of_light_grains(scene);
  return settings;
}

ParticlePlan MpmMaker::plan(const SceneSettings& scene) const {
  const MpmSettings settings = mpm_settings(scene);
  ParticlePlan plan;
  for (const PlannedSet& set : planned_sets(scene)) {
    const ModelParameters parameters = layout_parameters(scene, set.material);
    SetLayout layout = scene.dimension == 2 ? set_layout<2>(parameters) : set_layout<3>(parameters);
    add_poured_columns(scene, set.material, layout);
    add_porous_columns(settings.porous, set.species, layout);
    layout.declare(column::varied, static_cast<int>(varied_parameters(scene, set.material).size()));
    plan.layouts.push_back(layout);
  }
  plan.shift = kernel_shift(settings.kernel);
  plan.affine_d = affine_d(settings);
  plan.affine_scale = [settings](double x) { return affine_scale(settings, x); };
  return plan;
}

template <class T, int D>
MpmMaker::Made<T, D> MpmMaker::make_one(const SceneSettings& scene, const Surroundings& around,
                                        Particles<T, D> particles, Device device) {
  MpmSettings settings = mpm_settings(scene);
  // Implicit steps have one way to sum up there, which gives the same bytes in every run.
  settings.deterministic = device == Device::cuda_deterministic ||
                           (device == Device::cuda && !settings.implicit.is_explicit());
  std::unique_ptr<Solver<T, D>> made;
  if (device == Device::cpu)
    made = std::make_unique<CpuMpm<T, D>>(settings, around, std::move(particles));
  else
    made = std::make_unique<CudaMpm<T, D>>(settings, around, std::move(particles));
  return made;
}

#define FIRN_INSTANTIATE(T, D)                            \
  template MpmMaker::Made<T, D> MpmMaker::make_one<T, D>( \
      const SceneSettings&, const Surroundings&, Particles<T, D>, Device);
FIRN_INSTANTIATE(float, 2)
FIRN_INSTANTIATE(float, 3)
FIRN_INSTANTIATE(double, 2)
FIRN_INSTANTIATE(double, 3)

}  // namespace firn
