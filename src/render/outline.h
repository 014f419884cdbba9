// Thin lines for containers, which would hide what they hold if drawn as solids, and for regions.
#pragma once

#include <vector>

#include "base/image.h"
#include "render/color.h"
#include "render/visibility.h"
#include "scene/settings.h"

namespace firn {

// A region that is only hinted at: a mouth of an emitter, or a sink.
struct RegionMark {
  Shape shape;
  Rgb8 color;
};
std::vector<RegionMark> region_marks(const SceneSettings& scene);

// A straight piece of an outline in the shape's own frame, m.
struct OutlineEdge {
  Vec3d from, to;
};
// Edges of boxes, rims of cylinders, the equator of balls; nothing of other shapes.
std::vector<OutlineEdge> outline_edges(const Shape& shape);

// Edges of boxes, rims of cylinders, the equator of balls, where nothing nearer hides them.
// `projection` and `buffer` belong to the supersampled picture.
void draw_outlines(const std::vector<Shape>& colliders, const Vec3d& origin,
                   const Projection& projection, const VisibilityBuffer& buffer, int supersampling,
                   Image& image);

// The same for regions, also where something hides them; other shapes by the box around them.
// Shapes without an end are left out.
void draw_marks(const std::vector<RegionMark>& marks, const Vec3d& origin,
                const Projection& projection, const VisibilityBuffer& buffer, int supersampling,
                Image& image);

}  // namespace firn
