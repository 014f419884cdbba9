// Names of columns: what a solver or a model keeps of its particles beside what all have. A name is
// a number from the first time that it is asked for, so that sets find columns at once.
#pragma once

#include <string>

namespace firn {

class ColumnName {
 public:
  explicit ColumnName(const char* text);

  int number() const { return number_; }
  const std::string& text() const;

 private:
  int number_;
};

// Those that more than one room speaks of.
namespace column {
inline const ColumnName affine("affine");      // C, 1/s, row-major: MLS and APIC
inline const ColumnName gradient("gradient");  // elastic F, row-major
inline const ColumnName stress(
    "stress");  // Kirchhoff stress, Pa: all entries, or one where it is isotropic
inline const ColumnName scalar("scalar");  // the model's own scalars
inline const ColumnName user("user");  // scalars that the scene declares, carried along unchanged
inline const ColumnName source("source");  // rate of volume per volume, 1/s (mpm/fluid_volume.h)
inline const ColumnName dilation(
    "dilation");  // logarithm of the volume that particles are apart by, free of stress
inline const ColumnName stiffness("stiffness");  // factor on the moduli
inline const ColumnName phi("phi");    // share of the pores that fluids fill (mpm/porous_node.h)
inline const ColumnName room("room");  // m^D that a fluid in a mixture fills together with grains
inline const ColumnName swelling("swelling");  // of a fluid in a mixture, 1/s
inline const ColumnName varied("varied");  // parameters that are expressions (varied_parameters.h)
}  // namespace column

}  // namespace firn
