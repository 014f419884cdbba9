// Kernels as one graph that repeats itself on the device: a loop around a body, and at its end
// branches that kernels of the body choose. The host starts it once for many rounds. Or a body
// alone as a graph, which the host starts each time.
#pragma once

#include "cuda/memory.h"

namespace firn {

// Conditions of a loop graph; none where the host asks after every round.
template <int Branches>
struct LoopConditions {
  cudaGraphConditionalHandle again = 0, branch[Branches] = {};
  bool used = false;

  // Called by kernels: whether another round begins, or a branch is taken in this one.
  __device__ void repeat(bool value) const { set(again, value); }
  __device__ void take(int which, bool value) const { set(branch[which], value); }

 private:
  __device__ void set(cudaGraphConditionalHandle handle, bool value) const {
    if (used) cudaGraphSetConditional(handle, value ? 1 : 0);
  }
};

template <int Branches>
class LoopGraph {
 public:
  using Conditions = LoopConditions<Branches>;

  LoopGraph() = default;
  LoopGraph(const LoopGraph&) = delete;
  LoopGraph& operator=(const LoopGraph&) = delete;
  ~LoopGraph() { clear(); }

  // body(conditions) and branch(which, conditions) put their kernels on the stream. Branches follow
  // each other; the first `branches` of them are there.
  template <class Body, class Branch>
  void build(cudaStream_t stream, int branches, Body&& body, Branch&& branch) {
    clear();
    must(cudaGraphCreate(&graph_, 0), "making a graph");
    Conditions conditions;
    conditions.used = true;
    must(cudaGraphConditionalHandleCreate(&conditions.again, graph_, 1, cudaGraphCondAssignDefault),
         "making a loop");
    const Node loop = add_node(graph_, nullptr, 0, conditions.again, cudaGraphCondTypeWhile);
    for (int b = 0; b < branches; ++b)
      must(cudaGraphConditionalHandleCreate(&conditions.branch[b], loop.body, 0,
                                            cudaGraphCondAssignDefault),
           "making a branch");
    Node nodes[Branches];
    capture(stream, loop.body, [&] {
      body(conditions);
      cudaStreamCaptureStatus status;
      const cudaGraphNode_t* last = nullptr;
      std::size_t count = 0;
      must(cudaStreamGetCaptureInfo(stream, &status, nullptr, nullptr, &last, nullptr, &count),
           "reading a graph");
      nodes[0] = add_node(loop.body, last, count, conditions.branch[0], cudaGraphCondTypeIf);
    });
    for (int b = 1; b < branches; ++b)
      nodes[b] =
          add_node(loop.body, &nodes[b - 1].node, 1, conditions.branch[b], cudaGraphCondTypeIf);
    for (int b = 0; b < branches; ++b)
      capture(stream, nodes[b].body, [&] { branch(b, conditions); });
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
  void launch(cudaStream_t stream) { must(cudaGraphLaunch(ready_, stream), "starting a graph"); }
  void clear() {
    if (ready_) cudaGraphExecDestroy(ready_);
    if (graph_) cudaGraphDestroy(graph_);
    ready_ = nullptr;
    graph_ = nullptr;
  }
  bool built() const { return ready_ != nullptr; }

 private:
  struct Node {
    cudaGraphNode_t node = nullptr;
    cudaGraph_t body = nullptr;
  };
  static Node add_node(cudaGraph_t graph, const cudaGraphNode_t* after, std::size_t count,
                       cudaGraphConditionalHandle handle, cudaGraphConditionalNodeType type) {
    cudaGraphNodeParams params{};
    params.type = cudaGraphNodeTypeConditional;
    params.conditional.handle = handle;
    params.conditional.type = type;
    params.conditional.size = 1;
    Node added;
    must(cudaGraphAddNode(&added.node, graph, after, nullptr, count, &params),
         "adding a condition");
    added.body = params.conditional.phGraph_out[0];
    return added;
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
