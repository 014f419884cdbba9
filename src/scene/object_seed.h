// Independent random streams of objects and emitters.
#pragma once

#include "base/random.h"
#include "scene/settings.h"

namespace firn {

enum ObjectStream : std::uint64_t { kSamplingStream, kColorStream, kCopyStream, kStartStream };

inline std::uint64_t object_seed(const SceneSettings& scene, std::size_t index) {
  const std::optional<std::uint64_t>& own = scene.objects[index].seed;
  return own ? *own : random_bits(scene.seed, index, 0);
}

// Objects and emitters count apart.
inline std::uint64_t emitter_seed(const SceneSettings& scene, std::size_t index) {
  const std::optional<std::uint64_t>& own = scene.emitters[index].seed;
  return own ? *own : random_bits(scene.seed, index, 1);
}

}  // namespace firn
