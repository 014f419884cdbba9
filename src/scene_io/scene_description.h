// What scene files may hold, as the document from which schema, help and handbook are made.
#pragma once

#include "scene_io/scene_document.h"

namespace firn {

// The JSON Schema of scenes, in which a key that has a unit also says so as "unit". Its description
// then has the unit in parentheses.
Json scene_description();

}  // namespace firn
