// What kernels see: plain structs of device pointers, and the few numbers that steps pass on.
//
// Particles of a set are sorted by block and, at the time of the last sort, by cell. They lie in
// tiles of 32; a tile holds one row of 32 words, of the scalar's size, for each column, so that all
// columns of a particle are at fixed distances from each other. A sort moves the columns in groups
// of kSpare rows, each into the rows that the group before has left, so that kSpare spare rows
// serve them all: first at the end of a tile (base row 0), after the next sort at its beginning
// (base row kSpare).
#pragma once

#include "collision/plane_mirror.h"
#include "mpm/arena.h"
#include "mpm/grid_update.h"
#include "mpm/state.h"
#include "mpm/viscous_limit.h"
#include "particles/transitions.h"
#include "solver_cuda/stretch_control.h"

namespace firn {

constexpr int kSpare = 3, kTile = 32;

// Columns that every set begins with.
template <int D>
struct CommonColumns {
  static constexpr int kPosition = 0, kVelocity = D, kAffine = 2 * D, kEnd = 2 * D + D * D;
};
// What follows them, by model.
template <class Model, int D>
struct ModelColumns : CommonColumns<D> {
  static constexpr int kGradient = CommonColumns<D>::kEnd;
  static constexpr int kScalar = kGradient + (Model::kHasF ? D * D : 0);
  static constexpr int kSource = kScalar + Model::kScalars;
  static constexpr int kStress = kSource + (Model::kHasF ? 0 : 1);
};

// A node in device memory: momentum, later velocity, and mass.
template <class T>
struct alignas(16) DeviceNode {
  T e[4];
};

// A parameter of a material that is an expression.
struct VariedProgram {
  Program program;
  double low, high;
};
// Words of the parameters of a model, as kernels take them.
constexpr int kMostParameterWords = 24;

template <class T>
struct SetView {
  T* words = nullptr;
  int columns = 0, rows = 0;         // rows of a tile: the columns and kSpare
  std::int32_t* base_row = nullptr;  // the first row of the columns
  std::uint32_t capacity = 0;        // particles that fit
  std::uint32_t* held = nullptr;     // particles
  std::uint32_t* begin[2] = {};      // first particle of each occupied block, and the end
  std::uint8_t* removed = nullptr;   // flags of those that the next sort drops; null without sinks
  // First columns of fields. What is the same for all particles has none (-1).
  int stress = 0, mass = -1, volume = -1, stiffness = -1, id = 0;
  // Of sets that have them, else -1: a source of volume, and where the dilation of loose particles
  // is kept, be it a column of its own or a scalar of the model.
  int source = -1, loose = -1, dilation = -1;
  int stress_components = 1;
  T same_mass = 0, same_volume = 0, same_stiffness = 0;
  T bulk_modulus = 0;         // of fluids, else 0
  bool keeps_volume = false;  // its volume is corrected
  // Column of the volume that stress acts in, which is `volume` unless it is `room`; -1: the same.
  int stressed = -1;
  // Of sets that have them, else -1: what species that share space tell their particles.
  int phi = -1, room = -1, swelling = -1;
  // What its species is to the others there, the share of its volume that are grains, and whether
  // the bulk that it lays follows its strain.
  bool is_porous_fluid = false, is_porous_solid = false, lays_strain = false;
  T grains = 0;
  bool takes_room = false;  // of a fluid that is not of its species: in a list made for that
  // Parameters that particles have values of their own of: their first column, which of them each
  // word of the model's parameters is (-1: none), their programs, and what these know.
  int varied = -1, varied_count = 0;
  std::int8_t varied_word[kMostParameterWords] = {};
  const VariedProgram* programs = nullptr;
  int user = -1, user_count = 0;
  int varied_bulk = -1;  // column of the bulk modulus of fluids
  // Columns of what bounds dt by viscosity (ViscousPlaces).
  int varied_viscosity = -1, varied_ratio = -1;
  int scalar_count = 0;  // scalars of the model's own
};

// Of a species whose volumes follow from its mass (fills_by_mass): the lanes kBulk and kGrains of
// its matter, cells for a kg at a node. Else zero.
template <class T>
struct MatterOfMass {
  T bulk = 0, grains = 0;
};

// How particles and nodes exchange what they carry (StepContext).
template <class T>
struct TransferView {
  bool mls = true, affine = true, split = false;
  T flip_ratio = 0;
  int arena_width = 0;  // nodes along an axis, where blocks scatter into arenas of their own
  bool pushes = false;  // the impulse of the stress is kept apart
  bool rates = false;   // velocity gradients are not the affine matrices
};

// The first value found that a parameter may not have.
struct VariedNote {
  std::int32_t taken, set, parameter;
  unsigned long long id;
  double value;
};

// How many blocks are listed as near obstacles: near half-spaces at rest alone, and all others.
struct BlocksNear {
  std::int32_t any, planes;
};

struct Control : StretchControl {
  std::int32_t damps;         // fluids' sound: explicit steps do (mpm/advance_material.h)
  double drift_factor;        // 2 where obstacles may move particles once more
  std::int32_t volume_due;    // the volume of fluids is looked at after the newest step
  std::int32_t volume_age;    // steps since it was
  std::int32_t varied_age;    // and parameters that are expressions
  std::int32_t vary_due;      // these are looked at in this step
  std::int32_t fraction_age;  // steps until particles are told phi
  std::int32_t fraction_due;  // they are at the beginning of this step
  VariedNote out_of_range, not_finite;
  std::int32_t transition_due;    // conditions of transitions are looked at after this step
  std::int32_t transitions_hold;  // and some hold: the host is to change particles
  std::int32_t full;              // the sort found too little room for blocks
  std::int32_t first_block[3], last_block[3];  // corners of the occupied blocks
  std::int32_t parity;                         // which of the two topologies is in use
  std::int32_t occupied, blocks;               // of the topology in use
  std::int32_t next_occupied, next_blocks;
};

// Obstacles near each block.
struct NearLists {
  std::int32_t* count = nullptr;   // per block
  std::int32_t* list = nullptr;    // per block, as many as there are colliders
  std::int32_t* blocks = nullptr;  // those that have any (mpm_cuda/obstacles.h)
  BlocksNear* listed = nullptr;    // how many of them
};

template <class T, int D>
struct View {
  Control* control = nullptr;
  const SetView<T>* sets = nullptr;
  int set_count = 0;
  // There are other species than that of these sets (species_views.h), and blocks that hold no
  // particles but theirs.
  bool shares_blocks = false;
  int capacity = 0;  // blocks
  int expected = 0;  // of them occupied, about: thread blocks to start for those

