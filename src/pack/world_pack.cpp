#include "pack/world_pack.h"

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <new>

#include "pack/particle_parts.h"
#include "pack/settings_visitor.h"
#include "scene/check.h"
#include "scene/object_mesh.h"

namespace firn {
namespace {

constexpr std::string_view kMagic = "FIRNPACK";
// Grows with every change of the file that its keys do not show. A machine that stores numbers the
// other way round reads another one.
constexpr std::uint32_t kVersion = 1;

struct Header {
  std::uint32_t version = kVersion, reserved = 0;
  std::uint64_t bytes = 0;
  Digest digest{};
};

Errors damaged(const std::string& what) {
  return {"the pack is damaged: " + what + "; pack the scene again"};
}

void forget_files(ShapeSettings& shape) {
  shape.asset = nullptr;
  for (PartSettings& part : shape.parts) forget_files(part);
}

// Fields; the other parts of an asset belong to objects and are in their particles.
Errors read_assets(ByteReader& reader, ShapeAssets& assets) {
  std::uint64_t count = 0;
  reader.value(count);
  for (std::uint64_t i = 0; i < count && reader.fine(); ++i) {
    auto asset = std::make_shared<ShapeAsset>();
    DistanceFieldData data;
    take_asset(reader, asset->scale, data);
    if (!reader.fine()) break;
    if (!(asset->scale > 0 && std::isfinite(asset->scale)))
      return damaged("a distance field has no size");
    Result<DistanceField> field = DistanceField::from_data(std::move(data));
    if (!field) return damaged(field.errors().front());
    asset->field = std::make_shared<const DistanceField>(std::move(*field));
    assets.push_back(std::move(asset));
  }
  return {};
}

Errors read_particles(ByteReader& reader, WorldPack& pack) {
  std::uint64_t count = 0, next_id = 0;
  reader.value(count);
  for (std::uint64_t i = 0; i < count && reader.fine(); ++i) {
    ObjectParticles particles;
    take_particles(reader, particles);
    if (!reader.fine()) break;
    const std::string problem = particle_problem(pack.scene, particles, next_id);
    if (!problem.empty()) return damaged(problem);
    next_id += particles.size();
    pack.particles.push_back(std::move(particles));
  }
  return {};
}

template <int D>
Errors read_bodies_of(ByteReader& reader, WorldPack& pack) {
  for (std::size_t i = 0; i < pack.scene.objects.size() && reader.fine(); ++i) {
    ObjectMesh<D> mesh;
    take_bodies(reader, mesh);
    if (!reader.fine()) break;
    const std::size_t particles = i < pack.particles.size() ? pack.particles[i].size() : 0;
    const std::string problem = bodies_problem(mesh, particles);
    if (!problem.empty()) return damaged(problem);
    ObjectSettings& object = pack.scene.objects[i];
    if (!object.mesh) object.mesh.emplace();
    auto asset = std::make_shared<MeshAsset>();
    asset->content = std::move(mesh);
    object.mesh->asset = std::move(asset);
  }
  return {};
}
// The solver of meshed solids needs cells beside particles.
Errors read_bodies(ByteReader& reader, WorldPack& pack) {
  if (pack.scene.solver != SolverKind::fem) return {};
  return pack.scene.dimension == 2 ? read_bodies_of<2>(reader, pack)
                                   : read_bodies_of<3>(reader, pack);
}

template <int D>
void write_bodies_of(ByteWriter& writer, const SceneSettings& scene) {
  for (const ObjectSettings& object : scene.objects) {
    const auto* made =
        object.mesh && object.mesh->asset ? object.mesh->asset->get<ObjectMesh<D>>() : nullptr;
    ObjectMesh<D> mesh = made ? *made : ObjectMesh<D>{};
    take_bodies(writer, mesh);
  }
}
void write_bodies(ByteWriter& writer, const SceneSettings& scene) {
  if (scene.solver != SolverKind::fem) return;
  if (scene.dimension == 2)
    write_bodies_of<2>(writer, scene);
  else
    write_bodies_of<3>(writer, scene);
}

// Objects were filled when the pack was made, and their shapes need not be whole any more.
Errors check(const SceneSettings& scene) {
  std::vector<SceneIssue> issues = check_names(scene);
  if (issues.empty()) {
    SceneSettings surroundings = scene;
    surroundings.objects.clear();
    issues = check_scene(surroundings);
  }
  for (const SceneIssue& issue : issues)
    if (!issue.warning) return damaged(issue.pointer + ": " + issue.what);
  return {};
}

Errors read_content(ByteReader& reader, WorldPack& pack) {
  ShapeAssets assets;
  Errors errors = read_assets(reader, assets);
  if (!errors.empty()) return errors;
  SettingsVisitor<ByteReader> visitor(reader, assets);
  if (reader.fine()) pack.scene.describe(visitor);
  if (!visitor.problem().empty()) return {"the pack cannot be read: " + visitor.problem()};
  if (reader.fine()) errors = check(pack.scene);
  if (!errors.empty()) return errors;
  errors = read_particles(reader, pack);
  return errors.empty() ? read_bodies(reader, pack) : errors;
}

}  // namespace

Result<WorldPack> make_pack(const SceneSettings& scene) {
  if (scene.solver == SolverKind::fem && !has_meshes(scene)) {
    const Result<SceneSettings> meshed = with_meshes(scene);
    if (!meshed) return meshed.errors();
    return make_pack(*meshed);
  }
  Result<std::vector<ObjectParticles>> particles = initial_particles(scene);
  if (!particles) return particles.errors();
  return WorldPack{scene, std::move(*particles)};
}

std::string encode_pack(WorldPack pack) {
  for (ObjectSettings& object : pack.scene.objects) {
    forget_files(object.shape);
    if (object.scatter) forget_files(object.scatter->region);
  }
  ShapeAssets assets;
  ByteWriter settings, content;
  SettingsVisitor<ByteWriter> visitor(settings, assets);
  pack.scene.describe(visitor);
  content.value(static_cast<std::uint64_t>(assets.size()));
  for (const auto& asset : assets) take_asset(content, asset->scale, asset->field->data());
  content.bytes += settings.bytes;
  content.value(static_cast<std::uint64_t>(pack.particles.size()));
  for (ObjectParticles& particles : pack.particles) take_particles(content, particles);
  write_bodies(content, pack.scene);
  return sealed_pack(content.bytes);
}

Result<WorldPack> decode_pack(std::string_view bytes) {
  const Result<std::string_view> content = unsealed_pack(bytes);
  if (!content) return content.errors();
  WorldPack pack;
  ByteReader reader(*content);
  Errors errors = read_content(reader, pack);
  if (errors.empty() && !reader.fine()) errors = damaged("it ends too early");
  if (errors.empty() && !reader.at_end()) errors = damaged("it is longer than its content");
  if (!errors.empty()) return errors;
  return pack;
}

std::string sealed_pack(std::string_view content) {
  ByteWriter writer;
  Header header;
  header.bytes = content.size();
  header.digest = digest_of(content);
  writer.bytes = kMagic;
  writer.value(header);
  writer.bytes += content;
  return std::move(writer.bytes);
}

Result<std::string_view> unsealed_pack(std::string_view bytes) {
  if (!bytes.starts_with(kMagic)) return Errors{"is not a pack; firn pack SCENE writes one"};
  bytes.remove_prefix(kMagic.size());
  if (bytes.size() < sizeof(Header)) return damaged("it ends within its header");
  Header header;
  std::memcpy(&header, bytes.data(), sizeof(Header));
  bytes.remove_prefix(sizeof(Header));
  if (header.version != kVersion)
    return Errors{"is a pack of version " + std::to_string(header.version) + ", and this is for " +
                  std::to_string(kVersion) + "; pack the scene again"};
  if (header.bytes != bytes.size())
    return damaged("it has " + std::to_string(bytes.size()) + " bytes of " +
                   std::to_string(header.bytes));
  if (header.reserved != 0 || digest_of(bytes) != header.digest)
    return damaged("its checksum does not fit");
  return bytes;
}

Result<WorldPack> read_pack(const std::string& path) {
  const auto failure = [&](const std::string& what) {
    return Result<WorldPack>::failure(path + ": " + what);
  };
  std::error_code ignored;
  if (std::filesystem::is_directory(path, ignored)) return failure("is a folder, not a pack");
  std::ifstream file(path, std::ios::binary);
  if (!file) return failure(std::strerror(errno));
  try {
    std::string bytes(std::istreambuf_iterator<char>(file), {});
    if (file.bad()) return failure("cannot be read");
    Result<WorldPack> pack = decode_pack(bytes);
    if (!pack) return failure(pack.errors().front());
    return pack;
  } catch (const std::bad_alloc&) {
    return failure("there is too little memory to read it");
  }
}

}  // namespace firn
