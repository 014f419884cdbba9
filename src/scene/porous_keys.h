// The section `porous`: how species that share space act on each other.
#pragma once

#include <string>
#include <vector>

#include "base/describe.h"
#include "base/describe_scene.h"

namespace firn {

enum class CouplingKind { implicit, explicit_, limit };

struct PorousPair {
  std::string solid, fluid;
  double drag = 1e6;  // c_E, 1/(kg s)

  template <class V>
  void describe(V& v) {
    v.require("solid", "fluid");
    v.text("solid", solid, "species that the other one passes through");
    v.text("fluid", fluid, "species that passes");
    v.edits(Edits::at_once);
    v.number(
        "drag", drag,
        {"c_E: at a node the solid gets drag x its mass x the fluid's mass x the difference of "
         "their velocities",
         "1/(kg s)", 0, 1e30, true});
  }
};

struct PorousKeys {
  CouplingKind coupling = CouplingKind::implicit;
  double share = 0.5;
  std::vector<PorousPair> pairs;

  template <class V>
  void describe(V& v) {
    v.edits(Edits::at_once);
    v.choice("coupling", coupling, {"implicit", "explicit", "limit"},
             "how species exchange momentum: implicit bears any drag in any step; explicit no more "
             "than a share of what makes velocities equal; limit makes them equal, as one species");
    v.number("share", share,
             {"explicit: how much of the difference of velocities one step may take away", "", 0, 1,
              true});
    v.list("pairs", pairs, {"species that act on each other"});
  }
};

}  // namespace firn
