#include "draw/renderer.h"

#include <epoxy/gl.h>

namespace firn {

struct Renderer::State {};

Renderer::Renderer(std::unique_ptr<State> state) : state_(std::move(state)) {}
Renderer::~Renderer() = default;

}  // namespace firn
