// The particles of one set in device memory, and their way there and back.
#pragma once

#include <algorithm>
#include <cstring>
#include <map>
#include <string>

#include "cuda/memory.h"
#include "mpm/porous_particle.h"
#include "mpm/step_limits.h"
#include "mpm_cuda/device_tools.h"
#include "mpm_cuda/view.h"

namespace firn {

// Between a plain array and one row of every tile.
template <class T>
__global__ void spread_kernel(SetView<T> set, std::uint32_t count, int column, const T* values) {
  const std::uint32_t p = blockIdx.x * blockDim.x + threadIdx.x;
  if (p < count) ParticleWords<T>(set, 0, p)[column] = values[p];
}
template <class T>
__global__ void collect_kernel(SetView<T> set, std::uint32_t count, int base_row, int column,
                               T* values) {
  const std::uint32_t p = blockIdx.x * blockDim.x + threadIdx.x;
  if (p < count) values[p] = ParticleWords<T>(set, base_row, p)[column];
}

// Device memory that sets share: one entry of each for every set.
struct SetCounters {
  std::int32_t* base_row;
  std::uint32_t* held;
};

// Whether particles of a set may come and go.
struct SetTraffic {
  bool grows = false, shrinks = false;
};

template <class T, int D>
class ParticleStore {
 public:
  explicit ParticleStore(cudaStream_t stream) : stream_(stream) {}

  // The counters are for the caller to fill. Room for `blocks` blocks.
  void upload(const MaterialSet<T, D>& set, const SetCounters& counters, SetTraffic traffic,
              int blocks) {
    const ParticleSet<T, D>& particles = set.particles;
    traffic_ = traffic;
    view_ = SetView<T>{};
    count_ = static_cast<std::uint32_t>(particles.size());
    view_.base_row = counters.base_row;
    view_.held = counters.held;
    if (const auto* fluid = std::get_if<Fluid::Parameters>(&set.parameters)) {
      view_.bulk_modulus = T(fluid->bulk_modulus);
      view_.keeps_volume = fluid->volume_correction;
    } else {
      view_.keeps_volume = particles[column::source].components() > 0;
    }
    lay_out(particles);
    if (particles[column::source].components() > 0) view_.source = first_.at("source");
    if (particles[column::dilation].components() > 0) view_.loose = first_.at("dilation");
    const int own = model_dilation_scalar(static_cast<int>(set.parameters.index()));
    view_.dilation = own >= 0 ? first_.at("scalar") + own : view_.loose;
    view_.stress = first_.at("stress");
    view_.stress_components = particles[column::stress].components();
    view_.mass = first_.at("mass");
    view_.volume = first_.at("volume");
    view_.stiffness = first_.at("stiffness");
    view_.id = first_.at("id");
    view_.phi = column_of(particles, column::phi);
    view_.room = column_of(particles, column::room);
    view_.swelling = column_of(particles, column::swelling);
    view_.stressed = view_.room < 0 ? view_.volume : view_.room;
    take_varied(set);
    view_.rows = view_.columns + kSpare;
    words_.allocate(0);
    reserve(count_);
    DeviceArray<T> staging(particles.size());
    particles.for_each_field([&](const char* name, const auto& columns) {
      if (first_.at(name) < 0) return;
      for (int c = 0; c < columns.components(); ++c)
        upload_column(name, c, columns.column(c), staging);
    });
    wait_for(stream_, "upload");
    reserve_blocks(blocks);
    if (set.begin.size() > 0) begin_[0].upload(set.begin.data(), set.begin.size(), stream_);
  }

  // In the order of the device, where the columns begin at row `base_row`; `begin` are the ranges
  // of its occupied blocks.
  void download(ParticleSet<T, D>& particles, int base_row, int parity,
                std::vector<std::uint32_t>& begin) const {
    particles.resize(count_);
    DeviceArray<T> staging(count_);
    particles.for_each_field([&](const char* name, auto& columns) {
      for (int c = 0; c < columns.components(); ++c)
        download_column(name, c, base_row, columns.column(c), staging);
    });
    begin_[parity].download(begin.data(), begin.size(), stream_);
  }

