// Many fine grains that show what particles do (GRAIN 5.12). It knows no solver: it takes where
// particles are at two moments, and the obstacles, and moves the grains from one to the other.
#pragma once

#include <functional>
#include <vector>

#include "collision/collider_set.h"
#include "grains/coarse_flow.h"
#include "grains/grain_order.h"
#include "grains/grain_settings.h"
#include "particles/point_table.h"

namespace firn {

// What surrounds grains in a step.
struct GrainSurroundings {
  ColliderSet* obstacles = nullptr;  // are put where they are in each part of the step
  std::function<Vec3d(const Vec3d& place, double time)> gravity;  // m/s^2
};

template <int D>
class GrainCloud {
 public:
  using Periods = typename BlockTopology<D>::Periods;

  // `cell`: of the grid, m; `spacing`: the widest between particles, m.
  GrainCloud(const GrainSettings& settings, double cell, double spacing, const Periods& periods,
             int species);

  // Makes the grains of the first particles and spreads them evenly; false: more than ids can
  // number.
  bool start(const CoarseState<D>& particles, ColliderSet& obstacles);
  // The same without spreading.
  bool add_all(const CoarseState<D>& particles, const std::vector<Collider>& obstacles);
  // Makes the grains of some more.
  bool add(const CoarseState<D>& particles, const std::vector<std::uint32_t>& which,
           const std::vector<Collider>& obstacles);
  // From one moment to another; makes the grains of particles that came in between.
  bool advance(const CoarseState<D>& from, const CoarseState<D>& to,
               const GrainSurroundings& around);
  // Drops the grains in a shape.
  void remove_inside(const std::vector<Shape>& shapes);

  const GrainSettings& settings() const { return settings_; }
  double cell() const { return cell_; }        // m
  double spacing() const { return spacing_; }  // m
  int species() const { return species_; }
  std::size_t size() const { return grains_.size(); }
  std::size_t bytes() const {
    return grains_.bytes() + order_.bytes() + flow_.bytes() + shares_.size() * sizeof(GrainShare);
  }
  std::int64_t updates() const { return updates_; }  // of single grains, since it was made
  std::int64_t moved() const { return moved_; }      // by sorting, the same
  double fastest() const { return fastest_; }        // m/s, in the last step
  // In the order of ids: places and, where they are named, velocity, id, color, material, mass and
  // volume.
  PointTable table(const std::vector<std::string>& fields) const;

  // For checkpoints.
  const GrainColumns<D>& columns() const { return grains_; }
  const GrainOrder<D>& order() const { return order_; }
  struct Clock {
    std::uint64_t next_id = 0;
    double drift = 0, fastest = 0;
  };
  Clock clock() const { return {next_id_, drift_, fastest_}; }
  // By number of the particle, in the order in which their grains were made.
  const std::vector<GrainShare>& shares() const { return shares_; }
  // A device moves grains with these, and hands them back by restore().
  bool can_number(std::size_t particles) const;  // the grains of so many more
  // Those of some particles, behind what the columns hold; each a piece.
  std::vector<GrainPiece<D>> make_grains(const CoarseState<D>& particles,
                                         const std::vector<std::uint32_t>& which,
                                         const std::vector<Collider>& obstacles,
                                         GrainColumns<D>& grains);
  const CoarseFlow<D>& flow() const { return flow_; }
  static constexpr double kLongestWay = 1.0;  // of a particle in a part of a step, spacings
  static constexpr double kMostDrift = 0.5;   // spacings that grains may go before they are sorted
  static constexpr int kMostParts = 16;
  static constexpr int kSettlingRounds = 12;
  static constexpr float kSettlingStrain = 0.15f;
  bool restore(GrainColumns<D> grains, const std::vector<std::uint64_t>& blocks,
               std::vector<std::uint32_t> begins, std::vector<GrainShare> shares,
               const Clock& clock);

 private:
  struct CellWork;  // what the update of a cell needs again and again
  struct PartStep {
    GrainSurroundings around;
    double time, dt;
    float least_strain = 0;       // that the drift to where grains are few goes with
    bool keeps_velocity = false;  // only places change
    double advance = 0;           // of obstacles at most, m
    double known_speed = 0;       // m/s, about what grains may have
  };

  GrainPiece<D> make_grains_of(const CoarseState<D>& particles, std::uint32_t p,
                               const std::vector<Collider>& obstacles, std::vector<int>& near,
                               std::uint32_t begin, std::uint64_t id,
                               GrainColumns<D>& grains) const;
  bool prints() const { return settings_.method == GrainMethod::printed; }
  void settle(const CoarseState<D>& particles, ColliderSet& obstacles);
  std::vector<float> count_grains() const;
  void advance_part(const PartStep& step);
  void update_cell(const PartStep& step, int block, int cell, CellWork& work);
  void update_part(const PartStep& step, std::uint32_t begin, std::uint32_t end, CellWork& work);
  void update_part_as_printed(const PartStep& step, std::uint32_t begin, std::uint32_t end,
                              CellWork& work);
  void meet_obstacles(const PartStep& step, std::uint32_t begin, std::uint32_t end, CellWork& work);
  void sort() {
    order_.sort(order_.pieces(), grains_);
    moved_ += static_cast<std::int64_t>(grains_.size());
  }
  Vec3d wrapped_world(int block, std::uint32_t grain) const;  // inside the periods of the grid
  Vec3d world(const BlockCoord<D>& block, const Vec<float, D>& place) const;

  GrainSettings settings_;
  double cell_, spacing_;  // m
  int species_;
  GrainOrder<D> order_;
  CoarseFlow<D> flow_;
  GrainColumns<D> grains_;
  std::vector<GrainShare> shares_;  // ids divided by the number of grains of a particle say whose
  std::uint64_t next_id_ = 0;
  std::int64_t updates_ = 0, moved_ = 0;
  double drift_ = 0;    // cells, since grains were sorted
  double fastest_ = 0;  // m/s
};

}  // namespace firn
