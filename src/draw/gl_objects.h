// OpenGL objects that delete themselves. The context must be current while they live and die.
#pragma once

#include <epoxy/gl.h>

#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/result.h"
#include "base/vec.h"

namespace firn {

// A name that OpenGL gave, and how it is given back.
template <void (*Release)(GLuint)>
class GlName {
 public:
  GlName() = default;
  explicit GlName(GLuint id) : id_(id) {}
  GlName(GlName&& other) noexcept : id_(std::exchange(other.id_, 0)) {}
  GlName& operator=(GlName&& other) noexcept {
    std::swap(id_, other.id_);
    return *this;
  }
  ~GlName() {
    if (id_ != 0) Release(id_);
  }
  GLuint id() const { return id_; }

 private:
  GLuint id_ = 0;
};

namespace detail {
void release_buffer(GLuint id);
void release_texture(GLuint id);
void release_array(GLuint id);
void release_framebuffer(GLuint id);
void release_program(GLuint id);
}  // namespace detail

using GlTexture = GlName<detail::release_texture>;
using GlArray = GlName<detail::release_array>;
using GlFramebuffer = GlName<detail::release_framebuffer>;

// A buffer that grows as needed and is filled in one copy.
class GlBuffer {
 public:
  void fill(GLenum target, const void* data, std::size_t bytes);
  GLuint id();

 private:
  GlName<detail::release_buffer> name_;
  std::size_t capacity_ = 0;
};

GlArray make_array();
// Not mipmapped; clamped to its edge.
GlTexture make_texture(GLenum format, int width, int height, GLenum filter);
// Depth 0: none. Checks that it is complete.
Result<GlFramebuffer> make_framebuffer(const std::vector<GLuint>& colors, GLuint depth,
                                       bool has_stencil = false);

class GlProgram {
 public:
  // The parts are joined in order after the version line.
  static Result<GlProgram> build(const char* name, const std::vector<const char*>& vertex,
                                 const std::vector<const char*>& fragment);

  void use() const { glUseProgram(name_.id()); }
  GLuint id() const { return name_.id(); }
  // Of the program in use; names that the program does not have are left alone.
  void set(const char* name, float v) const { glUniform1f(place(name), v); }
  void set(const char* name, int v) const { glUniform1i(place(name), v); }
  void set(const char* name, bool v) const { glUniform1i(place(name), v ? 1 : 0); }
  void set(const char* name, const Vec3f& v) const { glUniform3f(place(name), v[0], v[1], v[2]); }
  void set(const char* name, float a, float b) const { glUniform2f(place(name), a, b); }
  void set(const char* name, float a, float b, float c, float d) const {
    glUniform4f(place(name), a, b, c, d);
  }
  // Binds a texture to a unit and the sampler to it.
  void texture(const char* name, int unit, GLuint texture) const;

 private:
  GLint place(const char* name) const;

  GlName<detail::release_program> name_;
  mutable std::unordered_map<std::string, GLint> places_;
};

}  // namespace firn
