#include "draw/renderer_state.h"
#include "draw/shaders.h"

namespace firn {

namespace {

using namespace shaders;

// Steepness of the shadow's warp; its square still fits single precision.
constexpr const char* kConstants = "const float WARP = 30.0;\nconst int PAIRS = 6;\n";
constexpr const char* kSmooth =
    "#define V_NORMAL\n#define V_KIND flat in int v_kind;\n#define KIND v_kind\n";
constexpr const char* kFaceted = "#define V_NORMAL flat\n#define V_KIND\n#define KIND 1\n";

using Parts = std::vector<const char*>;

}  // namespace

Result<Programs> build_programs() {
  Programs p;
  Errors errors;
  const auto build = [&](const char* name, GlProgram& program, const Parts& vertex,
                         const Parts& fragment) {
    Result<GlProgram> made = GlProgram::build(name, vertex, fragment);
    if (made)
      program = std::move(*made);
    else
      errors = made.errors();
  };
  const Parts camera{kCamera, kConstants};
  const auto with = [&](Parts more) {
    Parts all = camera;
    all.insert(all.end(), more.begin(), more.end());
    return all;
  };
  for (const bool flat : {false, true}) {
    const char* variant = flat ? "#define FLAT\n" : "";
    build("sprite", p.sprite[flat], with({kParticle, kSprite}),
          with({variant, kSurfaceOutput, kParticleSurface, kSpriteSurface}));
    build("ball", p.ball[flat], with({kParticle, kBall}),
          with({variant, kSurfaceOutput, kParticleSurface, kBallSurface}));
  }
  build("sprite shadow", p.sprite_shadow, with({kParticle, kSprite}), with({kSpriteShadow}));
  build("icosahedron", p.icosahedron, with({kIcosahedron}),
        with({kSurfaceOutput, kFaceted, kTriangleSurface}));
  build("icosahedron shadow", p.icosahedron_shadow, with({kIcosahedron}), with({kTriangleShadow}));
  build("mesh", p.mesh, with({kMesh}), with({kSurfaceOutput, kSmooth, kTriangleSurface}));
  build("mesh shadow", p.mesh_shadow, with({kMesh}), with({kTriangleShadow}));
  build("body", p.body, with({kBody}), with({kSurfaceOutput, kSmooth, kTriangleSurface}));
  build("painted", p.painted, with({kPaintedBody}), with({kSurfaceOutput, kPaintedSurface}));
  build("body shadow", p.body_shadow, with({kBody}), with({kTriangleShadow}));
  build("glass", p.glass, with({kBody}), with({kGlass}));
  build("slice", p.slice, with({kSlice}), with({kSurfaceOutput, kSliceSurface}));
  build("line", p.line, with({kLine}), with({kLineColor}));
  build("openness", p.openness, {kScreen}, with({kOpenness}));
  build("openness mean", p.openness_mean, {kScreen}, with({kOpennessMean}));
  build("shadow blur", p.shadow_blur, {kScreen}, with({kShadowBlur}));
  build("background", p.light_background[0], {kScreen}, with({"#define KIND 0\n", kLight}));
  build("flat background", p.light_background[1], {kScreen},
        with({"#define KIND 0\n#define SOLIDS\n", kLight}));
  build("light", p.light_surface, {kScreen}, with({"#define KIND 1\n", kLight}));
  build("light on planes", p.light_plane, {kScreen}, with({"#define KIND 3\n", kLight}));
  build("as it is", p.light_none, {kScreen}, with({"#define KIND 4\n", kLight}));
  build("shrink", p.shrink, {kScreen}, {kShrink});
  if (!errors.empty()) return errors;
  for (const GlProgram* program :
       {&p.sprite[0], &p.sprite[1], &p.sprite_shadow, &p.ball[0], &p.ball[1], &p.icosahedron,
        &p.icosahedron_shadow, &p.mesh, &p.mesh_shadow})
    glUniformBlockBinding(program->id(), glGetUniformBlockIndex(program->id(), "Looks"), 0);
  return p;
}

}  // namespace firn
