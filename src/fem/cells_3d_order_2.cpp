#include "fem/elastic_cells_impl.h"

namespace firn {

FIRN_CELLS(3, 2)

}  // namespace firn
