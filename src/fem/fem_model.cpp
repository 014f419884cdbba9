#include "fem/fem_model.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "fem/cell_shape.h"

namespace firn {
namespace {

// Bits of a place on a lattice, interleaved: what is near in space is near in the order.
template <int D>
std::uint64_t place_key(const Vec<double, D>& x, const Vec<double, D>& low, double step) {
  constexpr int kBits = 63 / D;
  std::uint64_t key = 0;
  for (int a = 0; a < D; ++a) {
    const double cells = std::clamp((x[a] - low[a]) / step, 0.0, std::ldexp(1.0, kBits) - 1);
    const auto number = static_cast<std::uint64_t>(cells);
    for (int bit = 0; bit < kBits; ++bit) key |= (number >> bit & 1) << (bit * D + a);
  }
  return key;
}

template <int D>
std::vector<std::uint32_t> order_in_space(const std::vector<Vec<double, D>>& places) {
  Vec<double, D> low = Vec<double, D>::fill(1e300), high = Vec<double, D>::fill(-1e300);
  for (const auto& x : places)
    for (int a = 0; a < D; ++a) {
      low[a] = std::min(low[a], x[a]);
      high[a] = std::max(high[a], x[a]);
    }
  double extent = 1e-300;
  for (int a = 0; a < D; ++a) extent = std::max(extent, high[a] - low[a]);
  std::vector<std::pair<std::uint64_t, std::uint32_t>> keys;
  for (std::size_t i = 0; i < places.size(); ++i)
    keys.emplace_back(place_key(places[i], low, extent / 65536), static_cast<std::uint32_t>(i));
  std::sort(keys.begin(), keys.end());
  std::vector<std::uint32_t> order;
  for (const auto& [key, i] : keys) order.push_back(i);
  return order;
}

// Cells by their middles, so that packs and chunks of them are near each other.
template <int D>
void sort_cells(FemBody<D>& body) {
  const auto n = static_cast<std::size_t>(nodes_of_cell(D, body.order));
  std::vector<Vec<double, D>> middles(body.cells.size() / n, Vec<double, D>::zero());
  for (std::size_t c = 0; c < middles.size(); ++c)
    for (int k = 0; k <= D; ++k)
      middles[c] += body.rest[body.cells[c * n + static_cast<std::size_t>(k)]] * (1.0 / (D + 1));
  std::vector<std::uint32_t> sorted;
  sorted.reserve(body.cells.size());
  for (const std::uint32_t c : order_in_space(middles))
    sorted.insert(sorted.end(), body.cells.begin() + std::ptrdiff_t(c * n),
                  body.cells.begin() + std::ptrdiff_t((c + 1) * n));
  body.cells = std::move(sorted);
}

double stiffest(const ModelParameters& parameters) {
  return visit_model(parameters, [](const auto& p) -> double {
    if constexpr (requires { p.mu(); }) return std::abs(p.lambda()) + 2 * p.mu();
    return 0;
  });
}

template <int D>
double volume_at_rest(const FemBody<D>& body, const std::uint32_t* corner, double& edge) {
  Mat<double, D> edges;
  for (int k = 0; k < D; ++k) {
    double length2 = 0;
    for (int a = 0; a < D; ++a) {
      edges(a, k) = body.rest[corner[k + 1]][a] - body.rest[corner[0]][a];
      length2 += edges(a, k) * edges(a, k);
    }
    edge += std::sqrt(length2) / D;
  }
  return determinant(edges) / (D == 3 ? 6 : 2);
}

}  // namespace

template <int D>
std::string FemModel<D>::problem(const std::vector<FemBody<D>>& bodies) {
  for (const FemBody<D>& body : bodies) {
    const std::string who = "the mesh of \"" + body.name + "\" ";
    const auto n = static_cast<std::size_t>(nodes_of_cell(D, body.order));
    if (body.cells.empty() || body.cells.size() % n != 0) return who + "has no cells";
    std::vector<bool> used(body.rest.size(), false);
    double edge = 0;
    for (std::size_t k = 0; k < body.cells.size(); ++k) {
      if (body.cells[k] >= body.rest.size()) return who + "names a node that it does not have";
      used[body.cells[k]] = true;
    }
    for (std::size_t k = 0; k < body.cells.size(); k += n)
      if (!(volume_at_rest(body, body.cells.data() + k, edge) > 0))
        return who + "has a cell that is flat or inside out: number " + std::to_string(k / n);
    if (std::find(used.begin(), used.end(), false) != used.end())
      return who + "has a node that is in no cell";
    if (!(body.density > 0)) return who + "has no mass";
  }
  return "";
}

template <int D>
FemModel<D>::FemModel(std::vector<FemBody<D>> given,
                      const std::vector<ModelParameters>& parameters) {
  std::size_t count = 0;
  first_id = given.empty() ? 0 : given[0].first_id;
  std::uint64_t last_id = first_id;
  for (const FemBody<D>& body : given) {
    count += body.rest.size();
    first_id = std::min(first_id, body.first_id);
    last_id = std::max(last_id, body.first_id + body.rest.size());
  }
  node_of_id.assign(last_id - first_id, 0);
  mass.assign(count, 0);
  modulus.assign(count, 0);
  mass_damping.assign(count, 0);
  rest.resize(count * D);
  id.resize(count);
  std::size_t first = 0, cell_count = 0;
  for (FemBody<D>& body : given) {
    sort_cells(body);
    const std::vector<std::uint32_t> order = order_in_space(body.rest);
    std::vector<std::uint32_t> number(order.size());
    for (std::size_t i = 0; i < order.size(); ++i) {
      const auto node = static_cast<std::uint32_t>(first + i);
      number[order[i]] = node;
      id[node] = body.first_id + order[i];
      node_of_id[id[node] - first_id] = node;
      mass_damping[node] = body.mass_damping;
      modulus[node] = stiffest(parameters[static_cast<std::size_t>(body.set)]);
      for (int a = 0; a < D; ++a) rest[node * D + a] = body.rest[order[i]][a];
    }
    Body& made = bodies.emplace_back();
    const auto n = static_cast<std::size_t>(nodes_of_cell(D, body.order));
    for (const std::uint32_t k : body.cells) made.cells.push_back(number[k]);
    for (std::size_t k = 0; k < body.cells.size(); k += n) {
      const double volume = volume_at_rest(body, body.cells.data() + k, edge);
      ++cell_count;
      for (std::size_t a = 0; a < n; ++a) {
        const double share = body.order == 2 ? CellShape<D, 2>::mass_share(int(a))
                                             : CellShape<D, 1>::mass_share(int(a));
        mass[made.cells[k + a]] += share * volume * body.density;
      }
    }
    damped = damped || body.stiffness_damping > 0;
    made.as_given = std::move(body);
    made.nodes = order.size();
    first += order.size();
  }
  if (cell_count > 0) edge /= double(cell_count);
  std::vector<std::vector<std::uint32_t>> cells;
  std::vector<int> sizes;
  for (Body& body : bodies) {
    body.elastic = make_elastic_cells<D>(
        body.as_given, body.cells, parameters[static_cast<std::size_t>(body.as_given.set)], count);
    body.as_given.rest = {};
    body.as_given.cells = {};
    viscous = viscous || body.elastic->is_viscous();
    cells.push_back(body.cells);
    sizes.push_back(nodes_of_cell(D, body.as_given.order));
  }
  pattern = BlockMatrix<D>(count, cells, sizes);
  for (const Body& body : bodies) body.elastic->use(pattern);
  total_mass = std::accumulate(mass.begin(), mass.end(), 0.0);
}

template <int D>
std::size_t FemModel<D>::bytes() const {
  std::size_t total = pattern.bytes() + mass.size() * (3 + D) * sizeof(double) +
                      id.size() * (sizeof(std::uint64_t) + sizeof(std::uint32_t));
  for (const Body& body : bodies)
    total += body.elastic->bytes() + body.cells.size() * sizeof(std::uint32_t);
  return total;
}

template struct FemModel<2>;
template struct FemModel<3>;

}  // namespace firn
