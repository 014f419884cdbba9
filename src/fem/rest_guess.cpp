#include "fem/rest_guess.h"

#include "base/svd.h"

namespace firn {
namespace {

template <int D>
Vec<double, D> point(const double* places, std::size_t node) {
  Vec<double, D> p;
  for (int a = 0; a < D; ++a) p[a] = places[node * D + std::size_t(a)];
  return p;
}

template <int D>
double volume_of(const double* places, const std::uint32_t* corners) {
  Mat<double, D> edges;
  const Vec<double, D> first = point<D>(places, corners[0]);
  for (int k = 0; k < D; ++k) {
    const Vec<double, D> edge = point<D>(places, corners[k + 1]) - first;
    for (int a = 0; a < D; ++a) edges(a, k) = edge[a];
  }
  return determinant(edges);
}

// Whether more than a tenth of its cells are inside out, or have lost nearly all of their volume.
template <int D>
bool is_tangled(const FemModel<D>& model, const typename FemModel<D>::Body& body, const double* x) {
  constexpr double kLeastVolume = 1e-3, kMostTangled = 0.1;
  const auto nodes = static_cast<std::size_t>(nodes_of_cell(D, body.as_given.order));
  const std::size_t cells = body.cells.size() / nodes;
  std::size_t tangled = 0;
  for (std::size_t c = 0; c < cells; ++c) {
    const std::uint32_t* corners = body.cells.data() + c * nodes;
    tangled += volume_of<D>(x, corners) < kLeastVolume * volume_of<D>(model.rest.data(), corners);
  }
  return double(tangled) > kMostTangled * double(cells);
}

template <int D>
Vec<double, D> middle_of(const double* places, const FemModel<D>& model, std::size_t begin,
                         std::size_t end) {
  Vec<double, D> sum = Vec<double, D>::zero();
  double mass = 0;
  for (std::size_t i = begin; i < end; ++i) {
    sum += point<D>(places, i) * model.mass[i];
    mass += model.mass[i];
  }
  return sum * (1 / mass);
}

// The rotation that brings shapes nearest to each other, by the moments of one with the other.
template <int D>
Mat<double, D> nearest_rotation(const Mat<double, D>& moments) {
  const Svd<double, D> parts = svd(moments);
  return parts.U * transpose(parts.V);
}

}  // namespace

template <int D>
bool guess_rest_of_tangled(const FemModel<D>& model, const Buffer<double>& predicted,
                           Buffer<double>& x) {
  bool any = false;
  std::size_t begin = 0;
  for (const auto& body : model.bodies) {
    const std::size_t end = begin + body.nodes;
    if (is_tangled(model, body, x.data())) {
      any = true;
      const Vec<double, D> from = middle_of<D>(model.rest.data(), model, begin, end);
      const Vec<double, D> to = middle_of<D>(predicted.data(), model, begin, end);
      Mat<double, D> moments = Mat<double, D>::zero();
      for (std::size_t i = begin; i < end; ++i) {
        const Vec<double, D> arm = point<D>(model.rest.data(), i) - from;
        const Vec<double, D> now = point<D>(predicted.data(), i) - to;
        for (int a = 0; a < D; ++a)
          for (int b = 0; b < D; ++b) moments(a, b) += model.mass[i] * now[a] * arm[b];
      }
      const Mat<double, D> turn = nearest_rotation(moments);
      for (std::size_t i = begin; i < end; ++i) {
        const Vec<double, D> place = to + turn * (point<D>(model.rest.data(), i) - from);
        for (int a = 0; a < D; ++a) x[i * D + std::size_t(a)] = place[a];
      }
    }
    begin = end;
  }
  return any;
}

template bool guess_rest_of_tangled<2>(const FemModel<2>&, const Buffer<double>&, Buffer<double>&);
template bool guess_rest_of_tangled<3>(const FemModel<3>&, const Buffer<double>&, Buffer<double>&);

}  // namespace firn
