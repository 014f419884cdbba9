#include "cases/memory_growth.h"

#include "cases/case_tools.h"
#include "cuda/device.h"

namespace firn {
namespace {

constexpr std::size_t kMiB = std::size_t(1) << 20;
constexpr std::int64_t kFrames = 4;

// A heap that flies apart: in the end hardly two particles share a block.
ObjectSettings& add_heap(SceneSettings& scene, const char* model, double density) {
  const int material = add_material(scene, default_parameters(model_index_by_name(model)));
  ObjectSettings& heap = add_box(scene, material, density, {{-0.3, -0.3, -0.3}}, {{0.3, 0.3, 0.3}});
  heap.name = model;
  heap.velocity = {{NumberOrExpression(0, "40*x"), NumberOrExpression(0, "40*y"),
                    NumberOrExpression(0, "40*z")}};
  return heap;
}
// Of sand, and in a second species of an elastic body.
SceneSettings bursting_scene(int species) {
  SceneSettings scene = case_scene(3, 0.05, 20);
  add_heap(scene, "sand", 1500);
  if (species == 1) return scene;
  add_heap(scene, "neo_hookean", 1000).species = "other";
  scene.porous.emplace();
  scene.porous->buoyancy = true;
  PorousPair& pair = scene.porous->pairs.emplace_back();
  pair.solid = kDefaultSpecies;
  pair.fluid = "other";
  pair.drag = 1e3;
  return scene;
}

// Removes the limit, however the function is left.
struct MemoryLimit {
  explicit MemoryLimit(std::size_t bytes) { set_device_memory_limit(bytes); }
  ~MemoryLimit() { set_device_memory_limit(0); }
  MemoryLimit(const MemoryLimit&) = delete;
  MemoryLimit& operator=(const MemoryLimit&) = delete;
};

// The error of a run with so much device memory, or "".
std::string error_within(const SceneSettings& scene, std::size_t bytes) {
  const MemoryLimit limit(bytes);
  const auto world = World::create(scene, Precision::double_, Device::cuda);
  if (!world) return world.errors().front();
  const Errors errors = run_frames(**world, kFrames);
  return errors.empty() ? "" : errors.front();
}

}  // namespace

bool Growth::pass() const {
  const auto told = [](const std::string& line) {
    return line.find("too little memory") != std::string::npos;
  };
  return agreement.pass() && bytes_after > 2 * bytes_before && told(no_room_to_grow) &&
         told(no_room_to_start);
}

namespace {

Result<Growth> growth_of(const SceneSettings& scene) {
  Growth growth;
  const auto cpu = World::create(scene, Precision::double_);
  if (!cpu) return cpu.errors();
  const auto cuda = World::create(scene, Precision::double_, Device::cuda);
  if (!cuda) return cuda.errors();
  growth.bytes_before = (*cuda)->device_bytes();
  for (World* world : {cpu->get(), cuda->get()})
    if (const Errors errors = run_frames(*world, kFrames); !errors.empty()) return errors;
  growth.bytes_after = (*cuda)->device_bytes();
  growth.agreement = compare_worlds(scene, **cpu, **cuda);
  growth.agreement.tolerance = agreement_tolerance(Precision::double_);
  // The world above still holds its memory, which the limit does not count.
  growth.no_room_to_grow =
      error_within(scene, growth.bytes_before + growth.bytes_before / 4 + kMiB);
  growth.no_room_to_start = error_within(scene, growth.bytes_before / 2);
  return growth;
}

}  // namespace

Result<std::vector<Growth>> check_growth() {
  std::vector<Growth> all;
  for (const int species : {1, 2}) {
    Result<Growth> growth = growth_of(bursting_scene(species));
    if (!growth) return growth.errors();
    growth->scene = species == 1 ? "one species" : "two species";
    all.push_back(std::move(*growth));
  }
  return all;
}

}  // namespace firn
