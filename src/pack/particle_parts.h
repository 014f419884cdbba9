// The order of the parts of fields and particles in a pack, for writer and reader alike.
#pragma once

#include "geometry/field_parts.h"
#include "scene/initial_particles.h"
#include "scene/mesh_asset.h"

namespace firn {

template <class Bytes, class Scale, class Data>
void take_asset(Bytes& bytes, Scale& scale, Data& data) {
  bytes.value(scale);
  visit_field_parts(
      data, [&](auto& value) { bytes.value(value); }, [&](auto& values) { bytes.list(values); });
}

template <class Bytes>
void take_scalars(Bytes& bytes, std::vector<ParticleField>& scalars) {
  std::uint64_t count = scalars.size();
  bytes.value(count);
  for (std::uint64_t i = 0; i < count && bytes.fine(); ++i) {
    if (Bytes::kReads) scalars.emplace_back();
    bytes.list(scalars[i].name);
    bytes.list(scalars[i].value);
  }
}

template <class Bytes>
void take_particles(Bytes& bytes, ObjectParticles& particles) {
  std::int32_t numbers[3] = {particles.object, particles.set,
                             static_cast<std::int32_t>(particles.volume_kind)};
  bytes.value(numbers);
  particles.object = numbers[0];
  particles.set = numbers[1];
  particles.volume_kind = numbers[2] == 0 ? VolumeKind::constant : VolumeKind::estimated;
  bytes.value(particles.first_id);
  bytes.value(particles.volume);
  bytes.value(particles.density);
  bytes.list(particles.position);
  take_scalars(bytes, particles.scalars);
  bytes.value(particles.linear_velocity);
  bytes.value(particles.spin);
  bytes.value(particles.center);
  bytes.list(particles.velocities);
  bytes.list(particles.velocity_gradients);
  bytes.list(particles.mass_scales);
  bytes.list(particles.stiffness_scales);
  bytes.list(particles.gradients);
  bytes.list(particles.volumes);
  bytes.list(particles.volume_ratios);
  bytes.list(particles.colors);
  for (std::vector<double>& channel : particles.channels) bytes.list(channel);
  bytes.list(particles.palette);
  bytes.list(particles.cumulative);
  bytes.value(particles.color_seed);
}

template <class Bytes, int D>
void take_bodies(Bytes& bytes, ObjectMesh<D>& mesh) {
  std::int32_t order = mesh.order;
  bytes.value(order);
  mesh.order = order;
  std::uint64_t count = mesh.bodies.size();
  bytes.value(count);
  for (std::uint64_t i = 0; i < count && bytes.fine(); ++i) {
    if (Bytes::kReads) mesh.bodies.emplace_back();
    bytes.list(mesh.bodies[i].nodes);
    bytes.list(mesh.bodies[i].cells);
  }
}

// What is wrong with a mesh that was read, whose nodes are so many particles, or "".
template <int D>
std::string bodies_problem(const ObjectMesh<D>& mesh, std::size_t particles);

// What is wrong with particles that were read, or ""; their ids must start at `next_id`.
std::string particle_problem(const SceneSettings& scene, const ObjectParticles& particles,
                             std::uint64_t next_id);

}  // namespace firn
