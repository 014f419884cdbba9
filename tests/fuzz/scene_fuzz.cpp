// Fuzz target of the scene loader: whatever the bytes, it answers with settings that survive being
// written and read again, or with clear lines, and never crashes.
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>

#include "scene_io/scene_reader.h"
#include "scene_io/scene_writer.h"

namespace {

void require(bool condition, const char* what, const std::string& detail) {
  if (condition) return;
  std::fprintf(stderr, "fuzz: %s\n%s\n", what, detail.c_str());
  std::abort();
}

void check_errors(const firn::Errors& errors) {
  require(!errors.empty(), "failure without a line", "");
  for (const std::string& line : errors) {
    require(line.rfind("fuzz.json:", 0) == 0, "line does not name the file", line);
    require(line.find('\n') == std::string::npos, "error of several lines", line);
    require(line.size() < 4096, "endless line", line);
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto scene = firn::parse_scene(text, "fuzz.json");
  if (!scene) {
    check_errors(scene.errors());
    // Broken syntax ("file:line:column:") is no start for further inputs.
    return scene.errors().front().rfind("fuzz.json: ", 0) == 0 ? 0 : -1;
  }
  const std::string written = firn::write_scene(*scene);
  const auto again = firn::parse_scene(written, "fuzz.json");
  require(again.ok(), "written scene is refused", again.ok() ? "" : again.errors().front());
  require(firn::write_scene(*again) == written, "writing is not idempotent", written);
  return 0;
}
