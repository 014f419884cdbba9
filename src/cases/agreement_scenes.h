// Small scenes in which everything around a step happens: bodies that move, gravity that varies,
// fluids that keep their volume, particles that come and go, viscosities that are expressions.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "sim/world.h"

namespace firn {

struct AgreementScene {
  std::string name;
  SceneSettings scene;
  int steps = 20;
  std::function<void(World&)> prepare = nullptr;  // what comes before the steps
  double tolerance = 0;                           // 0: agreement_tolerance()
};

// Whether a scene has one of the names, or begins with one of them as its first words ("implicit",
// "species"); all are among none.
bool is_among(const std::string& scene, const std::vector<std::string>& names);

std::vector<AgreementScene> agreement_scenes(int dimension);
// Every transfer with every kernel, three materials at once.
std::vector<AgreementScene> transfer_scenes(int dimension);
// Two and three species that pass through each other: every transfer with every kernel, alone and
// as mixtures, every law and form of drag, buoyancy, parameters by phi, obstacles that hold or stop
// one species alone, transitions, and some of agreement_scenes().
std::vector<AgreementScene> species_scenes(int dimension);
// Implicit steps: every integrator, preconditioner, material, kernel and transfer, sand that flows,
// and almost all of agreement_scenes(). What they solve for depends on the precision.
std::vector<AgreementScene> implicit_scenes(int dimension, Precision precision);
// Granular SPH: every kernel, and what of agreement_scenes() sand can do.
std::vector<AgreementScene> sph_scenes(int dimension, Precision precision);

// Boxes of some materials fall fast enough to be sorted several times, onto a floor beside a wall.
// `height` above the floor in m, `speed` in units of the usual one.
SceneSettings fall_scene(int dimension, const std::vector<int>& models, double height = 0.06,
                         double speed = 1);

}  // namespace firn
