#include "draw/gl_context.h"

#include <dlfcn.h>
#include <epoxy/egl.h>
#include <epoxy/gl.h>

#include <cstdlib>
#include <cstring>
#include <utility>
#include <vector>

namespace firn {

namespace {

constexpr int kLeastGlVersion = 33;

// epoxy ends the program when it finds no library, so look first.
bool library_exists(const char* name) {
  void* handle = dlopen(name, RTLD_LAZY | RTLD_GLOBAL);
  return handle != nullptr;
}

bool has_word(const char* list, const char* word) {
  if (!list) return false;
  const std::size_t length = std::strlen(word);
  for (const char* at = std::strstr(list, word); at; at = std::strstr(at + 1, word))
    if ((at == list || at[-1] == ' ') && (at[length] == ' ' || at[length] == '\0')) return true;
  return false;
}

// Displays without a screen to try, in order: GPUs, Mesa without any device, what remains.
std::vector<EGLDisplay> candidate_displays() {
  const char* extensions = eglQueryString(EGL_NO_DISPLAY, EGL_EXTENSIONS);
  const auto display_of = reinterpret_cast<PFNEGLGETPLATFORMDISPLAYEXTPROC>(
      eglGetProcAddress("eglGetPlatformDisplayEXT"));
  const auto query_devices =
      reinterpret_cast<PFNEGLQUERYDEVICESEXTPROC>(eglGetProcAddress("eglQueryDevicesEXT"));
  const auto query_string = reinterpret_cast<PFNEGLQUERYDEVICESTRINGEXTPROC>(
      eglGetProcAddress("eglQueryDeviceStringEXT"));
  const bool platforms = display_of && has_word(extensions, "EGL_EXT_platform_base");
  std::vector<EGLDisplay> hardware, others;
  if (platforms && has_word(extensions, "EGL_MESA_platform_surfaceless"))
    others.push_back(display_of(EGL_PLATFORM_SURFACELESS_MESA, EGL_DEFAULT_DISPLAY, nullptr));
  if (platforms && query_devices && query_string &&
      has_word(extensions, "EGL_EXT_platform_device")) {
    EGLDeviceEXT devices[16];
    EGLint count = 0;
    if (!query_devices(16, devices, &count)) count = 0;
    for (EGLint i = 0; i < count; ++i) {
      const bool software =
          has_word(query_string(devices[i], EGL_EXTENSIONS), "EGL_MESA_device_software");
      (software ? others : hardware)
          .push_back(display_of(EGL_PLATFORM_DEVICE_EXT, devices[i], nullptr));
    }
  }
  others.push_back(eglGetDisplay(EGL_DEFAULT_DISPLAY));
  hardware.insert(hardware.end(), others.begin(), others.end());
  return hardware;
}

}  // namespace

struct GlContext::Handles {
  EGLDisplay display = EGL_NO_DISPLAY;
  EGLContext context = EGL_NO_CONTEXT;

  ~Handles() {
    if (display == EGL_NO_DISPLAY) return;
    eglMakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
    if (context != EGL_NO_CONTEXT) eglDestroyContext(display, context);
  }

  // Empty, or what is missing.
  std::string open(EGLDisplay candidate) {
    EGLint major = 0, minor = 0;
    if (candidate == EGL_NO_DISPLAY || !eglInitialize(candidate, &major, &minor))
      return "no EGL display can be opened";
    if (!eglBindAPI(EGL_OPENGL_API)) return "EGL offers no desktop OpenGL";
    const EGLint wanted[] = {EGL_SURFACE_TYPE, 0, EGL_RENDERABLE_TYPE, EGL_OPENGL_BIT, EGL_NONE};
    EGLConfig config = nullptr;
    EGLint count = 0;
    if (!eglChooseConfig(candidate, wanted, &config, 1, &count) || count < 1) config = nullptr;
    const EGLint version[] = {EGL_CONTEXT_MAJOR_VERSION,
                              3,
                              EGL_CONTEXT_MINOR_VERSION,
                              3,
                              EGL_CONTEXT_OPENGL_PROFILE_MASK,
                              EGL_CONTEXT_OPENGL_CORE_PROFILE_BIT,
                              EGL_NONE};
    context = eglCreateContext(candidate, config, EGL_NO_CONTEXT, version);
    if (context == EGL_NO_CONTEXT) return "the driver has no OpenGL 3.3";
    display = candidate;
    if (!eglMakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, context))
      return "EGL cannot draw without a surface";
    return epoxy_gl_version() >= kLeastGlVersion ? "" : "the driver has no OpenGL 3.3";
  }
};

GlContext::GlContext(std::unique_ptr<Handles> handles) : handles_(std::move(handles)) {}
GlContext::~GlContext() = default;

Result<std::unique_ptr<GlContext>> GlContext::create() {
  using Made = Result<std::unique_ptr<GlContext>>;
  if (const char* off = std::getenv("FIRN_NO_GL"); off && *off && std::strcmp(off, "0") != 0)
    return Made::failure("OpenGL is switched off by FIRN_NO_GL");
  if (!library_exists("libEGL.so.1"))
    return Made::failure("there is no libEGL.so.1 (Debian: apt install libegl1)");
  if (!library_exists("libOpenGL.so.0") && !library_exists("libGL.so.1"))
    return Made::failure("there is no libGL.so.1 (Debian: apt install libgl1)");
  std::string problem = "no EGL display can be opened";
  for (EGLDisplay display : candidate_displays()) {
    auto handles = std::make_unique<Handles>();
    problem = handles->open(display);
    if (problem.empty()) return std::unique_ptr<GlContext>(new GlContext(std::move(handles)));
  }
  return Made::failure("OpenGL cannot be used: " + problem);
}

void GlContext::make_current() {
  eglMakeCurrent(handles_->display, EGL_NO_SURFACE, EGL_NO_SURFACE, handles_->context);
}

std::string GlContext::description() const {
  const int version = epoxy_gl_version();
  return std::string(reinterpret_cast<const char*>(glGetString(GL_RENDERER))) + ", OpenGL " +
         std::to_string(version / 10) + "." + std::to_string(version % 10);
}

}  // namespace firn
