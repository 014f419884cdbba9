// Turns particles into what the renderer uploads, in a thread of its own: surfaces and normals take
// longer than a picture may.
#pragma once

#include <condition_variable>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>

#include "draw/frame_data.h"
#include "draw/grid_slice.h"
#include "particles/frame.h"

namespace firn::viewer {

struct SliceRequest {
  GridSliceOptions options;
  double low = 0, high = 0;  // equal: from the slice
  ColorMap map = ColorMap::viridis;
  bool alone = false;  // without the particles
};

struct FrameRequest {
  std::shared_ptr<const Frame> points;
  FrameOptions options;
  bool fit_colors = false;  // the range of the colours grows with what is seen
  std::optional<SliceRequest> slice;
};

struct MadeFrame {
  std::shared_ptr<const Frame> points;  // of what
  FrameData data;
  ColorChoice colors;  // as used
  std::optional<SlicePicture> slice;
  double slice_low = 0, slice_high = 0;
  std::string slice_title;
  std::string problem;  // "": none; else what could not be shown
};

class FrameMaker {
 public:
  FrameMaker();
  ~FrameMaker();
  // One at a time: only while not busy.
  void make(FrameRequest request);
  bool busy() const;
  // What was made, once.
  std::unique_ptr<MadeFrame> take();

 private:
  void work();

  mutable std::mutex mutex_;
  std::condition_variable wake_;
  std::optional<FrameRequest> request_;
  std::unique_ptr<MadeFrame> made_;
  bool busy_ = false, quit_ = false;
  std::thread thread_;
};

}  // namespace firn::viewer
