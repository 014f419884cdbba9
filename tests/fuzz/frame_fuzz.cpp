// Fuzz target of frames: a table whose columns are as long as it says, with meshes between its
// points, which can be written in every format and read again, or clear lines. Inputs that begin
// like JSON are where bodies are.
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

#include "frames/bgeo.h"
#include "frames/body_file.h"
#include "frames/ply.h"
#include "frames/vtu.h"
#include "require.h"
#include "scratch.h"

namespace {

namespace fs = std::filesystem;

const fs::path& scratch() {
  static const firn::Scratch folder("frame");
  return folder.path();
}

void require_written(const firn::Result<fs::path>& written, const fs::path& path) {
  if (!written) firn::check_lines(written.errors(), path.string());
}

void look_at_bodies(std::string_view text) {
  const auto bodies = firn::parse_bodies(text, "fuzz.json");
  if (!firn::check_result(bodies, "fuzz.json")) return;
  const fs::path path = scratch() / "bodies_0000.json";
  require_written(firn::write_bodies(path, 0, 0, *bodies), path);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  if (bytes.starts_with('{')) {
    look_at_bodies(bytes);
    return 0;
  }
  const auto table = firn::parse_ply(bytes, "fuzz.ply");
  if (!firn::check_result(table, "fuzz.ply")) return -1;
  for (const firn::Column& column : table->columns)
    firn::require(column.size() == table->count, "a column of the wrong length", column.name);
  firn::require(firn::mesh_problem(*table).empty(), "a mesh that does not fit its points");
  if (size % 16 != 0) return 0;  // files are slow
  const fs::path ply = scratch() / "a.ply", vtu = scratch() / "a.vtu", bgeo = scratch() / "a.bgeo";
  require_written(firn::write_vtu(vtu, *table), vtu);
  require_written(firn::write_bgeo(bgeo, *table), bgeo);
  const auto written = firn::write_ply(ply, *table);
  require_written(written, ply);
  if (!written) return 0;
  const auto again = firn::read_ply(ply);
  firn::require(again.ok(), "a frame that was written is not read again");
  firn::require(again->count == table->count, "another number of particles");
  firn::require(again->meshes.size() == table->meshes.size(), "another number of meshes");
  for (std::size_t m = 0; m < table->meshes.size(); ++m)
    firn::require(again->meshes[m].triangles == table->meshes[m].triangles, "other triangles");
  firn::require(again->columns.size() == table->columns.size(), "another number of columns");
  return 0;
}
