#include "cases/validate.h"
namespace firn {
std::vector<Check> validate_static_friction(const ValidateOptions&) { return {}; }
}  // namespace firn
