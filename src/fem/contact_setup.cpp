#include "fem/contact_setup.h"

#include <cmath>

namespace firn {

std::vector<bool> acts_as_constraint(const FemSettings& settings, const ColliderSet& obstacles) {
  std::vector<bool> list;
  for (const Collider& c : obstacles.all()) {
    const auto owner = static_cast<std::size_t>(c.owner);
    const ObstacleMethod method =
        owner < settings.methods.size() ? settings.methods[owner] : ObstacleMethod::automatic;
    const bool analytic = is_analytic(c.shape) && !c.deforms;
    list.push_back(method == ObstacleMethod::constraint ||
                   (method == ObstacleMethod::automatic && analytic));
  }
  return list;
}

template <int D>
std::vector<double> penalty_stiffness(const FemModel<D>& model) {
  constexpr double kStrain = 0.05, kDepth = 0.01;
  std::vector<double> k;
  for (const double modulus : model.modulus)
    k.push_back(modulus * kStrain / (3 * kDepth * kDepth) * std::pow(model.edge, D - 3));
  return k;
}

// Of all bodies, those of second order as the linear ones that they are made of.
template <int D>
std::vector<SelfCell<D>> linear_cells(const FemModel<D>& model) {
  std::vector<SelfCell<D>> cells;
  for (const auto& body : model.bodies) {
    if (body.as_given.order == 2) {
      const auto parts = linear_parts<D>(body.cells);
      cells.insert(cells.end(), parts.begin(), parts.end());
      continue;
    }
    for (std::size_t k = 0; k < body.cells.size(); k += D + 1) {
      SelfCell<D> cell;
      for (int a = 0; a <= D; ++a) cell[a] = body.cells[k + std::size_t(a)];
      cells.push_back(cell);
    }
  }
  return cells;
}

template <int D>
std::vector<char> surface_nodes(const FemModel<D>& model) {
  std::vector<char> on_surface(model.nodes(), 0);
  for (const auto& face : boundary_of<D>(linear_cells(model)))
    for (const std::uint32_t node : face) on_surface[node] = 1;
  return on_surface;
}

template <int D>
std::unique_ptr<SelfContact<D>> make_self_contact(const FemSettings& settings,
                                                  const FemModel<D>& model) {
  std::vector<SelfCell<D>> cells = linear_cells(model);
  constexpr double kStiffness = 10;  // of the modulus
  std::vector<double> stiffness;
  for (const double modulus : model.modulus)
    stiffness.push_back(settings.self_stiffness > 0 ? settings.self_stiffness
                                                    : kStiffness * modulus);
  auto faces = boundary_of<D>(cells);
  return std::make_unique<SelfContact<D>>(model.nodes(), std::move(cells), std::move(faces),
                                          model.rest.data(), std::move(stiffness));
}

template std::vector<double> penalty_stiffness<2>(const FemModel<2>&);
template std::vector<double> penalty_stiffness<3>(const FemModel<3>&);
template std::vector<char> surface_nodes<2>(const FemModel<2>&);
template std::vector<char> surface_nodes<3>(const FemModel<3>&);
template std::unique_ptr<SelfContact<2>> make_self_contact<2>(const FemSettings&,
                                                              const FemModel<2>&);
template std::unique_ptr<SelfContact<3>> make_self_contact<3>(const FemSettings&,
                                                              const FemModel<3>&);

}  // namespace firn
