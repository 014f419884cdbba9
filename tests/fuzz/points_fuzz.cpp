// Fuzz target of the readers of points: x, y, z that are finite, or clear lines.
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "frames/point_file.h"
#include "require.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  bool any = false;
  for (const char* name : {"fuzz.csv", "fuzz.ply", "fuzz.obj"}) {
    const auto table = firn::parse_points(bytes, name);
    if (!firn::check_result(table, name)) continue;
    any = true;
    for (const char* axis : {"x", "y", "z"}) {
      const auto* values = table->get<double>(axis);
      firn::require(values && values->size() == table->count, "no column", axis);
      for (const double value : *values) firn::require(std::isfinite(value), "not finite", axis);
    }
    for (const firn::Column& column : table->columns)
      firn::require(column.size() == table->count, "a column of the wrong length", column.name);
  }
  return any ? 0 : -1;
}
