#include "draw/shaders.h"

namespace firn::shaders {

// One triangle that holds the picture.
const char* const kScreen = R"(
void main() {
  gl_Position = vec4(vec2(gl_VertexID & 1, gl_VertexID >> 1) * 4.0 - 1.0, 0.0, 1.0);
}
)";

// Opposite samples come in pairs: on a plane, however inclined, one is as much nearer as the other
// is farther, so only hollows darken and no normals are needed.
const char* const kOpenness = R"(
uniform sampler2D depth_map;
uniform float radius;  // m
uniform int stride;    // pixels of the picture a pixel here
layout(location = 0) out vec4 openness;
float depth_at(ivec2 p) {
  return view_depth(texelFetch(depth_map, clamp(p, ivec2(0), ivec2(size) - 1), 0).x);
}
float nearer(float z, ivec2 p) {
  float d = (z - depth_at(p)) / radius;
  // Something far in front floats there: it hides the sky less and less.
  return d > 1.0 ? max(0.0, 1.0 - 0.25 * d) : max(d, -1.0);
}
void main() {
  ivec2 pixel = stride * ivec2(gl_FragCoord.xy);
  float w = texelFetch(depth_map, min(pixel, ivec2(size) - 1), 0).x;
  if (w >= 1.0) { openness = vec4(1.0); return; }
  float z = view_depth(w);
  float pixels = radius * 0.5 * size.y * lens.y / (perspective ? z : 1.0);
  pixels = clamp(pixels, float(stride), 48.0 * float(stride));
  ivec2 cell = ivec2(gl_FragCoord.xy) & 3;
  float turn = float(((cell.y * 4 + cell.x) * 5) & 15) / 16.0;
  float sum = 0.0;
  for (int k = 0; k < PAIRS; ++k) {
    float reach = (float(k) + 0.3 + 0.6 * turn) / float(PAIRS) * pixels;
    float angle = 2.39996323 * float(k) + 3.14159265 * turn;
    ivec2 d = ivec2(round(reach * vec2(cos(angle), sin(angle))));
    sum += clamp(nearer(z, pixel + d) + nearer(z, pixel - d), 0.0, 1.0);
  }
  openness = vec4(1.0 - sum / float(PAIRS), 0.0, 0.0, 1.0);
}
)";

const char* const kOpennessMean = R"(
uniform sampler2D depth_map, openness_map;
uniform float radius;
uniform int stride;
layout(location = 0) out vec4 openness;
void main() {
  ivec2 last = textureSize(openness_map, 0) - 1, p = ivec2(gl_FragCoord.xy);
  float w = texelFetch(depth_map, min(stride * p, ivec2(size) - 1), 0).x;
  if (w >= 1.0) { openness = vec4(1.0); return; }
  float z = view_depth(w), sum = 0.0, weight = 0.0;
  for (int j = -1; j <= 2; ++j)
    for (int i = -1; i <= 2; ++i) {
      ivec2 q = clamp(p + ivec2(i, j), ivec2(0), last);
      float other = view_depth(texelFetch(depth_map, min(stride * q, ivec2(size) - 1), 0).x);
      float share = abs(other - z) < radius ? 1.0 : 0.0;
      sum += share * texelFetch(openness_map, q, 0).x;
      weight += share;
    }
  openness = vec4(sum / max(weight, 1.0), 0.0, 0.0, 1.0);
}
)";

const char* const kShadowBlur = R"(
uniform sampler2D moments_map;
uniform ivec2 along;   // (1, 0) or (0, 1)
uniform int reach;     // texels
layout(location = 0) out vec4 moments;
void main() {
  ivec2 last = textureSize(moments_map, 0) - 1, p = ivec2(gl_FragCoord.xy);
  vec2 sum = vec2(0.0);
  float weight = 0.0;
  for (int k = -reach; k <= reach; ++k) {
    float t = float(k) / float(reach + 1), share = (1.0 - t * t) * (1.0 - t * t);
    sum += share * texelFetch(moments_map, clamp(p + k * along, ivec2(0), last), 0).xy;
    weight += share;
  }
  moments = vec4(sum / weight, 0.0, 1.0);
}
)";

const char* const kLight = R"(
uniform sampler2D color_map, normal_map, depth_map, openness_map, shadow_map, solid_map;
uniform vec3 background;  // linear
uniform vec3 towards_light;
uniform vec3 middle;      // of the scene, m
uniform float reach;      // half its diagonal, m
uniform float exposure, bias;
uniform bool shadows, ground_shadow, has_openness;
uniform float solid_pixel;  // m
// The light's own camera.
uniform vec3 light_eye, light_right, light_up;
uniform vec4 light_lens;
layout(location = 0) out vec4 out_color;

const vec3 SUN = vec3(1.02, 0.98, 0.92), SKY = vec3(0.42, 0.45, 0.50),
           GROUND = vec3(0.25, 0.24, 0.23);

