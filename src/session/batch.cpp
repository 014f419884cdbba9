#include "session/batch.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <memory>
#include <new>

#include "mesh_io/atomic_file.h"
#include "scene_io/scene_document.h"
#include "scene_io/scene_reader.h"
#include "session/simulation_lock.h"
#include "sim/world.h"

namespace firn {
namespace {

std::string as_json(const std::vector<BatchResult>& results) {
  Json list = Json::array();
  for (const BatchResult& r : results) {
    Json entry{{"scene", r.scene}};
    if (!r.error.empty()) {
      entry["error"] = r.error;
    } else {
      entry["particles"] = r.particles;
      entry["steps"] = r.steps;
      entry["seconds"] = r.seconds;
      entry["particle_steps_per_second"] = r.particle_steps_per_second();
      Json phases = Json::object();
      for (const auto& [name, seconds] : r.phases) phases[name] = seconds;
      entry["phases"] = phases;
    }
    list.push_back(entry);
  }
  return list.dump(2) + "\n";
}

std::string csv_text(const std::string& text) {
  std::string out = "\"";
  for (const char c : text) out += c == '"' ? std::string("\"\"") : std::string(1, c);
  return out + "\"";
}

std::string as_csv(const std::vector<BatchResult>& results) {
  std::vector<std::string> names;
  for (const BatchResult& r : results)
    for (const auto& [name, seconds] : r.phases)
      if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
  std::string text = "scene,particles,steps,seconds,particle_steps_per_second";
  for (const std::string& name : names) text += "," + csv_text(name);
  text += ",error\n";
  for (const BatchResult& r : results) {
    text += fmt::format("{},{},{},{},{}", csv_text(r.scene), r.particles, r.steps, r.seconds,
                        r.particle_steps_per_second());
    for (const std::string& name : names) {
      double total = 0;
      for (const auto& [phase, seconds] : r.phases)
        if (phase == name) total = seconds;
      text += fmt::format(",{}", total);
    }
    text += "," + csv_text(r.error) + "\n";
  }
  return text;
}

}  // namespace

double BatchResult::particle_steps_per_second() const {
  return seconds > 0 ? static_cast<double>(particles) * static_cast<double>(steps) / seconds : 0;
}

Batch::Batch(std::vector<std::string> scenes, std::int64_t steps, std::filesystem::path output)
    : scenes_(std::move(scenes)), steps_(steps), output_(std::move(output)) {
  thread_ = std::thread([this] { work(); });
}

Batch::~Batch() {
  cancelled_ = true;
  thread_.join();
}

std::vector<BatchResult> Batch::results() const {
  const std::lock_guard lock(mutex_);
  return results_;
}

std::string Batch::words() const {
  const std::lock_guard lock(mutex_);
  return words_;
}

void Batch::say(std::string words) {
  const std::lock_guard lock(mutex_);
  words_ = std::move(words);
}

BatchResult Batch::measure(const std::string& path) {
  BatchResult result;
  result.scene = path;
  std::unique_ptr<World> world;
  try {
    const std::lock_guard lock(simulation_lock());
    const Result<SceneSettings> scene = read_scene(path);
    if (!scene) {
      result.error = scene.errors().front();
      return result;
    }
    Result<std::unique_ptr<World>> made = World::create(*scene, usual_precision(*scene));
    if (!made) {
      result.error = made.errors().front();
      return result;
    }
    world = std::move(*made);
  } catch (const std::bad_alloc&) {
    result.error = path + ": not enough memory";
    return result;
  }
  while (result.steps < steps_ && !cancelled_) {
    const std::lock_guard lock(simulation_lock());
    const auto start = std::chrono::steady_clock::now();
    const Result<double> dt = world->advance_step();
    result.seconds +=
        std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    if (!dt) {
      result.error = dt.errors().front();
      break;
    }
    ++result.steps;
  }
  result.particles = world->size().particles;
  result.phases = world->phases();
  return result;
}

void Batch::work() {
  for (std::size_t i = 0; i < scenes_.size() && !cancelled_; ++i) {
    say(fmt::format("{} of {}: {}", i + 1, scenes_.size(), scenes_[i]));
    BatchResult result = measure(scenes_[i]);
    const std::lock_guard lock(mutex_);
    results_.push_back(std::move(result));
  }
  std::string words = cancelled_ ? "stopped" : "done";
  if (!output_.empty() && !cancelled_) {
    const auto written = write_batch(output_, results());
    words = written ? "written to " + written->string() : written.errors().front();
  }
  say(words);
  done_ = true;
}

Result<std::filesystem::path> write_batch(const std::filesystem::path& path,
                                          const std::vector<BatchResult>& results) {
  return write_whole_file(path, path.extension() == ".csv" ? as_csv(results) : as_json(results));
}

}  // namespace firn
