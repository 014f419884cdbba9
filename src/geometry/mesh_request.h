// What is asked of a shape before it is cut into simplices, and what is said when that fails.
#pragma once

#include <string>

#include "geometry/shape.h"

namespace firn {

// Empty when a shape can be cut with this edge length in D dimensions: it has an end and another
// side, and the edge is a length.
std::string mesh_request_fault(const Shape& shape, double edge, int dimension);

// When `cells` of them are too many: how many they would be, and the edge that would do.
std::string too_fine(double edge, double cells, int dimension);

// A number for people: six digits.
std::string short_text(double x);

}  // namespace firn
