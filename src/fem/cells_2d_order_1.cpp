#include "fem/elastic_cells_impl.h"

namespace firn {

FIRN_CELLS(2, 1)

}  // namespace firn
