// A stretch of steps of MPM as the device sees it, and what it tells afterwards.
#pragma once

#include "mpm_cuda/view.h"

namespace firn {

inline void begin_stretch(const Stretch& stretch, Control& control) {
  begin_stretch(stretch, static_cast<StretchControl&>(control));
  control.out_of_range.taken = control.not_finite.taken = 0;
}

inline StretchResult result_of(const Control& control, const std::vector<double>& sums) {
  StretchResult result = result_of(static_cast<const StretchControl&>(control), sums);
  result.transitions_due = control.transitions_hold;
  const VariedNote& note = control.not_finite.taken ? control.not_finite : control.out_of_range;
  if (note.taken)
    result.report.varied = {note.set, note.parameter, note.id, note.value,
                            !control.not_finite.taken};
  return result;
}

}  // namespace firn
