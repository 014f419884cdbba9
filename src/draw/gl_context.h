// An OpenGL context without a window or display, through EGL. Whoever has a context of their own
// (a window) does not need it.
#pragma once

#include <memory>
#include <string>

#include "base/result.h"

namespace firn {

class GlContext {
 public:
  // OpenGL 3.3 core or newer, current in this thread. The error is one sentence on what is missing.
  static Result<std::unique_ptr<GlContext>> create();
  ~GlContext();
  GlContext(const GlContext&) = delete;
  GlContext& operator=(const GlContext&) = delete;

  void make_current();
  // "llvmpipe (LLVM 15.0.6, 128 bits), OpenGL 4.5"
  std::string description() const;

 private:
  struct Handles;
  explicit GlContext(std::unique_ptr<Handles> handles);
  std::unique_ptr<Handles> handles_;
};

}  // namespace firn
