#include "frame_maker.h"

#include <algorithm>
#include <cmath>
#include <new>

#include "draw/slice_view.h"
#include "exec/parallel.h"

namespace firn::viewer {
namespace {

// Widens the range so that it holds what most of the points have.
void fit_range(const PointTable& points, ColorChoice& colors) {
  const Result<std::vector<float>> values = color_values(points, colors.by);
  if (!values || values->empty()) return;
  const ValueRange range = robust_value_range(*values);
  const bool fresh = colors.automatic();
  colors.low = fresh ? range.low : std::min(colors.low, range.low);
  colors.high = fresh ? range.high : std::max(colors.high, range.high);
  if (colors.automatic()) colors.high = colors.low + std::max(1e-6, 1e-3 * std::abs(colors.low));
}

void add_slice(const SliceRequest& request, const PointTable& points, MadeFrame& made) {
  const Result<GridSlice> slice = make_grid_slice(points, request.options);
  if (!slice) {
    made.problem = slice.errors().front();
    return;
  }
  const bool automatic = !(request.high > request.low);
  made.slice_low = automatic ? slice->low : request.low;
  made.slice_high = automatic ? slice->high : request.high;
  made.slice_title = slice_title(request.options);
  made.slice = picture_of(*slice, made.slice_low, made.slice_high, request.map);
}

std::unique_ptr<MadeFrame> made_from(const FrameRequest& request) {
  auto made = std::make_unique<MadeFrame>();
  made->points = request.points;
  FrameOptions options = request.options;
  if (request.fit_colors) fit_range(*request.points, options.colors);
  for (ColorPart& part : options.colors.parts) fit_part(*request.points, part);
  Result<FrameData> data = make_frame_data(*request.points, options);
  if (!data && (options.colors.by != "color" || !options.colors.parts.empty())) {
    made->problem = data.errors().front();
    options.colors = ColorChoice{};
    data = make_frame_data(*request.points, options);
  }
  made->colors = options.colors;
  if (data)
    made->data = std::move(*data);
  else
    made->problem = data.errors().front();
  if (!request.slice) return made;
  add_slice(*request.slice, *request.points, *made);
  if (made->slice && request.slice->alone) {
    made->data.points.clear();
    made->data.frames.clear();
    made->data.mesh = {};
    made->data.cells = {};
  }
  return made;
}

}  // namespace

FrameMaker::FrameMaker() : thread_([this] { work(); }) {}

FrameMaker::~FrameMaker() {
  {
    const std::lock_guard lock(mutex_);
    quit_ = true;
  }
  wake_.notify_all();
  thread_.join();
}

void FrameMaker::make(FrameRequest request) {
  {
    const std::lock_guard lock(mutex_);
    request_ = std::move(request);
    busy_ = true;
  }
  wake_.notify_all();
}

bool FrameMaker::busy() const {
  const std::lock_guard lock(mutex_);
  return busy_;
}

std::unique_ptr<MadeFrame> FrameMaker::take() {
  const std::lock_guard lock(mutex_);
  if (made_) busy_ = false;
  return std::move(made_);
}

void FrameMaker::work() {
  const OwnThreadScope own;  // the simulation has the pool
  for (;;) {
    FrameRequest request;
    {
      std::unique_lock lock(mutex_);
      wake_.wait(lock, [this] { return quit_ || request_; });
      if (quit_) return;
      request = std::move(*request_);
      request_.reset();
    }
    std::unique_ptr<MadeFrame> made;
    try {
      made = made_from(request);
    } catch (const std::bad_alloc&) {
      made = std::make_unique<MadeFrame>();
      made->problem = "not enough memory to draw the particles this way";
    }
    const std::lock_guard lock(mutex_);
    made_ = std::move(made);
  }
}

}  // namespace firn::viewer
