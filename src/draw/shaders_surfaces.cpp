#include "draw/shaders.h"

namespace firn::shaders {

const char* const kMesh = R"(
layout(location = 0) in vec3 corner;
layout(location = 1) in vec3 normal;
layout(location = 2) in vec4 color;
layout(std140) uniform Looks { vec4 looks[256]; };
uniform bool casting;
uniform bool any_style;  // not only where the style is a surface
out vec3 v_place;
out vec3 v_normal;
out vec4 v_color;
flat out float v_opacity;
flat out int v_kind;
void main() {
  vec4 look = looks[int(color.a * 255.0 + 0.5)];
  bool shown = look.x > (any_style ? -0.5 : 2.5) && (!casting || look.z > 0.5);
  gl_Position = shown ? clip_of(to_view(corner)) : vec4(2.0, 2.0, 2.0, 1.0);
  v_place = corner;
  v_normal = normal;
  v_color = vec4(color.rgb, look.w);
  v_opacity = look.y;
  v_kind = 1;
}
)";

const char* const kBody = R"(
layout(location = 0) in vec3 corner;
layout(location = 1) in vec3 normal;
uniform vec3 axis_x, axis_y, axis_z, middle;
uniform vec3 body_color;
uniform int kind;
uniform bool receives;
out vec3 v_place;
out vec3 v_normal;
out vec4 v_color;
flat out float v_opacity;
flat out int v_kind;
void main() {
  vec3 p = middle + axis_x * corner.x + axis_y * corner.y + axis_z * corner.z;
  gl_Position = clip_of(to_view(p));
  v_place = p;
  v_normal = axis_x * normal.x + axis_y * normal.y + axis_z * normal.z;
  v_color = vec4(body_color, receives ? 1.0 : 0.0);
  v_opacity = 1.0;
  v_kind = kind;
}
)";

const char* const kPaintedBody = R"(
layout(location = 0) in vec3 corner;
layout(location = 1) in vec3 normal;
layout(location = 2) in vec4 color;
layout(location = 3) in vec2 spot;
uniform vec3 axis_x, axis_y, axis_z, middle;
out vec3 v_normal;
out vec3 v_color;
out vec2 v_spot;
void main() {
  vec3 p = middle + axis_x * corner.x + axis_y * corner.y + axis_z * corner.z;
  gl_Position = clip_of(to_view(p));
  v_normal = axis_x * normal.x + axis_y * normal.y + axis_z * normal.z;
  v_color = color.rgb;
  v_spot = spot;
}
)";

// Files do not always turn their faces outwards: what is seen faces the eye.
const char* const kPaintedSurface = R"(
in vec3 v_normal;
in vec3 v_color;
in vec2 v_spot;
uniform sampler2D picture;  // linear light
uniform bool textured, receives;
void main() {
  vec3 color = v_color;
  if (textured)
    color = pow(pow(color, vec3(2.2)) * texture(picture, v_spot).rgb, vec3(1.0 / 2.2));
  vec3 n = normalize(v_normal);
  put_surface(color, gl_FrontFacing ? n : -n, 2, receives);
}
)";

const char* const kTriangleSurface = R"(
in vec3 v_place;
V_NORMAL in vec3 v_normal;
V_NORMAL in vec4 v_color;
flat in float v_opacity;
V_KIND
uniform bool two_sided;  // open surfaces: what is seen faces the eye
void main() {
  if (v_opacity < 1.0 && shines_through(v_opacity, gl_FragCoord.xy, 0.0)) discard;
  vec3 n = normalize(v_normal);
  put_surface(v_color.rgb, two_sided && !gl_FrontFacing ? -n : n, KIND, v_color.a > 0.5);
}
)";

const char* const kTriangleShadow = R"(
flat in float v_opacity;
layout(location = 0) out vec4 moments;
void main() {
  if (v_opacity < 1.0 && shines_through(v_opacity, gl_FragCoord.xy, 0.0)) discard;
  // Depth is clamped only after the shader: ground on the near side of the map lies before 0.
  float w = exp(WARP * (clamp(gl_FragCoord.z, 0.0, 1.0) - 1.0));
  moments = vec4(w, w * w, 0.0, 1.0);
}
)";

const char* const kGlass = R"(
in vec3 v_place;
in vec3 v_normal;
in vec4 v_color;
uniform float opacity;
uniform vec3 towards_light;
layout(location = 0) out vec4 out_color;
void main() {
  vec3 n = normalize(v_normal);
  vec3 s = perspective ? normalize(v_place - eye) : forward;
  float facing = abs(dot(n, s));
  // Denser where it is seen along its surface.
  float alpha = opacity * (1.0 + 1.2 * pow(1.0 - facing, 3.0));
  float light = 0.72 + 0.28 * abs(dot(n, towards_light));
  out_color = vec4(v_color.rgb * light, clamp(alpha, 0.0, 1.0));
}
)";

const char* const kSlice = R"(
layout(location = 0) in vec2 corner;
uniform vec3 middle, axis_x, axis_y;  // first corner and whole sides
out vec2 v_texel;
void main() {
  v_texel = 0.5 * corner + 0.5;
  gl_Position = clip_of(to_view(middle + axis_x * v_texel.x + axis_y * v_texel.y));
}
)";

const char* const kSliceSurface = R"(
in vec2 v_texel;
uniform sampler2D picture;
void main() {
  vec4 c = texture(picture, v_texel);
  if (c.a < 0.5) discard;
  put_surface(c.rgb / c.a, -forward, 4, false);
}
)";

// Six corners of a thin quad for each line, in pixels about its middle.
const char* const kLine = R"(
layout(location = 0) in vec3 from;
layout(location = 1) in vec3 to;
layout(location = 2) in vec4 color;
uniform float width;  // pixels
out vec4 v_color;
out float v_across;
void main() {
  vec3 a = to_view(from), b = to_view(to);
  float n = 1.001 * lens.z;
  if (perspective && a.z < n && b.z > n) a = mix(a, b, (n - a.z) / (b.z - a.z));
  if (perspective && b.z < n && a.z > n) b = mix(b, a, (n - b.z) / (a.z - b.z));
  vec4 ca = clip_of(a), cb = clip_of(b);
  vec2 pa = ca.xy / ca.w * size, pb = cb.xy / cb.w * size;
  vec2 along = pb - pa;
  vec2 across = length(along) > 0.0 ? normalize(vec2(-along.y, along.x)) : vec2(0.0);
  vec4 c = (gl_VertexID & 1) == 0 ? ca : cb;
  float side = (gl_VertexID & 2) == 0 ? -1.0 : 1.0;
  c.xy += across * side * (width + 1.0) / size * c.w;
  gl_Position = c;
  v_color = color;
  v_across = side * 0.5 * (width + 1.0);
}
)";

const char* const kLineColor = R"(
in vec4 v_color;
in float v_across;
uniform float width;
layout(location = 0) out vec4 out_color;
void main() {
  float cover = clamp(0.5 * width + 0.5 - abs(v_across), 0.0, 1.0);
  out_color = vec4(v_color.rgb, v_color.a * cover);
}
)";

}  // namespace firn::shaders
