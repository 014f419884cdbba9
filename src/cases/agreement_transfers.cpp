#include "cases/agreement_scenes.h"
#include "cases/case_tools.h"

namespace firn {
namespace {

constexpr double kSpacing = 0.05;
constexpr const char* kTransferNames[] = {"mls", "apic", "flip", "pic"};
constexpr const char* kKernelNames[] = {"linear", "quadratic", "cubic"};

}  // namespace

SceneSettings fall_scene(int dimension, const std::vector<int>& models, double height,
                         double speed) {
  SceneSettings scene = case_scene(dimension, kSpacing, 10);
  scene.gravity = {{0, -9.81, 0}};
  for (std::size_t i = 0; i < models.size(); ++i) {
    const int material = add_material(scene, default_parameters(models[i]));
    const double left = 0.5 * double(i);
    ObjectSettings& box = add_box(scene, material, 1000, {{left, height, 0}},
                                  {{left + 0.5, height + 0.5, dimension == 3 ? 0.4 : 0.0}});
    box.name = "box" + std::to_string(i);
    box.velocity = {{speed, -6 * speed, dimension == 3 ? 0.5 * speed : 0.0}};
  }
  add_plane(scene, {{0, 0, 0}}, {{0, 1, 0}}, ContactKind::separate, 0.4).name = "floor";
  add_plane(scene, {{-0.02, 0, 0}}, {{1, 0.2, 0}}, ContactKind::slip).name = "wall";
  return scene;
}

std::vector<AgreementScene> transfer_scenes(int dimension) {
  const std::vector<int> models = {model_index_by_name("sand"), model_index_by_name("fluid"),
                                   model_index_by_name("neo_hookean")};
  std::vector<AgreementScene> scenes;
  for (const TransferKind transfer :
       {TransferKind::mls, TransferKind::apic, TransferKind::flip, TransferKind::pic})
    for (const KernelKind kernel : {KernelKind::linear, KernelKind::quadratic, KernelKind::cubic}) {
      // Steps with the linear kernel are shorter, and it reaches less far.
      const bool linear = kernel == KernelKind::linear;
      AgreementScene test{std::string(kTransferNames[static_cast<int>(transfer)]) + " " +
                              kKernelNames[static_cast<int>(kernel)],
                          fall_scene(dimension, models, linear ? 0.012 : 0.06, linear ? 3 : 1)};
      test.scene.mpm.transfer = transfer;
      test.scene.mpm.kernel = kernel;
      test.scene.mpm.particle_collisions = kernel == KernelKind::quadratic;
      scenes.push_back(std::move(test));
    }
  return scenes;
}

}  // namespace firn