  BlockCoord<D>* coord[2] = {};
  std::int32_t* neighbors[2] = {};  // 3^D of each occupied block
  BlockPeriod periods[D] = {};
  double longest_stride = 1;          // cells that a node may cross in a step
  DeviceNode<T>* momentum = nullptr;  // zero between steps
  DeviceNode<T>* velocity = nullptr;
  DeviceNode<T>* folded = nullptr;     // mirrors: masses while they fold (mpm/mirror_map.h)
  T* grip[2] = {};                     // N s, of nodes (collision/grip.h); null where nothing rubs
  T grip_time = 0;                     // s
  DeviceNode<T>* exchanged = nullptr;  // of several species near obstacles: before they meet them
  // Of several species: volumes, pressure (mpm/porous_node.h); or what their mass says of it.
  DeviceNode<T>* matter = nullptr;
  MatterOfMass<T> matter_of_mass;

  TransferView<T> transfer;
  DeviceNode<T>* before = nullptr;  // FLIP: velocity of the nodes before the step
  DeviceNode<T>* push = nullptr;    // and impulses of the stress, zero between steps
  // Transfers whose sums have a fixed order.
  DeviceNode<T>* arenas = nullptr;  // what each occupied block scattered: momentum and mass
  DeviceNode<T>* pushes = nullptr;  // and impulses of the stress
  T* rates = nullptr;               // velocity gradients of the set at hand, column by column

  // Sorting.
  unsigned long long* table_key = nullptr;
  std::int32_t* table_slot = nullptr;
  unsigned table_mask = 0;
  std::uint32_t* cells = nullptr;   // particles of each cell: set x block x cell
  std::uint32_t* totals = nullptr;  // of each block: set x block
  std::int32_t* new_of = nullptr;   // new number of a block that has particles, else -1
  std::int32_t* old_of = nullptr;
  std::uint32_t* order = nullptr;
  std::uint32_t* order_by_id = nullptr;  // where the order in a cell must not be left to chance

  // Obstacles.
  Collider* colliders = nullptr;
  const PlaneMirror* plane_mirrors = nullptr;  // of each collider, where there are mirrors
  const std::int32_t* timed = nullptr;         // colliders that depend on the time
  int timed_count = 0;
  int collider_count = 0;
  bool has_planes = false, has_others = false;  // half-spaces at rest, and all else
  // Smooth walls at rest: the pass of each collider (collision/mirror_passes.h), and their number.
  const std::int32_t* mirror_pass = nullptr;
  int mirror_passes = 0;
  bool has_rough = false;      // obstacles that rub particles (collision/landing.h)
  bool has_selective = false;  // obstacles that stop one species alone
  // Each of several species then has lists of those that stop it; -1: the lists have all obstacles.
  int species = -1;
  NearLists near_nodes, near_particles;
  // Of the cells around each block near particles' obstacles: from those at rest, and from others
  // where they were; the latter null where none moves.
  std::uint8_t* clearance = nullptr;
  std::uint8_t* moving_clearance = nullptr;
  double* impulses = nullptr;                    // six of each owner
  unsigned long long* exact_impulses = nullptr;  // in their place, kExactDigits for each

  const PorousSettings* porous = nullptr;  // null where there is one species
  const VaryingValue* gravity = nullptr;   // three
  bool gravity_in_space = false;
  const EmitterWait* waits = nullptr;
  bool keeps_volume = false;          // there are sets whose volume is corrected
  bool fluids_beside_solids = false;  // of them fluids, and others than fluids
  int volume_interval = 0;            // steps between two looks at it
  bool varies = false;                // some parameters are expressions
  ViscousSet* viscous = nullptr;      // of each set, where such parameters bound dt by viscosity
  bool lays_matter = false;           // species need each other's volumes in every step
  bool tells_phi = false;             // particles know phi
  const Transition* transitions = nullptr;
  int transition_count = 0;

  double spacing = 0, shift = 0;  // m; cells
  T h = 0, inverse_h = 0;
  T per_cell = 0;      // 1 / h^D
  T strain_scale = 1;  // from affine matrices to velocity gradients
};

}  // namespace firn
