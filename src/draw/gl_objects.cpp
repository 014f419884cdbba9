#include "draw/gl_objects.h"

#include <algorithm>

namespace firn {

namespace detail {
void release_buffer(GLuint id) {
  glDeleteBuffers(1, &id);
}
void release_texture(GLuint id) {
  glDeleteTextures(1, &id);
}
void release_array(GLuint id) {
  glDeleteVertexArrays(1, &id);
}
void release_framebuffer(GLuint id) {
  glDeleteFramebuffers(1, &id);
}
void release_program(GLuint id) {
  glDeleteProgram(id);
}
}  // namespace detail

namespace {

constexpr const char* kVersion = "#version 330 core\n";

// 0 when it does not compile; `log` then says why.
GLuint compile(GLenum kind, const std::vector<const char*>& parts, std::string& log) {
  std::vector<const char*> sources{kVersion};
  sources.insert(sources.end(), parts.begin(), parts.end());
  const GLuint shader = glCreateShader(kind);
  glShaderSource(shader, static_cast<GLsizei>(sources.size()), sources.data(), nullptr);
  glCompileShader(shader);
  GLint good = 0;
  glGetShaderiv(shader, GL_COMPILE_STATUS, &good);
  if (good) return shader;
  char text[1024] = "";
  glGetShaderInfoLog(shader, sizeof(text), nullptr, text);
  log = text;
  glDeleteShader(shader);
  return 0;
}

std::string one_line(std::string text) {
  std::replace(text.begin(), text.end(), '\n', ' ');
  return text;
}

}  // namespace

GLuint GlBuffer::id() {
  if (name_.id() == 0) {
    GLuint id = 0;
    glGenBuffers(1, &id);
    name_ = GlName<detail::release_buffer>(id);
  }
  return name_.id();
}

void GlBuffer::fill(GLenum target, const void* data, std::size_t bytes) {
  glBindBuffer(target, id());
  // New storage each time: the driver need not wait for pictures that still use the old one.
  if (bytes > capacity_) capacity_ = bytes + bytes / 4;
  glBufferData(target, static_cast<GLsizeiptr>(capacity_), nullptr, GL_STREAM_DRAW);
  if (bytes > 0) glBufferSubData(target, 0, static_cast<GLsizeiptr>(bytes), data);
}

GlArray make_array() {
  GLuint id = 0;
  glGenVertexArrays(1, &id);
  return GlArray(id);
}

GlTexture make_texture(GLenum format, int width, int height, GLenum filter) {
  GLuint id = 0;
  glGenTextures(1, &id);
  glBindTexture(GL_TEXTURE_2D, id);
  GLenum parts = GL_RGBA, type = GL_UNSIGNED_BYTE;
  if (format == GL_DEPTH_COMPONENT24) parts = GL_DEPTH_COMPONENT, type = GL_FLOAT;
  if (format == GL_DEPTH24_STENCIL8) parts = GL_DEPTH_STENCIL, type = GL_UNSIGNED_INT_24_8;
  glTexImage2D(GL_TEXTURE_2D, 0, static_cast<GLint>(format), width, height, 0, parts, type,
               nullptr);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, static_cast<GLint>(filter));
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, static_cast<GLint>(filter));
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE);
  return GlTexture(id);
}

Result<GlFramebuffer> make_framebuffer(const std::vector<GLuint>& colors, GLuint depth,
                                       bool has_stencil) {
  GLuint id = 0;
  glGenFramebuffers(1, &id);
  GlFramebuffer framebuffer(id);
  glBindFramebuffer(GL_FRAMEBUFFER, id);
  std::vector<GLenum> targets;
  for (const GLuint color : colors) {
    targets.push_back(GL_COLOR_ATTACHMENT0 + static_cast<GLenum>(targets.size()));
    glFramebufferTexture2D(GL_FRAMEBUFFER, targets.back(), GL_TEXTURE_2D, color, 0);
  }
  if (depth != 0)
    glFramebufferTexture2D(GL_FRAMEBUFFER,
                           has_stencil ? GL_DEPTH_STENCIL_ATTACHMENT : GL_DEPTH_ATTACHMENT,
                           GL_TEXTURE_2D, depth, 0);
  glDrawBuffers(static_cast<GLsizei>(targets.size()), targets.data());
  const bool complete = glCheckFramebufferStatus(GL_FRAMEBUFFER) == GL_FRAMEBUFFER_COMPLETE;
  glBindFramebuffer(GL_FRAMEBUFFER, 0);
  if (!complete)
    return Result<GlFramebuffer>::failure("OpenGL refuses a picture of this size or format");
  return framebuffer;
}

Result<GlProgram> GlProgram::build(const char* name, const std::vector<const char*>& vertex,
                                   const std::vector<const char*>& fragment) {
  std::string log;
  const GLuint shaders[2] = {compile(GL_VERTEX_SHADER, vertex, log),
                             compile(GL_FRAGMENT_SHADER, fragment, log)};
  GlProgram program;
  program.name_ = GlName<detail::release_program>(glCreateProgram());
  for (const GLuint shader : shaders)
    if (shader != 0) glAttachShader(program.id(), shader);
  GLint good = 0;
  if (shaders[0] != 0 && shaders[1] != 0) {
    glLinkProgram(program.id());
    glGetProgramiv(program.id(), GL_LINK_STATUS, &good);
    char text[1024] = "";
    glGetProgramInfoLog(program.id(), sizeof(text), nullptr, text);
    if (!good) log = text;
  }
  for (const GLuint shader : shaders)
    if (shader != 0) glDeleteShader(shader);
  if (!good)
    return Result<GlProgram>::failure(std::string("OpenGL does not build the shader \"") + name +
                                      "\": " + one_line(log));
  return program;
}

GLint GlProgram::place(const char* name) const {
  const auto found = places_.find(name);
  if (found != places_.end()) return found->second;
  return places_[name] = glGetUniformLocation(id(), name);
}

void GlProgram::texture(const char* name, int unit, GLuint texture) const {
  glActiveTexture(GL_TEXTURE0 + static_cast<GLenum>(unit));
  glBindTexture(GL_TEXTURE_2D, texture);
  set(name, unit);
}

}  // namespace firn
