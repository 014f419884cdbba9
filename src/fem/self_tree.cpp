#include "fem/self_tree.h"

namespace firn {

template <int D>
SelfTree<D>::SelfTree(std::vector<std::uint32_t> items,
                      const std::vector<Vec<double, D>>& center_of_item, std::size_t items_per_leaf)
    : items_(std::move(items)) {
  while (leaves_ * items_per_leaf < items_.size()) leaves_ *= 2;
  boxes_.resize(2 * leaves_);
  halve(0, leaves_, center_of_item);
}

template <int D>
void SelfTree<D>::halve(std::size_t first, std::size_t last,
                        const std::vector<Vec<double, D>>& center) {
  if (last - first < 2) return;
  SelfBox<D> box;
  for (std::size_t k = start(first); k < start(last); ++k) box.include(center[items_[k]]);
  int axis = 0;
  for (int a = 1; a < D; ++a)
    if (box.high[a] - box.low[a] > box.high[axis] - box.low[axis]) axis = a;
  const std::size_t middle = (first + last) / 2;
  std::nth_element(items_.begin() + static_cast<std::ptrdiff_t>(start(first)),
                   items_.begin() + static_cast<std::ptrdiff_t>(start(middle)),
                   items_.begin() + static_cast<std::ptrdiff_t>(start(last)),
                   [&](std::uint32_t i, std::uint32_t j) {
                     const double a = center[i][axis], b = center[j][axis];
                     return a != b ? a < b : i < j;
                   });
  halve(first, middle, center);
  halve(middle, last, center);
}

template class SelfTree<2>;
template class SelfTree<3>;

}  // namespace firn