// Near enough to the exact curves (0.002), and without powers.
vec3 to_linear(vec3 c) { return c * (c * (c * 0.305306011 + 0.682171111) + 0.012522878); }
vec3 to_srgb(vec3 c) {
  vec3 a = sqrt(max(c, 0.0)), b = sqrt(a), d = sqrt(b);
  return 0.662002687 * a + 0.684122060 * b - 0.323583601 * d - 0.0225411470 * c;
}
// Bends what is brighter than white back into range, instead of cutting it off.
vec3 soft_clip(vec3 v) {
  vec3 t = 5.0 * max(v - 0.8, 0.0);
  return min(v, 0.8) + 0.2 * (1.0 - 1.0 / (1.0 + t * (1.0 + t * (0.5 + t / 6.0))));
}
vec3 sky_light(vec3 n) { return mix(GROUND, SKY, 0.5 + 0.5 * n.y); }

float lit(vec3 p) {
  vec3 d = p - light_eye;
  vec2 at = 0.5 * vec2(dot(d, light_right), dot(d, light_up)) * light_lens.xy + 0.5;
  if (any(lessThan(at, vec2(0.0))) || any(greaterThan(at, vec2(1.0)))) return 1.0;
  float z = clamp((-dot(d, towards_light) - light_lens.z) / (light_lens.w - light_lens.z), 0.0, 1.0);
  vec2 m = texture(shadow_map, at).xy;
  // A little slack, so that the blur of a surface does not darken it.
  float w = 0.96 * exp(WARP * (z - 1.0)), beyond = w - m.x;
  if (beyond <= 0.0) return 1.0;
  float spread = max(m.y - m.x * m.x, 1e-4 * m.x * m.x);
  // Cut off what leaks where two casters overlap.
  return smoothstep(0.12, 1.0, spread / (spread + beyond * beyond));
}

vec3 plane_light(vec3 place, vec3 n, vec3 behind, float open, bool receives) {
  float l = shadows && ground_shadow && receives ? lit(place) : 1.0;
  vec3 full = SUN * max(towards_light.y, 0.3) + sky_light(vec3(0.0, 1.0, 0.0));
  vec3 light = SUN * (max(dot(n, towards_light), 0.0) * l) + sky_light(n) * open;
  vec3 shaded = 0.94 * behind * light / full;
  return mix(shaded, behind, smoothstep(1.5 * reach, 7.0 * reach, distance(place, middle)));
}

vec3 backdrop(vec2 pixel) {
  vec2 d = vec2(pixel.x / size.x - 0.5, 0.55 - pixel.y / size.y);
  vec3 color = background * (1.0 - 0.28 * dot(d, d));
#ifndef SOLIDS
  return color;
#endif
  // Flat colliders: the signed distance smooths their edges over a pixel.
  float pixels = texture(solid_map, pixel / size).x / solid_pixel;
  color = mix(color, vec3(0.52, 0.53, 0.56), clamp(0.5 - pixels, 0.0, 1.0));
  return mix(color, vec3(0.16, 0.17, 0.19), 0.8 * clamp(1.1 - abs(pixels), 0.0, 1.0));
}

// Less than a level of the 8 bits, so that slow gradients show no bands.
vec3 dithered(vec3 c) {
  float noise = fract(52.9829189 * fract(dot(gl_FragCoord.xy, vec2(0.06711056, 0.00583715))));
  return c + (noise - 0.5) / 255.0;
}

// One program for each kind of pixel, see Programs: software OpenGL runs all branches.
void main() {
  ivec2 p = ivec2(gl_FragCoord.xy);
#if KIND == 0
  out_color = vec4(dithered(to_srgb(backdrop(gl_FragCoord.xy))), 1.0);
#elif KIND == 4
  out_color = vec4(texelFetch(color_map, p, 0).rgb, 1.0);
#else
  vec4 c = texelFetch(color_map, p, 0);
  int code = int(c.a * 255.0 + 0.5);
  bool receives = (code & 8) != 0;
  float z = view_depth(texelFetch(depth_map, p, 0).x);
  vec3 place = eye + turned(ray_origin(gl_FragCoord.xy) + z * ray_slope(gl_FragCoord.xy));
  vec3 n = normalize(2.0 * texelFetch(normal_map, p, 0).xyz - 1.0);
  float open = has_openness ? texture(openness_map, gl_FragCoord.xy / size).x : 1.0;
#if KIND == 3
  vec3 shaded = plane_light(place, n, backdrop(gl_FragCoord.xy), open, receives);
  out_color = vec4(dithered(to_srgb(soft_clip(shaded))), 1.0);
#else
  float facing = dot(n, towards_light);
  // Light creeps around grains: wrapped a little over the edge.
  float sun = code >> 4 == 1 ? max(0.0, 0.8 * facing + 0.2) : max(facing, 0.0);
  if (shadows && receives) sun *= lit(place + n * bias);
  vec3 color = to_linear(c.rgb) * (SUN * sun + sky_light(n) * open) * exposure;
  out_color = vec4(to_srgb(soft_clip(color)), 1.0);
#endif
#endif
}
)";

const char* const kShrink = R"(
uniform sampler2D color_map;
layout(location = 0) out vec4 out_color;
void main() {
  ivec2 p = 2 * ivec2(gl_FragCoord.xy);
  // Squares stand for light well enough here.
  vec3 sum = vec3(0.0);
  for (int k = 0; k < 4; ++k) {
    vec3 c = texelFetch(color_map, p + ivec2(k & 1, k >> 1), 0).rgb;
    sum += c * c;
  }
  out_color = vec4(sqrt(0.25 * sum), 1.0);
}
)";

}  // namespace firn::shaders
