// The order of a distance field's parts in a file, for writer and reader alike.
#pragma once

#include "geometry/distance_field.h"

namespace firn {

// `data` is a DistanceFieldData; lists are its arrays.
template <class Data, class Part, class List>
void visit_field_parts(Data& data, Part&& part, List&& list) {
  part(data.dimension);
  part(data.spacing);
  part(data.origin);
  part(data.blocks);
  part(data.margin);
  part(data.volume);
  part(data.solid);
  list(data.corners);
  list(data.slots);
  list(data.samples);
}

}  // namespace firn
