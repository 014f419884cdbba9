#include "run/checkpoint.h"

#include <hdf5.h>

#include <new>
#include <utility>
#include <vector>

#include "mesh_io/atomic_file.h"
#include "run/checkpoint_seal.h"

namespace firn {
namespace fs = std::filesystem;

namespace {

// Closes an HDF5 object at the end of its scope.
class Handle {
 public:
  Handle(hid_t id, herr_t (*close)(hid_t)) : id_(id), close_(close) {}
  Handle(const Handle&) = delete;
  Handle& operator=(const Handle&) = delete;
  ~Handle() {
    if (id_ >= 0) close_(id_);
  }
  operator hid_t() const { return id_; }
  bool ok() const { return id_ >= 0; }

 private:
  hid_t id_;
  herr_t (*close_)(hid_t);
};

// Errors are returned as lines; HDF5 shall not print its own.
void silence_hdf5() {
  H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
}

hid_t type_of(float) {
  return H5T_NATIVE_FLOAT;
}
hid_t type_of(double) {
  return H5T_NATIVE_DOUBLE;
}
hid_t type_of(std::uint32_t) {
  return H5T_NATIVE_UINT32;
}
hid_t type_of(std::uint64_t) {
  return H5T_NATIVE_UINT64;
}
hid_t type_of(std::int64_t) {
  return H5T_NATIVE_INT64;
}
hid_t type_of(char) {
  return H5T_NATIVE_CHAR;
}

constexpr const char* kStateGroup = "state";
constexpr const char* kRealsGroup = "reals";
constexpr const char* kIntegersGroup = "integers";

// ---- writing

template <class Values>
bool write_dataset(hid_t place, const std::string& name, const Values& values) {
  const hid_t type = type_of(typename Values::value_type{});
  const hsize_t size = values.size();
  const Handle space(H5Screate_simple(1, &size, nullptr), H5Sclose);
  const Handle links(H5Pcreate(H5P_LINK_CREATE), H5Pclose);
  // Without the time at which they were written: the same state is the same bytes.
  const Handle creation(H5Pcreate(H5P_DATASET_CREATE), H5Pclose);
  if (!space.ok() || H5Pset_create_intermediate_group(links, 1) < 0 ||
      H5Pset_obj_track_times(creation, false) < 0)
    return false;
  const Handle dataset(H5Dcreate2(place, name.c_str(), type, space, links, creation, H5P_DEFAULT),
                       H5Dclose);
  return dataset.ok() && H5Dwrite(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()) >= 0;
}

template <class Number>
bool write_numbers(hid_t file, const char* group_name,
                   const std::map<std::string, Number>& numbers) {
  const Handle group(H5Gcreate2(file, group_name, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT), H5Gclose);
  const Handle space(H5Screate(H5S_SCALAR), H5Sclose);
  if (!group.ok() || !space.ok()) return false;
  const hid_t type = type_of(Number{});
  for (const auto& [name, number] : numbers) {
    const Handle attribute(H5Acreate2(group, name.c_str(), type, space, H5P_DEFAULT, H5P_DEFAULT),
                           H5Aclose);
    if (!attribute.ok() || H5Awrite(attribute, type, &number) < 0) return false;
  }
  return true;
}

bool fill(hid_t file, Checkpoint& checkpoint) {
  if (!write_dataset(file, "program", checkpoint.program) ||
      !write_dataset(file, "scene", checkpoint.scene) ||
      !write_numbers(file, kRealsGroup, checkpoint.state.reals) ||
      !write_numbers(file, kIntegersGroup, checkpoint.state.integers))
    return false;
  const Handle group(H5Gcreate2(file, kStateGroup, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT),
                     H5Gclose);
  if (!group.ok()) return false;
  for (auto& [name, array] : checkpoint.state.arrays) {
    const bool written = std::visit(
        [&, &name = name](const auto& values) { return write_dataset(group, name, values); },
        array);
    if (!written) return false;
    array = std::vector<float>();
  }
  return true;
}

// The HDF5 library crashes when the disk is full, so it writes into memory and we into the file.
Result<fs::path> store(const fs::path& path, hid_t file, hid_t access) {
  hsize_t size = 0;
  void* handle = nullptr;
  if (H5Fflush(file, H5F_SCOPE_GLOBAL) < 0 || H5Fget_filesize(file, &size) < 0 ||
      H5Fget_vfd_handle(file, access, &handle) < 0 || size < kSealBytes)
    return Result<fs::path>::failure(path.string() +
                                     ": the HDF5 library could not finish the file");
  const char* content = *static_cast<const char**>(handle) + kSealBytes;
  const std::size_t content_size = static_cast<std::size_t>(size) - kSealBytes;
  Result<AtomicFile> out = AtomicFile::create(path);
  if (!out) return out.errors();
  out->write(make_seal(content, content_size));
  out->write(content, content_size);
  return out->commit();
}

// ---- reading

using Names = std::vector<std::string>;

herr_t collect_link(hid_t, const char* name, const H5L_info_t*, void* names) {
  static_cast<Names*>(names)->push_back(name);
  return 0;
}
herr_t collect_attribute(hid_t, const char* name, const H5A_info_t*, void* names) {
  static_cast<Names*>(names)->push_back(name);
  return 0;
}

// The number of values of a one-dimensional dataset that takes `value_bytes` for each of them in
// the file, or -1. What the file stores cannot be larger than the file.
std::int64_t dataset_length(hid_t dataset, std::size_t value_bytes, std::uint64_t file_size) {
  const Handle space(H5Dget_space(dataset), H5Sclose);
  hsize_t size = 0;
  if (!space.ok() || H5Sget_simple_extent_ndims(space) != 1 ||
      H5Sget_simple_extent_dims(space, &size, nullptr) != 1 || size > file_size / value_bytes)
    return -1;
  return static_cast<std::int64_t>(size);
}

template <class Values>
bool read_values(hid_t dataset, std::uint64_t file_size, Values& values) {
  using Value = typename Values::value_type;
  const Handle stored(H5Dget_type(dataset), H5Tclose);
  if (!stored.ok() || H5Tequal(stored, type_of(Value{})) <= 0) return false;
  const std::int64_t size = dataset_length(dataset, sizeof(Value), file_size);
  if (size < 0) return false;
  values.resize(static_cast<std::size_t>(size));
  return H5Dread(dataset, type_of(Value{}), H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()) >= 0;
}

template <class Value>
bool read_array_as(hid_t dataset, std::uint64_t file_size, StateImage::Array& array) {
  std::vector<Value> values;
  if (!read_values(dataset, file_size, values)) return false;
  array = std::move(values);
  return true;
}

bool read_text(hid_t file, const char* name, std::uint64_t file_size, std::string& text) {
  const Handle dataset(H5Dopen2(file, name, H5P_DEFAULT), H5Dclose);
  return dataset.ok() && read_values(dataset, file_size, text);
}

template <class Number>
bool read_numbers(hid_t file, const char* group_name, std::map<std::string, Number>& numbers) {
  const Handle group(H5Gopen2(file, group_name, H5P_DEFAULT), H5Gclose);
  Names names;
  if (!group.ok() ||
      H5Aiterate2(group, H5_INDEX_NAME, H5_ITER_NATIVE, nullptr, collect_attribute, &names) < 0)
    return false;
  const hid_t type = type_of(Number{});
  for (const std::string& name : names) {
    const Handle attribute(H5Aopen(group, name.c_str(), H5P_DEFAULT), H5Aclose);
    if (!attribute.ok()) return false;
    const Handle stored(H5Aget_type(attribute), H5Tclose);
    const Handle space(H5Aget_space(attribute), H5Sclose);
    if (!stored.ok() || H5Tequal(stored, type) <= 0 || !space.ok() ||
        H5Sget_simple_extent_npoints(space) != 1 || H5Aread(attribute, type, &numbers[name]) < 0)
      return false;
  }
  return true;
}

bool read_arrays(hid_t file, std::uint64_t file_size, StateImage& state) {
  Names names;
  if (H5Lvisit_by_name(file, kStateGroup, H5_INDEX_NAME, H5_ITER_NATIVE, collect_link, &names,
                       H5P_DEFAULT) < 0)
    return false;
  const Handle group(H5Gopen2(file, kStateGroup, H5P_DEFAULT), H5Gclose);
  if (!group.ok()) return false;
  for (const std::string& name : names) {
    const Handle object(H5Oopen(group, name.c_str(), H5P_DEFAULT), H5Oclose);
    if (!object.ok()) return false;
    if (H5Iget_type(object) != H5I_DATASET) continue;
    StateImage::Array& array = state.arrays[name];
    if (!read_array_as<float>(object, file_size, array) &&
        !read_array_as<double>(object, file_size, array) &&
        !read_array_as<std::uint32_t>(object, file_size, array) &&
        !read_array_as<std::uint64_t>(object, file_size, array))
      return false;
  }
  return true;
}

}  // namespace

Result<fs::path> write_checkpoint(const fs::path& path, Checkpoint checkpoint) {
  silence_hdf5();
  const Handle creation(H5Pcreate(H5P_FILE_CREATE), H5Pclose);
  const Handle access(H5Pcreate(H5P_FILE_ACCESS), H5Pclose);
  constexpr std::size_t kGrowth = 64 << 10;  // bytes
  if (!creation.ok() || !access.ok() || H5Pset_userblock(creation, kSealBytes) < 0 ||
      H5Pset_fapl_core(access, kGrowth, 0) < 0)
    return Result<fs::path>::failure(path.string() + ": the HDF5 library could not be set up");
  const Handle file(H5Fcreate("checkpoint in memory", H5F_ACC_TRUNC, creation, access), H5Fclose);
  if (!file.ok() || !fill(file, checkpoint))
    return Result<fs::path>::failure(path.string() +
                                     ": not enough memory to put the checkpoint together");
  return store(path, file, access);
}

Result<Checkpoint> read_checkpoint(const fs::path& path) {
  const Result<std::uint64_t> size = verify_seal(path);
  if (!size) return size.errors();
  silence_hdf5();
  const auto failure = [&](const char* what) {
    return Result<Checkpoint>::failure(path.string() + ": " + what);
  };
  const Handle file(H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT), H5Fclose);
  Checkpoint checkpoint;
  try {
    if (!file.ok() || !read_text(file, "program", *size, checkpoint.program) ||
        !read_text(file, "scene", *size, checkpoint.scene) ||
        !read_numbers(file, kRealsGroup, checkpoint.state.reals) ||
        !read_numbers(file, kIntegersGroup, checkpoint.state.integers) ||
        !read_arrays(file, *size, checkpoint.state))
      return failure("the checkpoint is damaged, or was written by a program that is not Firn");
  } catch (const std::bad_alloc&) {
    return failure("not enough memory to read the checkpoint");
  }
  return checkpoint;
}

bool looks_like_checkpoint(const fs::path& path) {
  return has_seal(path);
}

}  // namespace firn
