// Compiles every model, the small matrices, shapes, contact and expressions as device code: the
// physics has one source. Nothing here needs a GPU to build.
#include "collision/collider.h"
#include "expr/program.h"
#include "material/models.h"

namespace firn {

template <class Model, class T, int D>
__global__ void update_particle(typename Model::template Constants<T> constants, T* values) {
  MaterialState<T, D, Model::kScalars> state;
  if constexpr (Model::kHasF)
    for (int i = 0; i < D; ++i)
      for (int j = 0; j < D; ++j) state.F(i, j) = values[i * D + j];
  for (int k = 0; k < Model::kScalars; ++k) state.scalar[k] = values[9 + k];
  const StressUpdate<T, D> update = Model::template update<T, D>(constants, state);
  values[0] =
      update.tau.e[0] + update.wave_modulus + Model::template energy<T, D>(constants, state);
}

template <class T, int D>
__global__ void touch_obstacle(const Collider* colliders, const Program* program, T* values) {
  const int first = 0;
  Vec<T, D> v;
  for (int a = 0; a < D; ++a) v[a] = values[a];
  const double at[3] = {values[0], values[1], values[2]};
  const Vec3d x{{at[0], at[1], at[2]}};
  v = apply_colliders<T, D>(colliders, &first, 1, x, v, T(1e-3));
  values[0] = v[0] + T(evaluate<double>(*program, at));
}

template <class T, int D, class... Models>
void launch(TypeList<Models...>, T* values) {
  (update_particle<Models, T, D>
   <<<1, 1>>>(Models::template constants<T, D>(typename Models::Parameters(), T(1)), values),
   ...);
  touch_obstacle<T, D><<<1, 1>>>(nullptr, nullptr, values);
}

void launch_all(float* f, double* d) {
  launch<float, 2>(ModelList{}, f);
  launch<float, 3>(ModelList{}, f);
  launch<double, 2>(ModelList{}, d);
  launch<double, 3>(ModelList{}, d);
}

}  // namespace firn
