#include "sim/emitter.h"

#include <algorithm>
#include <cmath>

#include "base/random.h"
#include "geometry/sampling.h"
#include "scene/defaults.h"
#include "scene/object_seed.h"
#include "scene/particle_sets.h"
#include "scene/stream.h"

namespace firn {
namespace {

// Where more than this share of a full neighbourhood is taken, there is no room.
constexpr double kFullShare = 0.75;
constexpr double kRoomRadius = 1.5;  // spacings of the emitter

// Three unit vectors at right angles (2D: two), the first as far from all directions in which
// points of a lattice follow each other closely as can be: (1, 1/g) with the golden ratio g and
// (1, 1/p, 1/p^2) with the plastic number p are the hardest to approximate by whole numbers.
void set_askew(int dimension, Vec3d* axes) {
  const auto unit = [](const Vec3d& v) { return v / std::sqrt(dot(v, v)); };
  axes[0] =
      unit(dimension == 2 ? Vec3d{{1, 0.6180339887, 0}} : Vec3d{{1, 0.7548776662, 0.5698402910}});
  axes[1] = unit({{-axes[0][1], axes[0][0], 0}});
  axes[2] = cross(axes[0], axes[1]);
}

double ball_volume(double radius, int dimension) {
  return dimension == 3 ? 4.0 / 3.0 * kPi * radius * radius * radius : kPi * radius * radius;
}

}  // namespace

Emitter::Emitter(const SceneSettings& scene, std::size_t index) {
  const EmitterSettings& e = scene.emitters[index];
  dimension_ = static_cast<int>(scene.dimension);
  mouth_ = placed(e.shape, dimension_);
  set_ = set_of(scene, e.material, e.species);
  until_full_ = e.until_full;
  density_ = e.density;
  start_ = e.start;
  stop_ = e.stop;
  spacing_ = particle_spacing(scene, e.sampling);
  jitter_ = e.sampling.kind == SamplingKind::grid     ? 0
            : e.sampling.kind == SamplingKind::random ? 1
                                                      : 0.5;
  velocity_ = e.velocity;
  const Stream stream(mouth_, velocity_, spacing_);
  along_ = stream.along;
  std::copy(stream.across, stream.across + 2, across_);
  radius_ = stream.radius;
  area_ = stream.area();
  full_speed_ = stream.speed;
  speed_ = e.rate > 0 ? e.rate / (density_ * area_) : full_speed_;
  for (int a = 0; a < 3; ++a) axes_[a] = {{a == 0 ? 1.0 : 0, a == 1 ? 1.0 : 0, a == 2 ? 1.0 : 0}};
  if (jitter_ > 0) set_askew(dimension_, axes_);
  // A mouth that is no whole number of spacings wide lets more or fewer columns of a lattice in
  // than its area holds; each particle is as much larger or smaller.
  const double columns = jitter_ > 0 ? stream.seen_area() : stream.lattice_area();
  volume_ = std::pow(spacing_, dimension_) * (columns > 0 ? clamp(area_ / columns, 0.5, 2.0) : 1);
  const std::uint64_t seed = emitter_seed(scene, index);
  seed_ = random_bits(seed, kSamplingStream, 0);
  look_.color_seed = random_bits(seed, kColorStream, 0);
  set_palette(e.colors, look_);
}

double Emitter::room_radius() const {
  return kRoomRadius * spacing_;
}

bool Emitter::has_room(double taken) const {
  return taken < kFullShare * ball_volume(room_radius(), dimension_);
}

double Emitter::particles_per_second() const {
  return speed_ * area_ / volume_;
}

Result<ObjectParticles> Emitter::filled_mouth(std::uint64_t first_id) const {
  Result<std::vector<Vec3d>> points = sample_shape(mouth_, SamplingKind::grid, spacing_, seed_);
  if (!points) return points.errors();
  return particles(std::move(*points), first_id);
}

// In the frame of the reservoir, from the centre of the mouth, m along the stream and across.
Vec3d Emitter::lattice_point(const std::int64_t* cell) const {
  RandomStream random(
      random_bits(seed_, static_cast<std::uint64_t>(cell[0]), static_cast<std::uint64_t>(cell[1])),
      static_cast<std::uint64_t>(cell[2]));
  Vec3d place{{0, 0, 0}}, p{{0, 0, 0}};
  for (int a = 0; a < dimension_; ++a)
    place[a] =
        (static_cast<double>(cell[a]) + 0.5 + jitter_ * (random.next_double() - 0.5)) * spacing_;
  for (int a = 0; a < dimension_; ++a) p[a] = dot(axes_[a], place);
  return p;
}

// Those outside of the mouth at `from` and inside at `to`. Cells that are far from its surface are
// skipped by their distance from it.
void Emitter::add_entering(double from, double to, double end, std::vector<Vec3d>& found) const {
  const double before = speed_ * (from - start_), after = speed_ * (to - start_);
  // The cells around the mouth, where it is in the frame of the reservoir.
  const double reach = (1.5 * std::sqrt(3.0)) * spacing_ + (after - before);
  const double around = radius_ + 0.5 * (after - before) + spacing_;
  std::int64_t first[3] = {0, 0, 0}, last[3] = {0, 0, 0};
  for (int a = 0; a < dimension_; ++a) {
    const double center = -0.5 * (before + after) * axes_[0][a];
    first[a] = static_cast<std::int64_t>(std::floor((center - around) / spacing_));
    last[a] = static_cast<std::int64_t>(std::ceil((center + around) / spacing_));
  }
  for (std::int64_t k = first[2]; k <= last[2]; ++k)
    for (std::int64_t j = first[1]; j <= last[1]; ++j)
      for (std::int64_t i = first[0]; i <= last[0]; ++i) {
        const std::int64_t cell[3] = {i, j, k};
        const Vec3d p = lattice_point(cell);
        const auto place = [&](double way) {
          return mouth_.center + along_ * (p[0] + way) + across_[0] * p[1] + across_[1] * p[2];
        };
        const double now = signed_distance(mouth_, place(after)).distance;
        if (now < 0 && signed_distance(mouth_, place(before)).distance >= 0) {
          found.push_back(place(speed_ * (to - start_)) + velocity_ * (end - to));
        } else if (std::abs(now) > reach + spacing_) {
          i += static_cast<std::int64_t>((std::abs(now) - reach) / spacing_) - 1;
        }
      }
}

std::vector<Vec3d> Emitter::positions(double from, double to) const {
  std::vector<Vec3d> found;
  from = std::max(from, start_);
  const double end = std::min(to, stop_);
  if (!(from < end)) return found;
  // The mouth is at least half a spacing thick: steps of a quarter do not jump over it.
  const int parts = std::max(1, static_cast<int>(std::ceil((end - from) / interval() - 1e-9)));
  for (int i = 0; i < parts; ++i)
    add_entering(from + (end - from) * i / parts, from + (end - from) * (i + 1) / parts, to, found);
  return found;
}

ObjectParticles Emitter::particles(std::vector<Vec3d> positions, std::uint64_t first_id) const {
  ObjectParticles particles;
  particles.set = set_;
  particles.first_id = first_id;
  particles.volume = volume_;
  particles.density = density_;
  particles.position = std::move(positions);
  particles.linear_velocity = velocity_;
  particles.dilation = std::max(0.0, std::log(full_speed_ / speed_));
  for (std::size_t i = 0; i < particles.size(); ++i)
    particles.colors.push_back(look_.palette_color(first_id + i));
  return particles;
}

Result<std::vector<ObjectParticles>> filled_mouths(const SceneSettings& scene) {
  std::vector<ObjectParticles> mouths;
  std::uint64_t next_id = 0;
  for (std::size_t i = 0; i < scene.emitters.size(); ++i) {
    Result<ObjectParticles> mouth = Emitter(scene, i).filled_mouth(next_id);
    if (!mouth)
      return Result<std::vector<ObjectParticles>>::failure("/emitters/" + std::to_string(i) +
                                                           "/shape: " + mouth.errors().front());
    next_id += mouth->size();
    mouths.push_back(std::move(*mouth));
  }
  return mouths;
}

}  // namespace firn
