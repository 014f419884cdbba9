// Building scenes in code and running them: what the validation cases share.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "cases/validate.h"
#include "scene/line_text.h"
#include "sim/world.h"

namespace firn {

// No gravity, lattice sampling (see add_box), frames of 1/fps seconds; the rest as in scene files.
SceneSettings case_scene(std::int64_t dimension, double spacing, double fps);

// Index of the new material.
int add_material(SceneSettings& scene, ModelParameters parameters);

// A model with E and nu, such as elastic_material<NeoHookean>(1e5, 0.3).
template <class Model>
ModelParameters elastic_material(double youngs_modulus, double poisson_ratio) {
  typename Model::Parameters p;
  p.youngs_modulus = youngs_modulus;
  p.poisson_ratio = poisson_ratio;
  return p;
}

// Objects on a lattice of 2^dimension particles a cell (change `sampling` of the result for
// another). The reference lives until the next object is added.
ObjectSettings& add_box(SceneSettings& scene, int material, double density, const Vec3d& low,
                        const Vec3d& high);
ObjectSettings& add_ball(SceneSettings& scene, int material, double density, const Vec3d& center,
                         double radius);

ColliderSettings& add_plane(SceneSettings& scene, const Vec3d& point, const Vec3d& normal,
                            ContactKind contact, double friction = 0);
// Solid outside of the box.
ColliderSettings& add_container(SceneSettings& scene, const Vec3d& low, const Vec3d& high,
                                ContactKind contact, double friction = 0);

// An initial velocity field and its gradient, entry (a, b) being d v_a / d x_b.
struct VelocityAt {
  Vec3d velocity{{0, 0, 0}};
  Mat<double, 3> gradient = Mat<double, 3>::zero();
};
void set_velocities(ObjectParticles& particles,
                    const std::function<VelocityAt(const Vec3d& position)>& field);

using OnFrame = std::function<void(const World&)>;

// Advances by whole frames and calls each_frame after every one; errors of an unstable run.
Errors run_frames(World& world, std::int64_t frames, const OnFrame& each_frame = nullptr);

// Creates the world of a scene, shows its initial state to each_frame, and runs it.
Result<std::unique_ptr<World>> run_scene(const SceneSettings& scene, Precision precision,
                                         std::int64_t frames, const OnFrame& each_frame = nullptr);

// A run that could not be judged: fails, and says why.
Check failed_run(const std::string& case_name, const Errors& errors);

}  // namespace firn
