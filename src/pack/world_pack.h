// A pack: the initial world of a scene in one file, with all that files gave (fields of meshes and
// pictures, sampled particles), so that a build without the libraries that read them can run it.
//   header     "FIRNPACK", version, length and checksum of the rest
//   fields     sampled distances that colliders, emitters and sinks are made of
//   settings   of the scene, each behind its key (pack/settings_visitor.h)
//   particles  of each object, before any rounding: either precision starts from them
//   meshes     of each object, where the solver is that of meshed solids
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "scene/initial_particles.h"
#include "scene/settings.h"

namespace firn {

struct WorldPack {
  SceneSettings scene;
  std::vector<ObjectParticles> particles;
};

// Samples the particles of a scene as read_scene() gives it.
Result<WorldPack> make_pack(const SceneSettings& scene);

// The bytes of the file. Object shapes keep no files: their particles are there.
std::string encode_pack(WorldPack pack);
// Errors are one line each, without the name of the file.
Result<WorldPack> decode_pack(std::string_view bytes);
Result<WorldPack> read_pack(const std::string& path);

// Content behind a header that fits it; the parts of encode_pack and decode_pack.
std::string sealed_pack(std::string_view content);
Result<std::string_view> unsealed_pack(std::string_view bytes);

}  // namespace firn