  // Room for so many particles, and more where they may come; those that are there stay.
  void reserve(std::uint32_t wanted) {
    if (wanted <= view_.capacity && words_.size() > 0) return;
    const std::uint32_t more = traffic_.grows ? wanted / 2 + kLeastMore : 0;
    view_.capacity = (wanted + more + kTile - 1) / kTile * kTile;
    words_.grow(std::size_t(view_.capacity) * view_.rows, stream_);
    view_.words = words_.data();
    if (!traffic_.shrinks) return;
    removed_.allocate(view_.capacity);
    removed_.fill_zero(stream_);
    view_.removed = removed_.data();
  }
  // The columns of all particles, one after the other, as this set keeps them.
  std::vector<T> packed(const ParticleSet<T, D>& particles) const {
    const std::size_t n = particles.size();
    std::vector<T> words(n * view_.columns);
    particles.for_each_field([&](const char* name, const auto& columns) {
      for (int c = 0; c < columns.components(); ++c)
        pack_column(columns.column(c), n, words.data() + n * first_column(name, columns, c));
    });
    return words;
  }
  // What the device says after particles came and went.
  void set_count(std::uint32_t count) { count_ = count; }
  std::uint32_t count() const { return count_; }
  void keep_all() { removed_.fill_zero(stream_); }

  void reserve_blocks(int blocks) {
    for (int parity = 0; parity < 2; ++parity) {
      begin_[parity].grow(std::size_t(blocks) + 1, stream_);
      view_.begin[parity] = begin_[parity].data();
    }
  }

  // What its species is to others in the same place.
  void set_part(const PorousSettings& porous, int species) {
    view_.is_porous_fluid = porous.is_fluid[species];
    view_.is_porous_solid = porous.is_solid[species];
    view_.lays_strain = lays_strain(porous, species) && !fills_by_mass(porous, species);
    view_.grains = T(1 - porous.porosity[species]);
  }

  const SetView<T>& view() const { return view_; }
  std::size_t bytes() const {
    return words_.bytes() + removed_.bytes() + begin_[0].bytes() + begin_[1].bytes();
  }

 private:
  // -1 where the set has none.
  int column_of(const ParticleSet<T, D>& particles, const ColumnName& name) const {
    return particles[name].components() > 0 ? first_.at(name.text()) : -1;
  }
  // What expressions by particle know beside its place.
  void take_variables(const ParticleSet<T, D>& particles) {
    view_.user_count = particles[column::user].components();
    if (view_.user_count > 0) view_.user = first_.at("user");
    view_.scalar_count = particles[column::scalar].components();
  }
  // What parameters that are expressions need.
  void take_varied(const MaterialSet<T, D>& set) {
    std::fill(std::begin(view_.varied_word), std::end(view_.varied_word), std::int8_t(-1));
    take_variables(set.particles);
    if (set.varied.empty()) return;
    view_.varied = first_.at("varied");
    view_.varied_count = static_cast<int>(set.varied.size());
    std::vector<VariedProgram> programs;
    for (int k = 0; k < view_.varied_count; ++k) {
      const VariedParameter& varied = set.varied[k];
      programs.push_back({varied.program, varied.low, varied.high});
      view_.varied_word[word_of(set.parameters, varied.number)] = static_cast<std::int8_t>(k);
      if (varied.name == "bulk_modulus") view_.varied_bulk = view_.varied + k;
    }
    const ViscousPlaces viscous = viscous_places(set);
    if (viscous.viscosity >= 0) view_.varied_viscosity = view_.varied + viscous.viscosity;
    if (viscous.ratio >= 0) view_.varied_ratio = view_.varied + viscous.ratio;
    programs_.assign(programs, stream_);
    view_.programs = programs_.data();
  }
  // Where a number lies in the parameters that kernels take.
  static int word_of(const ModelParameters& parameters, int number) {
    return visit_model(static_cast<int>(parameters.index()), [&](auto tag) {
      typename decltype(tag)::type::template ParametersOf<T> p;
      T* at[kMostNumbers];
      find_numbers(p, at);
      return static_cast<int>(at[number] - reinterpret_cast<T*>(&p));
    });
  }

  template <class E>
  static constexpr int kWords = sizeof(E) > sizeof(T) ? 2 : 1;

