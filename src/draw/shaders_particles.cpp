#include "draw/shaders.h"

namespace firn::shaders {

const char* const kCamera = R"(
uniform vec3 eye, right, up, forward;
uniform vec4 lens;  // 2 / width and 2 / height of the view at 1 m, near, far
uniform vec2 size;  // pixels
uniform bool perspective;

vec3 to_view(vec3 p) {
  vec3 d = p - eye;
  return vec3(dot(d, right), dot(d, up), dot(d, forward));
}
vec3 turned(vec3 v) { return v.x * right + v.y * up + v.z * forward; }
vec4 clip_of(vec3 v) {
  float n = lens.z, f = lens.w;
  if (perspective) return vec4(v.xy * lens.xy, ((f + n) * v.z - 2.0 * f * n) / (f - n), v.z);
  return vec4(v.xy * lens.xy, 2.0 * (v.z - n) / (f - n) - 1.0, 1.0);
}
float window_depth(float z) {
  float n = lens.z, f = lens.w;
  return perspective ? (f - n * f / z) / (f - n) : (z - n) / (f - n);
}
float view_depth(float w) {
  float n = lens.z, f = lens.w;
  return perspective ? n * f / (f - w * (f - n)) : n + w * (f - n);
}
// The view-space line through a pixel: origin + z * slope.
vec3 ray_slope(vec2 pixel) {
  return perspective ? vec3((2.0 * pixel / size - 1.0) / lens.xy, 1.0) : vec3(0.0, 0.0, 1.0);
}
vec3 ray_origin(vec2 pixel) {
  return perspective ? vec3(0.0) : vec3((2.0 * pixel / size - 1.0) / lens.xy, 0.0);
}
// Bayer's pattern, shifted from particle to particle: what shines through adds up evenly.
bool shines_through(float opacity, vec2 pixel, float shift) {
  ivec2 p = ivec2(pixel) + ivec2(int(shift * 16.0), int(shift * 64.0));
  int x = p.x ^ p.y;
  int level = (p.y & 1) + ((x & 1) << 1);
  level = (level << 2) | (((p.y >> 1) & 1) + (((x >> 1) & 1) << 1));
  return (float(level) + 0.5) / 16.0 > opacity;
}
)";

// Kinds: 0 background, 1 particle, 2 solid, 3 plane, 4 shown as it is.
const char* const kSurfaceOutput = R"(
layout(location = 0) out vec4 out_color;   // sRGB; kind and whether shadows fall on it
layout(location = 1) out vec4 out_normal;
void put_surface(vec3 color, vec3 normal, int kind, bool receives) {
  out_color = vec4(color, float(kind * 16 + (receives ? 8 : 0)) / 255.0);
  out_normal = vec4(0.5 * normal + 0.5, 1.0);
}
)";

// Particles as they are shaded. Everything that does not change within one is worked out here:
// software OpenGL runs all branches of a fragment.
const char* const kParticle = R"(
layout(location = 0) in vec4 place;  // and radius
layout(location = 1) in vec4 color;  // and material
layout(location = 2) in vec4 slope;  // and a number of its own
layout(std140) uniform Looks { vec4 looks[256]; };  // style or -1, opacity, casts, receives
uniform float scale;  // pixels a metre, at 1 m in perspective
flat out vec4 v_color;  // and whether shadows fall on it
flat out vec4 v_slope;  // part of the normal from the body, part from its own roundness
flat out vec3 v_look;   // style, opacity, a number of its own
void shade_particle(vec4 look, float pixels) {
  float length2 = dot(slope.xyz, slope.xyz);
  if (look.x < 0.5) {
    // Points have no roundness; those inside a body face the eye.
    vec3 n = length2 > 0.01 ? slope.xyz * inversesqrt(length2) : -forward;
    v_slope = vec4(dot(n, forward) > 0.0 ? n - 2.0 * dot(n, forward) * forward : n, 0.0);
  } else {
    // Grains of a few pixels are shaded mostly by the slope they lie on, larger ones by their own
    // roundness.
    v_slope = vec4(slope.xyz * (1.0 - smoothstep(8.0, 24.0, pixels)),
                   max(0.25, smoothstep(0.5, 3.0, pixels)));
  }
  v_color = vec4(color.rgb, look.w);
  v_look = vec3(look.xy, 0.5 * slope.w + 0.5);
}
)";

