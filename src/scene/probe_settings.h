// Probes: quantities that are measured at chosen places in every frame.
#pragma once

#include <cmath>
#include <string>
#include <vector>

#include "base/describe.h"
#include "base/vec.h"
#include "scene/output_fields.h"

namespace firn {

enum class ProbeKind { point, flux, height };

struct ProbeSettings {
  std::string name;
  ProbeKind kind = ProbeKind::point;
  Vec3d position{{0, 0, 0}};  // m; flux: a point of the plane
  Vec3d normal{{1, 0, 0}};    // flux
  double radius = 0;          // m; 0: the grid's spacing, or for flux the whole plane
  std::vector<std::string> fields = {"density", "velocity", "pressure"};  // point

  template <class V>
  void describe(V& v) {
    int chosen = static_cast<int>(kind);
    v.require("name", "type");
    v.text("name", name, "unique name, under which statistics and probes.csv give the values");
    v.alternatives("type", chosen,
                   {{"point", "flux", "height"},
                    "point: averages around a place; flux: what passes a plane; height: where the "
                    "surface is"},
                   [&](auto& w, int alternative) {
                     kind = static_cast<ProbeKind>(alternative);
                     if (kind == ProbeKind::point) describe_point(w);
                     if (kind == ProbeKind::flux) describe_flux(w);
                     if (kind == ProbeKind::height) describe_height(w);
                   });
  }

 private:
  template <class V>
  void describe_point(V& v) {
    v.require("position");
    v.vector("position", position, {"place of the probe", "m"});
    v.number("radius", radius,
             {"how far particles count, less the farther they are; 0: the grid's spacing", "m", 0});
    v.words("fields", fields, probe_field_names(), "what is averaged", "scalars");
  }
  template <class V>
  void describe_flux(V& v) {
    v.require("point", "normal");
    v.vector("point", position, {"a point of the plane", "m"});
    v.vector("normal", normal, {"direction across the plane in which flow counts as positive"});
    v.number("radius", radius,
             {"only what passes within this distance of the point; 0: the whole plane", "m", 0});
  }
  template <class V>
  void describe_height(V& v) {
    v.require("position");
    v.vector("position", position, {"from where the height is measured", "m"});
    v.number("radius", radius,
             {"of the vertical column that is searched; 0: the grid's spacing", "m", 0});
  }
};

}  // namespace firn
