// Particles as named columns, in the order of their ids.
#pragma once

#include <string>
#include <vector>

#include "particles/particles.h"
#include "particles/point_table.h"

namespace firn {

// The metadata "objects" are the ends of the objects' ids, with commas between them.
template <class T, int D>
PointTable make_snapshot(const Particles<T, D>& all, const std::vector<std::string>& fields);

}  // namespace firn
