// The smallest solver through files: every format of frames, statistics, probes, a checkpoint and
// its resuming; then surfaces and pictures, made by the program from what it left.
#include "../unit/ballistic_solver.h"
#include "program.h"
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

class BallisticRun : public ProgramTest {
 protected:
  RunReport run(const std::string& folder, std::int64_t frames, ExistingRun existing) {
    const Result<SceneSettings> scene = parse_scene(kFountain, "fountain.json");
    EXPECT_TRUE(scene.ok()) << (scene ? "" : scene.errors()[0]);
    if (!scene) return {RunStatus::failed, scene.errors(), 0, {}};
    RunOptions options;
    options.scene = *scene;
    options.scene_file = "fountain.json";
    options.frames = frames;
    options.maker = &maker_;
    options.folder = path(folder);
    options.existing = existing;
    options.program = "test";
    RunControl control;
    const RunReport report = run_into_folder(options, control, {});
    EXPECT_TRUE(report.errors.empty()) << report.errors[0];
    return report;
  }

  const BallisticMaker maker_;
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
