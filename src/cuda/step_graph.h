// Steps as one graph that repeats itself on the device: a loop around the kernels of a step, and
// within it branches that sort and that look at the volume of fluids. The host starts it once a
// frame. Or one step as a graph, which the host starts each time.
#pragma once

#include "cuda/control.h"
#include "cuda/memory.h"

namespace firn {

class StepGraph {
 public:
  StepGraph() = default;
  StepGraph(const StepGraph&) = delete;
  StepGraph& operator=(const StepGraph&) = delete;
  ~StepGraph() { clear(); }

  // step(conditions), sort(conditions) and volume() put their kernels on the stream.
  template <class Step, class Sort, class Volume>
  void build(cudaStream_t stream, Step&& step, Sort&& sort, Volume&& volume) {
    clear();
    must(cudaGraphCreate(&graph_, 0), "making a graph");
    LoopConditions conditions;
    conditions.used = true;
    must(cudaGraphConditionalHandleCreate(&conditions.again, graph_, 1, cudaGraphCondAssignDefault),
         "making a loop");
    const Branch loop = add_branch(graph_, nullptr, 0, conditions.again, cudaGraphCondTypeWhile);
    for (auto* handle : {&conditions.sort, &conditions.volume})
      must(cudaGraphConditionalHandleCreate(handle, loop.body, 0, cudaGraphCondAssignDefault),
           "making a branch");
    Branch sorts;
    capture(stream, loop.body, [&] {
      step(conditions);
      cudaStreamCaptureStatus status;
      const cudaGraphNode_t* last = nullptr;
      std::size_t count = 0;
      must(cudaStreamGetCaptureInfo(stream, &status, nullptr, nullptr, &last, nullptr, &count),
           "reading a graph");
      sorts = add_branch(loop.body, last, count, conditions.sort, cudaGraphCondTypeIf);
    });
    const Branch volumes =
        add_branch(loop.body, &sorts.node, 1, conditions.volume, cudaGraphCondTypeIf);
    capture(stream, sorts.body, [&] { sort(conditions); });
    capture(stream, volumes.body, [&] { volume(); });
    must(cudaGraphInstantiate(&ready_, graph_, 0), "making a graph ready");
  }
  // What body() puts on the stream, once.
  template <class Body>
  void build_once(cudaStream_t stream, Body&& body) {
    clear();
    must(cudaGraphCreate(&graph_, 0), "making a graph");
    capture(stream, graph_, body);
    must(cudaGraphInstantiate(&ready_, graph_, 0), "making a graph ready");
  }
  void launch(cudaStream_t stream) { must(cudaGraphLaunch(ready_, stream), "starting steps"); }
  void clear() {
    if (ready_) cudaGraphExecDestroy(ready_);
    if (graph_) cudaGraphDestroy(graph_);
    ready_ = nullptr;
    graph_ = nullptr;
  }
  bool built() const { return ready_ != nullptr; }

 private:
  struct Branch {
    cudaGraphNode_t node = nullptr;
    cudaGraph_t body = nullptr;
  };
  static Branch add_branch(cudaGraph_t graph, const cudaGraphNode_t* after, std::size_t count,
                           cudaGraphConditionalHandle handle, cudaGraphConditionalNodeType type) {
    cudaGraphNodeParams params{};
    params.type = cudaGraphNodeTypeConditional;
    params.conditional.handle = handle;
    params.conditional.type = type;
    params.conditional.size = 1;
    Branch branch;
    must(cudaGraphAddNode(&branch.node, graph, after, nullptr, count, &params),
         "adding a condition");
    branch.body = params.conditional.phGraph_out[0];
    return branch;
  }
  template <class Body>
  static void capture(cudaStream_t stream, cudaGraph_t graph, Body&& body) {
    must(cudaStreamBeginCaptureToGraph(stream, graph, nullptr, nullptr, 0,
                                       cudaStreamCaptureModeThreadLocal),
         "recording a graph");
    cudaGraph_t same = nullptr;
    try {
      body();
    } catch (...) {
      cudaStreamEndCapture(stream, &same);
      throw;
    }
    must(cudaStreamEndCapture(stream, &same), "recording a graph");
  }

  cudaGraph_t graph_ = nullptr;
  cudaGraphExec_t ready_ = nullptr;
};

}  // namespace firn