const char* const kParticleSurface = R"(
flat in vec4 v_color;
flat in vec4 v_slope;
flat in vec3 v_look;
// `across` 0 in the middle of its disc and 1 at the rim; `pixels` its radius.
void put_particle(vec3 n, float across, float pixels) {
#ifdef FLAT
  // A darker rim tells discs apart once they are larger than some pixels.
  float rim = clamp((pixels - 2.0) / 6.0, 0.0, 1.0);
  put_surface(v_color.rgb * sqrt(1.0 - 0.3 * rim * across * across), -forward, 4, false);
#else
  put_surface(v_color.rgb, normalize(n * v_slope.w + v_slope.xyz), 1, v_color.a > 0.5);
#endif
}
)";

const char* const kSprite = R"(
uniform bool casting;
uniform vec2 narrow;  // the picture's share of a viewport with a margin around it
flat out vec4 v_spot;   // middle in pixels, 1 / radius in pixels, depth in the window
flat out float v_bulge; // how much nearer its middle is
void main() {
  vec4 look = looks[int(color.a * 255.0 + 0.5)];
  vec3 v = to_view(place.xyz);
  float reach = perspective ? scale / sqrt(max(v.z * v.z - place.w * place.w, 1e-30)) : scale;
  // Flat discs leave gaps that balls do not: they are larger.
  float pixels = place.w * reach * (look.x < 0.5 ? 1.2 : 1.0);
  bool shown = look.x >= 0.0 && look.x < 1.5 && v.z > lens.z && (!casting || look.z > 0.5);
  // Below half a pixel the area becomes a chance.
  if (casting) pixels = max(pixels, 0.75);
  else if (pixels < 0.5) {
    shown = shown && 0.5 * slope.w + 0.5 < 4.0 * pixels * pixels;
    pixels = 0.71;
  }
  shade_particle(look, pixels);
  gl_Position = shown ? clip_of(v) : vec4(9.0, 9.0, 9.0, 1.0);
  gl_PointSize = 2.0 * pixels + 1.0;
  vec2 ndc = gl_Position.xy / gl_Position.w;
  float middle = window_depth(v.z);
  v_spot = vec4((0.5 * ndc + 0.5) * size, 1.0 / pixels, middle);
  v_bulge = look.x < 0.5 ? 0.0 : middle - window_depth(v.z - place.w);
  // Points go with their middle: a margin keeps those that reach in from outside.
  gl_Position.xy *= narrow;
}
)";

const char* const kSpriteSurface = R"(
flat in vec4 v_spot;
flat in float v_bulge;
void main() {
  vec2 d = (gl_FragCoord.xy - v_spot.xy) * v_spot.z;
  float left = 1.0 - dot(d, d);
  if (left < 0.0 || (v_look.y < 1.0 && shines_through(v_look.y, gl_FragCoord.xy, v_look.z)))
    discard;
  float h = sqrt(left);
  put_particle(d.x * right + d.y * up - h * forward, 1.0 - left, 1.0 / v_spot.z);
  gl_FragDepth = v_spot.w - v_bulge * h;
}
)";

const char* const kSpriteShadow = R"(
flat in vec4 v_spot;
flat in vec3 v_look;
layout(location = 0) out vec4 moments;
void main() {
  vec2 d = (gl_FragCoord.xy - v_spot.xy) * v_spot.z;
  if (dot(d, d) > 1.0 || (v_look.y < 1.0 && shines_through(v_look.y, gl_FragCoord.xy, v_look.z)))
    discard;
  float w = exp(WARP * (clamp(gl_FragCoord.z, 0.0, 1.0) - 1.0));
  moments = vec4(w, w * w, 0.0, 1.0);
}
)";

