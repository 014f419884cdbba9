// The OpenGL renderer (3.3 core). It draws in whatever context is current, into a picture of its
// own, which can then be read, put into a window, or used as a texture.
//
//   auto renderer = Renderer::create();
//   renderer->upload(frame);                      once a frame
//   renderer->draw(scene, look, {camera, w, h});  once a picture
//   renderer->present(0, 0, 0, w, h);             or read(), or texture()
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "base/image.h"
#include "base/result.h"
#include "draw/frame_data.h"
#include "draw/grid_slice.h"
#include "draw/look.h"
#include "render/camera.h"
#include "render/splatter.h"

namespace firn {

struct DrawView {
  Camera camera;
  int width = 1280, height = 720;
  int supersampling = 1;  // 1 or 2 samples along each side of a pixel
};

class Renderer {
 public:
  // Needs a current context of OpenGL 3.3 or newer, and must be destroyed while it is current.
  static Result<std::unique_ptr<Renderer>> create();
  ~Renderer();
  Renderer(const Renderer&) = delete;
  Renderer& operator=(const Renderer&) = delete;

  // Replaces the particles. One copy into one buffer.
  void upload(const FrameData& frame);
  // A grid slice that lies in the scene; none: no slice.
  void upload_slice(const std::optional<SlicePicture>& slice);

  // The colliders, marks, ground height and bounds are the scene's; light, background and all else
  // are the look's. Leaves framebuffer 0 bound and blending, depth test and culling off.
  void draw(const RenderScene& scene, const Look& look, const DrawView& view);

  // Copies the picture into a framebuffer of the context, (x, y) its lower left corner there.
  void present(unsigned framebuffer, int x, int y, int width, int height) const;
  // The picture as an 8-bit sRGB texture, rows from the bottom (ImGui: uv (0, 1) to (1, 0)).
  unsigned texture() const;
  Image read() const;

  // What is seen at a pixel of the picture, from its top left corner; none: the background.
  struct Picked {
    Vec3d position{{0, 0, 0}};  // m
    bool is_particle = false;
  };
  std::optional<Picked> pick(int x, int y) const;

  // Errors that OpenGL has noted since the last call; for tests.
  static int error_count();

 private:
  struct State;
  explicit Renderer(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace firn
