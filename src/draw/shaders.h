// The shaders, as pieces of GLSL 3.30 that are joined to programs (renderer_programs.cpp).
#pragma once

namespace firn::shaders {

// Camera: from space to the picture and back. For vertices and fragments.
extern const char* const kCamera;
// What goes into the picture of surfaces: colour, kind and normal.
extern const char* const kSurfaceOutput;

// Particles as point sprites, exact spheres on quads, and icosahedra.
extern const char* const kParticle;         // vertex
extern const char* const kParticleSurface;  // fragment
extern const char* const kSprite;           // vertex
extern const char* const kSpriteSurface;    // fragment
extern const char* const kSpriteShadow;     // fragment
extern const char* const kBall;             // vertex
extern const char* const kBallSurface;      // fragment
extern const char* const kIcosahedron;      // vertex

// Triangles: surfaces of particles, colliders, planes, slices, lines.
extern const char* const kMesh;             // vertex
extern const char* const kBody;             // vertex
extern const char* const kPaintedBody;      // vertex
extern const char* const kPaintedSurface;   // fragment
extern const char* const kTriangleSurface;  // fragment
extern const char* const kTriangleShadow;   // fragment
extern const char* const kGlass;            // fragment
extern const char* const kSlice;            // vertex
extern const char* const kSliceSurface;     // fragment
extern const char* const kLine;             // vertex
extern const char* const kLineColor;        // fragment

// Whole pictures.
extern const char* const kScreen;        // vertex
extern const char* const kOpenness;      // fragment: ambient occlusion
extern const char* const kOpennessMean;  // fragment
extern const char* const kShadowBlur;    // fragment
extern const char* const kLight;         // fragment
extern const char* const kShrink;        // fragment

}  // namespace firn::shaders
