#include "volume/vdb_file.h"

#include <openvdb/openvdb.h>

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <new>
#include <sstream>

namespace firn {
namespace {

using openvdb::Coord;
using FloatLeaf = openvdb::FloatTree::LeafNodeType;
using VectorLeaf = openvdb::Vec3STree::LeafNodeType;
static_assert(FloatLeaf::DIM == kBlockEdge && FloatLeaf::SIZE == kBlockSamples);

Coord origin_of(const BlockGrid& grid, int block) {
  const SampleBlockCoord c = grid.coord(block);
  return Coord(c.x * kBlockEdge, c.y * kBlockEdge, c.z * kBlockEdge);
}

// What every grid has.
template <class Grid>
void describe(Grid& grid, const char* name, double voxel, const VdbFrame& frame) {
  grid.setName(name);
  grid.setTransform(openvdb::math::Transform::createLinearTransform(voxel));
  grid.insertMeta("frame", openvdb::Int64Metadata(frame.frame));
  grid.insertMeta("time", openvdb::DoubleMetadata(frame.time));
}

openvdb::FloatGrid::Ptr density_grid(const Fog& fog, const VdbFrame& frame) {
  auto grid = openvdb::FloatGrid::create(0.0f);
  describe(*grid, "density", fog.voxel, frame);
  grid->setGridClass(openvdb::GRID_FOG_VOLUME);
  for (int b = 0; b < fog.grid.size(); ++b) {
    const float* values = fog.density.data() + static_cast<std::size_t>(b) * kBlockSamples;
    if (std::all_of(values, values + kBlockSamples, [](float d) { return d <= 0; })) continue;
    FloatLeaf* leaf = grid->tree().touchLeaf(origin_of(fog.grid, b));
    for (openvdb::Index s = 0; s < FloatLeaf::SIZE; ++s)
      if (values[s] > 0) leaf->setValueOn(s, values[s]);
  }
  return grid;
}

openvdb::Vec3SGrid::Ptr velocity_grid(const Fog& fog, const VdbFrame& frame) {
  auto grid = openvdb::Vec3SGrid::create(openvdb::Vec3s(0));
  describe(*grid, "vel", fog.voxel, frame);
  grid->setVectorType(openvdb::VEC_CONTRAVARIANT_RELATIVE);
  for (int b = 0; b < fog.grid.size(); ++b) {
    const std::size_t begin = static_cast<std::size_t>(b) * kBlockSamples;
    const float* density = fog.density.data() + begin;
    if (std::all_of(density, density + kBlockSamples, [](float d) { return d <= 0; })) continue;
    VectorLeaf* leaf = grid->tree().touchLeaf(origin_of(fog.grid, b));
    for (openvdb::Index s = 0; s < VectorLeaf::SIZE; ++s) {
      const Vec3f& v = fog.velocity[begin + s];
      if (density[s] > 0) leaf->setValueOn(s, openvdb::Vec3s(v[0], v[1], v[2]));
    }
  }
  return grid;
}

// Blocks deep inside become tiles: one value instead of a leaf.
openvdb::FloatGrid::Ptr surface_grid(const LevelSet& surface, const VdbFrame& frame) {
  const float far = surface.outside;
  auto grid = openvdb::FloatGrid::create(far);
  describe(*grid, "surface", surface.voxel, frame);
  grid->setGridClass(openvdb::GRID_LEVEL_SET);
  for (int b = 0; b < surface.grid.size(); ++b) {
    const float* values = surface.block(b);
    const Coord origin = origin_of(surface.grid, b);
    const auto near = [far](float d) { return std::abs(d) < far; };
    if (std::none_of(values, values + kBlockSamples, near)) {
      if (values[0] < 0) grid->tree().addTile(1, origin, -far, false);
      continue;
    }
    FloatLeaf* leaf = grid->tree().touchLeaf(origin);
    for (openvdb::Index s = 0; s < FloatLeaf::SIZE; ++s) {
      if (near(values[s]))
        leaf->setValueOn(s, values[s]);
      else
        leaf->setValueOff(s, values[s]);
    }
  }
  return grid;
}

// OpenVDB gives each file a random name of 36 characters behind its first 21 bytes. The same frame
// shall be the same bytes: the name becomes one that follows from the values.
constexpr std::size_t kNamePlace = 21;
std::string file_name_of(const Fog& fog, const LevelSet& surface) {
  std::uint64_t hash = 0xcbf29ce484222325ull;
  const auto add = [&hash](const std::vector<float>& values) {
    for (const float value : values) {
      std::uint32_t bits;
      std::memcpy(&bits, &value, sizeof(bits));
      hash = (hash ^ bits) * 0x100000001b3ull;
    }
  };
  add(fog.density);
  add(surface.values);
  char digits[17];
  std::snprintf(digits, sizeof(digits), "%016llx", static_cast<unsigned long long>(hash));
  const std::string half(digits), all = half + half;
  return all.substr(0, 8) + "-" + all.substr(8, 4) + "-" + all.substr(12, 4) + "-" +
         all.substr(16, 4) + "-" + all.substr(20);
}

// OpenVDB's own file writer does not notice a full disk: it writes to memory instead.
class MemoryArchive : public openvdb::io::Archive {
 public:
  std::string bytes(const openvdb::GridCPtrVec& grids, const openvdb::MetaMap& metadata) const {
    std::ostringstream stream(std::ios::binary);
    const bool seekable = true;  // with a table of places, so that grids can be read one by one
    write(stream, grids, seekable, metadata);
    return std::move(stream).str();
  }
};

}  // namespace

Result<std::string> vdb_bytes(const Fog& fog, const LevelSet& surface, const VdbFrame& frame) {
  using Made = Result<std::string>;
  try {
    openvdb::initialize();
    const openvdb::GridCPtrVec grids = {density_grid(fog, frame), velocity_grid(fog, frame),
                                        surface_grid(surface, frame)};
    openvdb::MetaMap metadata;
    metadata.insertMeta("creator", openvdb::StringMetadata("firn"));
    metadata.insertMeta("scene", openvdb::StringMetadata(frame.scene));
    metadata.insertMeta("frame", openvdb::Int64Metadata(frame.frame));
    metadata.insertMeta("time", openvdb::DoubleMetadata(frame.time));
    std::string bytes = MemoryArchive().bytes(grids, metadata);
    const std::string name = file_name_of(fog, surface);
    if (bytes.size() < kNamePlace + name.size() || bytes[kNamePlace + 8] != '-')
      return Made::failure("this version of OpenVDB starts its files in another way");
    bytes.replace(kNamePlace, name.size(), name);
    return bytes;
  } catch (const std::bad_alloc&) {
    throw;
  } catch (const std::exception& error) {
    return Made::failure(error.what());
  }
}

}  // namespace firn