const char* const kBall = R"(
flat out vec4 v_ball;    // middle in the view, radius
flat out float v_pixels;
void main() {
  vec4 look = looks[int(color.a * 255.0 + 0.5)];
  vec3 c = to_view(place.xyz);
  float r = place.w, d2 = dot(c, c);
  vec2 corner = vec2(gl_VertexID & 1, gl_VertexID >> 1) * 2.0 - 1.0;
  // The quad faces the eye and holds the circle along which lines of sight touch the ball.
  vec3 axis = perspective ? c * inversesqrt(max(d2, 1e-30)) : vec3(0.0, 0.0, 1.0);
  vec3 side = normalize(abs(axis.y) < 0.9 ? cross(vec3(0.0, 1.0, 0.0), axis)
                                          : cross(vec3(1.0, 0.0, 0.0), axis));
  vec3 over = cross(axis, side);
  float grow = perspective ? r * sqrt(d2 / max(d2 - r * r, 1e-3 * r * r)) : r;
  bool shown = look.x >= 0.0 && look.x < 1.5 && (!perspective || d2 > 1.01 * r * r) &&
               c.z + r > lens.z;
  vec3 v = c + (side * corner.x + over * corner.y) * grow;
  if (perspective) v.z = max(v.z, 1.0001 * lens.z);
  gl_Position = shown ? clip_of(v) : vec4(2.0, 2.0, 2.0, 1.0);
  v_ball = vec4(c, r);
  v_pixels = r * scale / (perspective ? max(c.z, 1e-30) : 1.0);
  shade_particle(look, v_pixels);
}
)";

const char* const kBallSurface = R"(
flat in vec4 v_ball;
flat in float v_pixels;
void main() {
  vec3 o = ray_origin(gl_FragCoord.xy), s = ray_slope(gl_FragCoord.xy);
  vec3 oc = o - v_ball.xyz;
  // From the point of the line that is nearest to the middle: exact for small and far balls too.
  float a = dot(s, s), middle = -dot(oc, s) / a;
  vec3 nearest = oc + s * middle;
  float left = v_ball.w * v_ball.w - dot(nearest, nearest);
  float z = middle - sqrt(max(left, 0.0) / a);
  if (left < 0.0 || z < lens.z) discard;
  if (v_look.y < 1.0 && shines_through(v_look.y, gl_FragCoord.xy, v_look.z)) discard;
  vec3 n = turned(normalize(oc + s * z));
  put_particle(n, 1.0 - left / (v_ball.w * v_ball.w), v_pixels);
  gl_FragDepth = window_depth(v_look.x < 0.5 ? v_ball.z : z);
}
)";

const char* const kIcosahedron = R"(
layout(location = 0) in vec4 place;
layout(location = 1) in vec4 color;
layout(location = 3) in vec3 corner;
layout(location = 4) in vec3 face;
layout(location = 5) in vec3 axis_x;
layout(location = 6) in vec3 axis_y;
layout(location = 7) in vec3 axis_z;
layout(std140) uniform Looks { vec4 looks[256]; };
uniform bool deformed, casting;
out vec3 v_place;
flat out vec3 v_normal;
flat out vec4 v_color;
flat out float v_opacity;
void main() {
  vec4 look = looks[int(color.a * 255.0 + 0.5)];
  vec3 x = deformed ? axis_x : vec3(place.w, 0.0, 0.0);
  vec3 y = deformed ? axis_y : vec3(0.0, place.w, 0.0);
  vec3 z = deformed ? axis_z : vec3(0.0, 0.0, place.w);
  vec3 p = place.xyz + x * corner.x + y * corner.y + z * corner.z;
  v_normal = normalize(cross(y, z) * face.x + cross(z, x) * face.y + cross(x, y) * face.z);
  bool shown = look.x > 1.5 && look.x < 2.5 && (!casting || look.z > 0.5);
  gl_Position = shown ? clip_of(to_view(p)) : vec4(2.0, 2.0, 2.0, 1.0);
  v_place = p;
  v_color = vec4(color.rgb, look.w);
  v_opacity = look.y;
}
)";

}  // namespace firn::shaders
