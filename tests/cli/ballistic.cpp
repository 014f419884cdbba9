// The smallest solver through files: every format of frames, statistics, probes, a checkpoint and
// its resuming; then surfaces and pictures, made by the program from what it left.
#include <nlohmann/json.hpp>

#include "../unit/meshed_solver.h"
#include "frames/body_file.h"
#include "program.h"
#include "run/frame_check.h"
#include "run/run.h"
#include "scene_io/scene_reader.h"

namespace firn::test {
namespace {

constexpr const char* kFountain = R"({
  "name": "fountain", "grid": {"spacing": 0.1}, "fps": 20, "frames": 8,
  "materials": {"drops": {"model": "neo_hookean"}},
  "objects": [{"name": "ball", "shape": {"type": "ball", "radius": 0.3, "center": [0, 0.5, 0]},
               "material": "drops", "velocity": [1, 2, 0]}],
  "emitters": [{"name": "nozzle", "material": "drops", "velocity": [0, 1, 0], "stop": 0.3,
                "shape": {"type": "box", "size": [0.4, 0.1, 0.4], "center": [3, 0.5, 0]}}],
  "sinks": [{"name": "drain", "shape": {"type": "box", "size": [1, 0.6, 1], "center": [3, 0, 0]}}],
  "colliders": [{"name": "floor", "shape": {"type": "plane", "point": [0, 0, 0]}},
                {"name": "wheel", "motion": {"rotation": [0, 0, "90*t"]},
                 "shape": {"type": "box", "size": [0.6, 0.1, 0.6], "center": [0.5, 0.3, 0]}}],
  "probes": [{"name": "above", "type": "point", "position": [0, 0.5, 0], "radius": 0.5, "fields": ["density"]}],
  "output": {"fields": ["velocity", "id", "material", "color", "mass", "volume"],
             "formats": ["ply", "vtu", "bgeo", "vdb"]}
})";

// A tetrahedron and a sheet fly through a sink that takes one corner of the sheet, past a wheel.
constexpr const char* kMeshes = R"({
  "name": "meshes", "grid": {"spacing": 0.2}, "fps": 20, "frames": 8, "gravity": [0, 0, 0],
  "materials": {"cloth": {"model": "neo_hookean"}},
  "objects": [{"name": "corners", "shape": {"type": "points", "file": "corners.csv"},
               "material": "cloth", "colors": [{"color": "#d01010"}], "velocity": [0.5, 0, 0]},
              {"name": "dust", "shape": {"type": "ball", "radius": 0.3, "center": [0, 3, 0]},
               "material": "cloth"}],
  "sinks": [{"name": "drain", "shape": {"type": "box", "size": [0.2, 0.2, 0.2], "center": [3.2, 0, 0]}}],
  "colliders": [{"name": "wheel", "motion": {"rotation": [0, 0, "90*t"], "translation": ["t", 0, 0]},
                 "shape": {"type": "box", "size": [0.6, 0.1, 0.6], "center": [1, -1, 0]}}],
  "output": {"fields": ["velocity", "id", "material", "color", "mass", "volume"],
             "formats": ["ply", "vtu", "bgeo", "vdb"]}
})";

class BallisticRun : public ProgramTest {
 protected:
  RunReport run(const std::string& folder, std::int64_t frames, ExistingRun existing) {
    return run_scene(kFountain, maker_, folder, frames, existing);
  }
  RunReport run_meshed(const std::string& folder, std::int64_t frames, ExistingRun existing) {
    write("corners.csv", kMeshedPoints);
    return run_scene(kMeshes, meshed_maker_, folder, frames, existing);
  }
  RunReport run_scene(const char* text, const SolverMaker& maker, const std::string& folder,
                      std::int64_t frames, ExistingRun existing) {
    const Result<SceneSettings> scene = parse_scene(text, path("scene.json").string());
    EXPECT_TRUE(scene.ok()) << (scene ? "" : scene.errors()[0]);
    if (!scene) return {RunStatus::failed, scene.errors(), 0, {}};
    RunOptions options;
    options.scene = *scene;
    options.scene_file = "scene.json";
    options.frames = frames;
    options.maker = &maker;
    options.folder = path(folder);
    options.existing = existing;
    options.program = "test";
    RunControl control;
    const RunReport report = run_into_folder(options, control, {});
    EXPECT_TRUE(report.errors.empty()) << report.errors[0];
    return report;
  }

  const BallisticMaker maker_;
  const MeshedMaker meshed_maker_;
};

TEST_F(BallisticRun, WritesEveryFormatAndResumesIt) {
  ASSERT_EQ(run("whole", 8, ExistingRun::refuse).status, RunStatus::finished);
  for (const char* file : {"frames/frame_0008.vtu", "frames/frame_0008.bgeo",
                           "frames/frame_0008.vdb", "run.pvd", "probes.csv", "checkpoint.h5"})
    EXPECT_TRUE(fs::exists(path("whole") / file)) << file;
  EXPECT_NE(content(path("whole/stats.jsonl")).find("\"emitted\""), std::string::npos);
  ASSERT_EQ(run("parts", 3, ExistingRun::refuse).status, RunStatus::finished);
  ASSERT_EQ(run("parts", 8, ExistingRun::resume).status, RunStatus::finished);
  expect_same_frames(path("whole"), path("parts"));
  for (const std::string& file : files_below(path("whole/frames")))
    EXPECT_EQ(content(path("whole/frames") / file), content(path("parts/frames") / file)) << file;
  EXPECT_EQ(content(path("whole/probes.csv")), content(path("parts/probes.csv")));
}

