// The folder of a run: where its files lie, and which frames are there.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace firn {

struct RunFolder {
  std::filesystem::path root;

  std::filesystem::path scene() const { return root / "scene.json"; }
  std::filesystem::path stats() const { return root / "stats.jsonl"; }
  std::filesystem::path probes() const { return root / "probes.csv"; }
  std::filesystem::path checkpoint() const { return root / "checkpoint.h5"; }
  std::filesystem::path log() const { return root / "log.txt"; }
  std::filesystem::path frames() const { return root / "frames"; }
  std::filesystem::path frame(std::int64_t number, const std::string& format = "ply") const;
  std::filesystem::path grains(std::int64_t number, const std::string& format = "ply") const;
  std::filesystem::path bodies(std::int64_t number) const;  // where they are in a frame
  std::filesystem::path collection() const { return root / "run.pvd"; }
  std::filesystem::path grain_collection() const { return root / "grains.pvd"; }
};

// The numbers of the complete frames in a run's folder, ascending.
std::vector<std::int64_t> frame_numbers(const RunFolder& folder, const std::string& format = "ply");

// The numbers of the frames that have fine grains, ascending.
std::vector<std::int64_t> grain_numbers(const RunFolder& folder, const std::string& format = "ply");

// The numbers of the frames that tell where bodies are, ascending.
std::vector<std::int64_t> body_numbers(const RunFolder& folder);

// The names in a folder; none when there is no such folder.
std::vector<std::string> names_in(const std::filesystem::path& folder);

}  // namespace firn
