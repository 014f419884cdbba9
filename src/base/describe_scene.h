// What descriptions of scenes need for methods and edits, beside base/describe.h. A visitor offers
//   typed(name, Enum&, TypedInfo, body)    one of the words, or an object that has it as `type`
//                                          beside the keys that body(v, kind) describes; without a
//                                          type the default's
//   also_here(typed, type, chosen, body)   keys of that type of that object which may as well stand
//                                          beside it: read, never written; an error when another
//                                          type is chosen or the two places contradict each other
//   reserved(name, problem)                a key of later versions: giving it is an error
//   edits(when)                            when edits of the keys from here on take effect, down to
//                                          the end of this object, unless one below says otherwise
#pragma once

#include <string>
#include <vector>

namespace firn {

// When an edit of a key reaches a world that runs the scene.
enum class Edits {
  at_reset,  // the particles or what they carry depend on it: the scene starts again
  at_once,   // the world goes on with the new value
  outside,   // at once too, and no step depends on it: names, pictures, files
};

// One of several methods, each with keys of its own.
struct TypedInfo {
  std::vector<std::string> names;
  const char* meaning = "";
  std::vector<std::string> coming = {};  // words of later versions: errors that say so
};

// Schemas list the keys of every method, whatever the settings at hand use: visitors like that have
// a member kSeesAllKeys.
template <class V>
constexpr bool sees_all_keys() {
  return requires {
    V::kSeesAllKeys;
  };
}

}  // namespace firn
