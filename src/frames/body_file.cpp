#include "frames/body_file.h"

#include <cmath>
#include <nlohmann/json.hpp>

#include "frames/ply.h"
#include "mesh_io/atomic_file.h"

namespace firn {
namespace {

using BodyJson = nlohmann::ordered_json;

BodyJson list_of(const Vec3d& v) {
  return {v[0], v[1], v[2]};
}

// `count` finite numbers; false where there is anything else.
bool take_numbers(const BodyJson& body, const char* key, std::size_t count, double* to) {
  const auto found = body.find(key);
  if (found == body.end() || !found->is_array() || found->size() != count) return false;
  for (std::size_t i = 0; i < count; ++i) {
    if (!(*found)[i].is_number()) return false;
    to[i] = (*found)[i].get<double>();
    if (!std::isfinite(to[i])) return false;
  }
  return true;
}

// False where something is missing or wrong.
bool take_body(const BodyJson& json, BodyPose& body) {
  if (!json.is_object()) return false;
  const auto name = json.find("name"), scale = json.find("scale");
  if (name == json.end() || !name->is_string() || scale == json.end() || !scale->is_number())
    return false;
  body.name = name->get<std::string>();
  body.scale = scale->get<double>();
  double q[4];
  if (!take_numbers(json, "position", 3, body.position.e) ||
      !take_numbers(json, "rotation", 4, q) ||
      !take_numbers(json, "velocity", 3, body.velocity.e) ||
      !take_numbers(json, "spin", 3, body.spin.e))
    return false;
  const double length2 = q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3];
  if (!(length2 > 1e-12 && length2 < 1e12)) return false;
  // Those that we wrote stay as they are, to the last digit.
  body.rotation = {q[0], q[1], q[2], q[3]};
  if (!(std::abs(length2 - 1) < 1e-12)) body.rotation = normalized(body.rotation);
  return body.scale > 0 && std::isfinite(body.scale);
}

}  // namespace

Result<std::filesystem::path> write_bodies(const std::filesystem::path& path, std::int64_t frame,
                                           double time, const std::vector<BodyPose>& bodies) {
  BodyJson list = BodyJson::array();
  for (const BodyPose& body : bodies) {
    const Quaternion& q = body.rotation;
    list.push_back({{"name", body.name},
                    {"position", list_of(body.position)},
                    {"rotation", {q.w, q.x, q.y, q.z}},
                    {"scale", body.scale},
                    {"velocity", list_of(body.velocity)},
                    {"spin", list_of(body.spin)}});
  }
  const BodyJson whole{{"frame", frame}, {"time", time}, {"bodies", std::move(list)}};
  return write_whole_file(path,
                          whole.dump(-1, ' ', false, BodyJson::error_handler_t::replace) + "\n");
}

Result<std::vector<BodyPose>> parse_bodies(std::string_view text, const std::string& name) {
  using Bodies = Result<std::vector<BodyPose>>;
  const BodyJson json = BodyJson::parse(text, nullptr, false);
  const auto list = json.is_object() ? json.find("bodies") : json.end();
  if (!json.is_object() || list == json.end() || !list->is_array())
    return Bodies::failure(name + ": no JSON with a list of bodies");
  std::vector<BodyPose> bodies;
  for (const BodyJson& entry : *list)
    if (!take_body(entry, bodies.emplace_back()))
      return Bodies::failure(name + ": body " + std::to_string(bodies.size() - 1) +
                             " lacks a name, or a pose of finite numbers");
  return bodies;
}

std::filesystem::path bodies_beside(const std::filesystem::path& ply) {
  const std::string stem = ply.stem().string();
  for (const std::string_view kind : {"frame_", "grains_"})
    if (stem.starts_with(kind))
      return ply.parent_path() / ("bodies_" + stem.substr(kind.size()) + ".json");
  return {};
}

Result<Frame> read_frame(const std::filesystem::path& ply, std::vector<std::string>* notes) {
  Result<Frame> frame = read_ply(ply);
  const std::filesystem::path path = bodies_beside(ply);
  std::error_code ignored;
  if (!frame || path.empty() || !std::filesystem::is_regular_file(path, ignored)) return frame;
  const Result<std::string> text = read_whole_file(path);
  Result<std::vector<BodyPose>> bodies =
      text ? parse_bodies(*text, path.string()) : Result<std::vector<BodyPose>>(text.errors());
  if (bodies)
    frame->bodies = std::move(*bodies);
  else if (notes)
    notes->push_back("bodies as the scene moves them: " + bodies.errors().front());
  return frame;
}

}  // namespace firn
