// Checkpoints: everything that a run needs to continue, in one HDF5 file.
//   /state/...       one dataset for each array of the state image
//   /reals /integers attributes, one for each number of the image
//   /scene /program  text: the scene with all defaults filled in, and what wrote the file
// The file starts with a user block (which HDF5 programs skip) that holds the size and a checksum
// of the rest: a damaged file is found before the HDF5 library reads it.
#pragma once

#include <filesystem>
#include <string>

#include "base/result.h"
#include "solver/state_image.h"

namespace firn {

struct Checkpoint {
  std::string program;  // such as "firn 0.1.0"
  std::string scene;
  StateImage state;
};

// The arrays are released one by one as they are stored, so that two copies never exist at once.
// A failure leaves whatever stood under this name as it was.
Result<std::filesystem::path> write_checkpoint(const std::filesystem::path& path,
                                               Checkpoint checkpoint);

Result<Checkpoint> read_checkpoint(const std::filesystem::path& path);

// Whether a file starts like a checkpoint.
bool looks_like_checkpoint(const std::filesystem::path& path);

}  // namespace firn