TEST_F(BallisticRun, MeshesAndBodiesGoToEveryFormatAndResume) {
  ASSERT_EQ(run_meshed("whole", 8, ExistingRun::refuse).status, RunStatus::finished);
  const RunFolder folder{path("whole")};
  const Result<Frame> first = read_frame(folder.frame(0)), last = read_frame(folder.frame(8));
  ASSERT_TRUE(first && last);
  ASSERT_EQ(first->meshes.size(), 2u);
  EXPECT_EQ(first->meshes[0].name, "solid");
  EXPECT_EQ(first->meshes[1].triangles.size(), 6u);
  EXPECT_EQ(last->meshes[1].triangles.size(), 3u);  // the sink has taken a corner
  EXPECT_EQ(last->count, first->count - 1);
  ASSERT_EQ(last->bodies.size(), 1u);
  EXPECT_EQ(last->bodies[0].name, "wheel");
  EXPECT_NEAR(last->bodies[0].position[0], 1.4, 1e-12);
  EXPECT_NE(content(folder.frame(8, "vtu")).find("von_mises"), std::string::npos);
  ASSERT_EQ(run_meshed("parts", 3, ExistingRun::refuse).status, RunStatus::finished);
  write("parts/frames/bodies_0005.json", "of a frame that was lost");
  ASSERT_EQ(run_meshed("parts", 8, ExistingRun::resume).status, RunStatus::finished);
  expect_same_frames(path("whole"), path("parts"));
  // Files of a run that is replaced go with it.
  ASSERT_EQ(run_meshed("parts", 2, ExistingRun::overwrite).status, RunStatus::finished);
  EXPECT_EQ(body_numbers(RunFolder{path("parts")}), (std::vector<std::int64_t>{0, 1, 2}));
}

TEST_F(BallisticRun, CutOffFacesAreALostFrame) {
  ASSERT_EQ(run_meshed("run", 2, ExistingRun::refuse).status, RunStatus::finished);
  const fs::path frame = RunFolder{path("run")}.frame(1);
  EXPECT_TRUE(is_whole_frame(frame));
  fs::resize_file(frame, fs::file_size(frame) - 5);
  EXPECT_FALSE(is_whole_frame(frame));
}

TEST_F(BallisticRun, MeshesAreToldMeasuredAndPainted) {
  ASSERT_EQ(run_meshed("run", 2, ExistingRun::refuse).status, RunStatus::finished);
  const Outcome info = firn({"info", "run/frames/frame_0002.ply", "--json"});
  ASSERT_EQ(info.status, 0) << info.err;
  const auto json = nlohmann::json::parse(info.out);
  ASSERT_EQ(json["meshes"].size(), 2u);
  EXPECT_EQ(json["meshes"][0]["vertices"], 4);
  EXPECT_NEAR(json["meshes"][0]["volume"].get<double>(), 1.0 / 6, 1e-5);
  EXPECT_NEAR(json["meshes"][0]["area"].get<double>(), 1.5 + 0.5 * std::sqrt(3.0), 1e-5);
  EXPECT_NEAR(json["meshes"][1]["area"].get<double>(), 1, 1e-5);
  EXPECT_FALSE(json["meshes"][1].contains("volume"));  // an open sheet
  EXPECT_EQ(json["bodies"][0]["name"], "wheel");
  EXPECT_NEAR(json["bodies"][0]["spin"][2].get<double>(), std::acos(-1.0) / 2, 1e-6);
  EXPECT_NE(firn({"info", "run/frames/frame_0002.ply"}).out.find("solid"), std::string::npos);
  const Outcome surfaces = firn({"mesh", "run", "--frame", "2"});
  EXPECT_EQ(surfaces.status, 0) << surfaces.err;
  EXPECT_NE((surfaces.out + surfaces.err).find("meshes of their own"), std::string::npos);
  write("run/frames/bodies_0002.json", "{");
  const Outcome picture = firn({"render", "run", "--frame", "2", "-o", "picture.png", "--size",
                                "320x180", "--renderer", "cpu"});
  EXPECT_EQ(picture.status, 0) << picture.err;
  EXPECT_NE((picture.out + picture.err).find("bodies_0002.json"), std::string::npos);
  EXPECT_GT(content(path("picture.png")).size(), 500u);
}

TEST_F(BallisticRun, BecomesSurfacesAndPictures) {
  ASSERT_EQ(run("run", 2, ExistingRun::refuse).status, RunStatus::finished);
  const Outcome meshes = firn({"mesh", "run", "--frame", "2", "--quiet"});
  EXPECT_EQ(meshes.status, 0) << meshes.err;
  EXPECT_GT(content(path("run/meshes/mesh_0002.ply")).size(), 1000u);
  const Outcome picture = firn({"render", "run", "--frame", "2", "-o", "picture.png", "--size",
                                "160x90", "--renderer", "cpu", "--quiet"});
  EXPECT_EQ(picture.status, 0) << picture.err;
  EXPECT_GT(content(path("picture.png")).size(), 500u);
}

}  // namespace
}  // namespace firn::test