  // The order that CommonColumns and ModelColumns state comes first: only fluids always have a
  // source.
  void lay_out(const ParticleSet<T, D>& particles) {
    first_.clear();
    const char* source = particles[column::gradient].components() == 0 ? "source" : "scalar";
    for (const char* wanted :
         {"position", "velocity", "affine", "gradient", "scalar", source, "stress", ""})
      particles.for_each_field([&](const char* name, const auto& columns) {
        if (first_.count(name) == 0 && (!*wanted || wanted == std::string(name)))
          add_field(name, columns, particles.size());
      });
  }
  template <class E>
  void add_field(const std::string& name, const Columns<E>& columns, std::size_t n) {
    const bool may_be_same =
        name == "mass" || name == "volume" || name == "stiffness" || name == "color";
    if (may_be_same && n > 0 && !traffic_.grows) {
      const E* values = columns[0];
      if (std::all_of(values, values + n, [&](E value) { return value == values[0]; })) {
        keep_same(name, values[0]);
        first_[name] = -1;
        return;
      }
    }
    first_[name] = view_.columns;
    view_.columns += columns.components() * kWords<E>;
  }
  // Where a value that is the same for all particles is kept.
  template <class E>
  void keep_same(const std::string& name, E value) {
    if constexpr (std::is_same_v<E, T>)
      (name == "mass"     ? view_.same_mass
       : name == "volume" ? view_.same_volume
                          : view_.same_stiffness) = value;
    else
      same_color_ = static_cast<std::uint32_t>(value);
  }
  template <class E>
  E same_value(const std::string& name) const {
    if constexpr (std::is_same_v<E, T>)
      return name == "mass"     ? view_.same_mass
             : name == "volume" ? view_.same_volume
                                : view_.same_stiffness;
    else
      return static_cast<E>(same_color_);
  }

  int groups() const { return static_cast<int>((count_ + kThreads - 1) / kThreads); }

  template <class E>
  int first_column(const std::string& name, const Columns<E>&, int c) const {
    return first_.at(name) + c * kWords<E>;
  }
  // A column as kWords arrays of words.
  template <class E>
  static void pack_column(const Buffer<E>& column, std::size_t n, T* words) {
    constexpr std::size_t kBytes = std::min(sizeof(E), sizeof(T));
    std::fill(words, words + n * kWords<E>, T(0));
    for (int word = 0; word < kWords<E>; ++word)
      for (std::size_t p = 0; p < n; ++p)
        std::memcpy(words + word * n + p, reinterpret_cast<const char*>(&column[p]) + word * kBytes,
                    kBytes);
  }

  template <class E>
  void upload_column(const std::string& name, int c, const Buffer<E>& column,
                     DeviceArray<T>& staging) {
    if (count_ == 0) return;
    const int first = first_.at(name) + c * kWords<E>;
    std::vector<T> words(std::is_same_v<E, T> ? 0 : column.size() * kWords<E>);
    if constexpr (!std::is_same_v<E, T>) pack_column(column, column.size(), words.data());
    for (int word = 0; word < kWords<E>; ++word) {
      if constexpr (std::is_same_v<E, T>)
        staging.upload(column.data(), column.size(), stream_);
      else
        staging.upload(words.data() + word * column.size(), column.size(), stream_);
      spread_kernel<T>
          <<<groups(), kThreads, 0, stream_>>>(view_, count_, first + word, staging.data());
      must(cudaGetLastError(), "upload");
    }
  }
  template <class E>
  void download_column(const std::string& name, int c, int base_row, Buffer<E>& column,
                       DeviceArray<T>& staging) const {
    if (first_.at(name) < 0) {
      column.fill(same_value<E>(name));
      return;
    }
    const int first = first_.at(name) + c * kWords<E>;
    for (int word = 0; word < kWords<E> && count_ > 0; ++word) {
      collect_kernel<T><<<groups(), kThreads, 0, stream_>>>(view_, count_, base_row, first + word,
                                                            staging.data());
      must(cudaGetLastError(), "download");
      if constexpr (std::is_same_v<E, T>) {
        staging.download(column.data(), column.size(), stream_);
      } else {
        std::vector<T> words(column.size());
        staging.download(words.data(), words.size(), stream_);
        constexpr std::size_t kBytes = std::min(sizeof(E), sizeof(T));
        for (std::size_t p = 0; p < column.size(); ++p)
          std::memcpy(reinterpret_cast<char*>(&column[p]) + word * kBytes, &words[p], kBytes);
      }
    }
  }

  static constexpr int kThreads = 256;
  static constexpr std::uint32_t kLeastMore = 4096;  // particles

  cudaStream_t stream_;
  SetView<T> view_;
  SetTraffic traffic_;
  std::uint32_t count_ = 0;
  std::map<std::string, int> first_;  // column of each field; -1: the same for all particles
  std::uint32_t same_color_ = 0;
  DeviceArray<T> words_;
  DeviceArray<VariedProgram> programs_;
  DeviceArray<std::uint8_t> removed_;
  DeviceArray<std::uint32_t> begin_[2];
};

}  // namespace firn
