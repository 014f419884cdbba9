// Self-description of settings. A settings struct has one function
//   template <class V> void describe(V& v) { v.number("spacing", spacing, {...}); ... }
// and every reader, writer, schema, help text or editor is a visitor V over it. A visitor offers
//   number(name, double&, NumberInfo)      integer(name, std::int64_t&, IntegerInfo)
//   flag(name, bool&, meaning)             text(name, std::string&, meaning)
//   choice(name, Enum&, names, meaning)    names[i] is the word for enumerator i
// Parameters of materials use only these. Scene settings add
//   natural(name, std::uint64_t& or std::optional of it, meaning)
//   word(name, std::string&, names, meaning, on_read)   one of the names, or empty when not given;
//                                          on_read() runs when a value was read, never on writing
//   words(name, std::vector<std::string>&, names, meaning)
//   names(name, std::vector<std::string>&, max, meaning)   identifiers of the file's own; word and
//                                          words take them as well when their last argument is
//                                          `name`
//   dimension(d)                           vectors from here on have d components
//   vector(name, Vec3d& or std::optional of it, NumberInfo)   the info holds for each component
//   rotation(name, Vec3d&, NumberInfo)     about x, y, z; in 2D one number, about z
//   rotation(name, RotationSettings&, NumberInfo)   the same, or {"axis": [...], "angle": ...}
//   corners(low, high, Vec3d& size, Vec3d& center, NumberInfo)   another way to give the two
//   interval(name, std::optional<Interval>&, NumberInfo)   two numbers, the second larger
//   color(name, Vec3d& or std::optional of it, meaning)   "#rrggbb" or three numbers in 0..1
//   varying(name, NumberOrExpression&, NumberInfo, variables)   a number, or an expression in the
//                                          named variables; varying_vector: one for each
//                                          component; varying_rotation: in 2D only that about z
//   parameter(name, NumberOrExpression&, NumberInfo)   of a material: a number, or an expression in
//                                          phi, x, y, z, t and the scene's scalars
//   expressions(name, std::vector<T>&, meaning)   an object of numbers or expressions, T::name
//   object(name, T&, meaning)              T, or std::optional<T>, with its own describe()
//   list(name, std::vector<T>&, ListInfo)
//   dictionary(name, std::vector<T>&, ListInfo)   an object whose keys are T::name
//   reference(name, int& index, dictionary, meaning)   an entry of that dictionary, by its name
//   alternatives(name, int& index, AlternativesInfo, body)   body(v, i) describes the further
//                                          keys of the chosen alternative
//   shorthand(name, replaced, NumberInfo, set)   a number that stands for the key `replaced`: never
//                                          written; set(value) gives "" or what is wrong
//   hint(name, meaning)                    a string for other programs: read past, never written
//   require(names...)                      keys that must be given
//   conflict(a, b)                         keys that exclude each other
// A number outside its own range means "not given": it has no default and is not written.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

namespace firn {

struct NumberInfo {
  const char* meaning = "";
  const char* unit = "";
  double min = -std::numeric_limits<double>::infinity();
  double max = std::numeric_limits<double>::infinity();
  bool above_min = false;  // min itself is not allowed
  bool below_max = false;  // max itself is not allowed
  // Numbers below this are words for something else, which an expression cannot say.
  double least_varied = -std::numeric_limits<double>::infinity();

  bool contains(double x) const {
    return (above_min ? x > min : x >= min) && (below_max ? x < max : x <= max);
  }
};

struct IntegerInfo {
  const char* meaning = "";
  std::int64_t min = std::numeric_limits<std::int64_t>::min();
  std::int64_t max = std::numeric_limits<std::int64_t>::max();
};

struct ListInfo {
  const char* meaning = "";
  std::size_t min_size = 0;
};

// Another word for an alternative, valid in scenes of one dimension.
struct Alias {
  const char* name;
  int index;
  int dimension;
};

struct AlternativesInfo {
  std::vector<std::string> names;
  const char* meaning = "";
  std::vector<Alias> aliases = {};
};

}  // namespace firn
