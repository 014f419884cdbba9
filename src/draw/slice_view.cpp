#include "draw/slice_view.h"

#include <algorithm>
#include <charconv>
#include <cmath>

#include "render/legend.h"
#include "scene/line_text.h"
#include "scene/particle_sets.h"

namespace firn {
namespace {

// The name that the text begins with, up to its end or a colon; names may have colons themselves.
std::string leading_species(const std::string& text, const std::vector<std::string>& names) {
  std::string longest;
  for (const std::string& name : names) {
    const bool leads =
        text.starts_with(name) && (text.size() == name.size() || text[name.size()] == ':');
    if (leads && name.size() > longest.size()) longest = name;
  }
  return longest;
}

}  // namespace

Look look_of(const SceneSettings& scene, const PainterOptions& options) {
  Look look = look_of(scene);
  if (options.style) {
    look.style = *options.style;
    for (ParticleLook& own : look.groups) own.style.clear();
  }
  return look;
}

Result<CutSlice> cut_slice(const PointTable& table, const Survey& survey, const SliceView& view) {
  GridSliceOptions options = view.options;
  if (std::isnan(options.position))
    options.position = center_of(*survey.scene.bounds)[options.axis];
  const Result<GridSlice> slice = make_grid_slice(table, options);
  if (!slice) return slice.errors();
  CutSlice cut;
  const bool given = view.high > view.low;
  cut.low = given ? view.low : slice->low;
  cut.high = given ? view.high : slice->high;
  cut.picture = picture_of(*slice, cut.low, cut.high, view.map);
  return cut;
}

std::string slice_title(const GridSliceOptions& options) {
  const std::string of =
      options.species.name.empty() ? "" : " of " + printable(options.species.name);
  const std::string title = title_with_unit(options.field);
  const std::size_t unit = title.find(" (");
  return unit == std::string::npos ? title + of : title.substr(0, unit) + of + title.substr(unit);
}

void draw_slice_legend(const SliceView& view, const CutSlice& slice, Image& image) {
  if (!view.legend) return;
  draw_legend(image, {slice_title(view.options), slice.low, slice.high, {}, view.map});
}

Result<GridSliceOptions> parse_slice(const std::string& text, const SceneSettings& settings) {
  GridSliceOptions options;
  options.position = NAN;
  options.spacing = settings.grid.spacing;
  options.kernel = settings.mpm.kernel;
  options.dimension = static_cast<int>(settings.dimension);
  const auto& names = grid_field_names();
  const auto wrong = [&](const std::string& what) {
    return Result<GridSliceOptions>::failure(text + ": " + what);
  };
  const std::size_t name_end = text.find_first_of("@:");
  options.field = text.substr(0, name_end);
  if (std::find(names.begin(), names.end(), options.field) == names.end())
    return wrong("no such grid field" + suggestion(options.field, names));
  std::string rest = name_end == std::string::npos ? "" : text.substr(name_end), species;
  if (rest.starts_with("@")) {
    const std::vector<std::string> known = species_names(settings);
    species = leading_species(rest.substr(1), known);
    if (species.empty())
      return wrong("no such species" + suggestion(rest.substr(1, rest.find(':') - 1), known));
    rest.erase(0, 1 + species.size());
  }
  options.species = slice_species(settings, options.field, species);
  if (rest.empty()) return options;
  const std::size_t equal = rest.find('=');
  const std::string axis = rest.substr(1, equal - 1);
  if (axis != "x" && axis != "y" && axis != "z") return wrong("the axis must be x, y or z");
  options.axis = axis[0] - 'x';
  if (equal == std::string::npos) return options;
  const char *first = rest.data() + equal + 1, *last = rest.data() + rest.size();
  const auto [end, error] = std::from_chars(first, last, options.position);
  if (error != std::errc() || end != last || !std::isfinite(options.position))
    return wrong("the place must be a number, in metres");
  return options;
}

}  // namespace firn
