#include "cases/fem_tools.h"

#include <cmath>

#include "geometry/lattice_mesh.h"
#include "geometry/simplex_nodes.h"

namespace firn {

template <int D>
FemBody<D> fem_body_of(const SimplexMesh<D>& mesh, int order, double density) {
  FemBody<D> body;
  body.name = "block";
  body.order = order;
  body.density = density;
  if (order == 1) {
    body.rest = mesh.points;
    for (const auto& cell : mesh.cells)
      body.cells.insert(body.cells.end(), cell.begin(), cell.end());
    return body;
  }
  const SimplexNodes<D> nodes = quadratic_nodes(mesh);
  body.rest = nodes.points;
  for (const auto& cell : nodes.cells)
    body.cells.insert(body.cells.end(), cell.begin(), cell.end());
  return body;
}

template <int D>
FemBody<D> fem_block(const Vec<double, D>& size, double edge, int order, double density) {
  Shape shape;
  shape.dimension = D;
  shape.size = Vec3d{{0, 0, 0}};
  for (int a = 0; a < D; ++a) shape.size[a] = shape.center[a] = 0.5 * size[a];
  return fem_body_of<D>(*lattice_mesh<D>(shape, edge), order, density);
}

FemSettings fem_settings(double tolerance, TimeScheme scheme) {
  FemSettings settings;
  settings.scheme = scheme;
  settings.tolerance = tolerance;
  settings.max_newton = 100;
  return settings;
}

Collider fem_pin(const Vec3d& low, const Vec3d& high, int owner) {
  Collider pin;
  pin.shape.kind = ShapeKind::box;
  pin.shape.center = (low + high) * 0.5;
  pin.shape.size = (high - low) * 0.5;
  pin.contact = ContactKind::pin;
  pin.owner = owner;
  return pin;
}

Collider fem_floor(double friction, int owner) {
  Collider ground;
  ground.shape.kind = ShapeKind::plane;
  ground.friction = friction;
  ground.owner = owner;
  return ground;
}

std::shared_ptr<const BodyMotion> fem_motion(const KeyPose& from, const KeyPose& to) {
  auto motion = std::make_shared<BodyMotion>();
  motion->keys = {from, to};
  motion->smooth = false;
  return motion;
}

template <int D>
FemRun<D>::FemRun(const FemSettings& settings, std::vector<FemBody<D>> bodies,
                  const ModelParameters& material, ColliderSet obstacles)
    : obstacles_(std::make_shared<ColliderSet>(std::move(obstacles))),
      solver(settings, FemModel<D>(std::move(bodies), {material}), obstacles_,
             std::make_shared<Timers>()) {
  start([this](std::size_t i) { return rest(i); }, [](std::size_t) { return Point::zero(); });
}

template <int D>
void FemRun<D>::start(const std::function<Point(std::size_t)>& place,
                      const std::function<Point(std::size_t)>& velocity) {
  Buffer<double> x(nodes() * D), v(nodes() * D);
  for (std::size_t i = 0; i < nodes(); ++i)
    for (int a = 0; a < D; ++a) {
      x[i * D + std::size_t(a)] = place(i)[a];
      v[i * D + std::size_t(a)] = velocity(i)[a];
    }
  obstacles_->set_step(time, 0);
  solver.start(std::move(x), std::move(v));
}

template <int D>
StepReport FemRun<D>::step(double dt) {
  obstacles_->set_step(time, dt);
  FemStepInput in;
  in.dt = dt;
  in.time = time;
  in.gravity = gravity;
  in.must_accept = true;
  const StepReport report = solver.step(in);
  time += dt;
  by_dt_ = 1 / dt;
  return report;
}

template <int D>
Vec<double, D> FemRun<D>::momentum() const {
  Point sum = Point::zero();
  for (std::size_t i = 0; i < nodes(); ++i) sum += velocity(i) * mass(i);
  return sum;
}

template <int D>
double FemRun<D>::kinetic() const {
  double sum = 0;
  for (std::size_t i = 0; i < nodes(); ++i) sum += 0.5 * mass(i) * dot(velocity(i), velocity(i));
  return sum;
}

template <int D>
Vec<double, D> FemRun<D>::mean_way(const std::function<bool(const Point&)>& which) const {
  Point sum = Point::zero();
  double all = 0;
  for (std::size_t i = 0; i < nodes(); ++i) {
    if (!which(rest(i))) continue;
    sum += (place(i) - rest(i)) * mass(i);
    all += mass(i);
  }
  return sum * (1 / all);
}

template <int D>
std::size_t FemRun<D>::inverted() const {
  std::size_t count = 0;
  for (const auto& body : solver.model().bodies)
    for (const CellValues& cell : body.elastic->values(solver.places().data()))
      count += !(cell.volume_ratio > 0);
  return count;
}

#define FIRN_INSTANTIATE(D)                                                     \
  template FemBody<D> fem_body_of<D>(const SimplexMesh<D>&, int, double);       \
  template FemBody<D> fem_block<D>(const Vec<double, D>&, double, int, double); \
  template class FemRun<D>;
FIRN_INSTANTIATE(2)
FIRN_INSTANTIATE(3)
#undef FIRN_INSTANTIATE

}  // namespace firn
