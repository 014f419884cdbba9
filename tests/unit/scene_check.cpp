// Checks of sizes and places, before anything large is allocated.
#include "scene/check.h"

#include "scene_common.h"

namespace firn {
namespace {

constexpr double kGiB = 1 << 30;

Lines issue_lines(const SceneSettings& scene, bool warnings, double memory = 16 * kGiB) {
  Lines lines;
  for (const SceneIssue& issue : check_scene(scene, memory))
    if (issue.warning == warnings) lines.push_back(issue.pointer + ": " + issue.what);
  return lines;
}

TEST(SceneCheck, BillionParticlesSayHowMuchMemory) {
  SceneSettings scene =
      scene_with({"/objects/0/shape={\"type\":\"box\",\"size\":[1,1,1]}", "/colliders=[]"});
  scene.grid.spacing = 0.002;  // 500^3 cells of 8
  EXPECT_EQ(issue_lines(scene, false),
            Lines{"/objects/0: 1,000,000,000 particles need about 279 GiB of memory, this machine "
                  "has 16 GiB; raise /grid/spacing or lower particles_per_cell"});
  EXPECT_EQ(issue_lines(scene, false, 1000 * kGiB), Lines{});
  scene.objects[0].shape.size = {{1e200, 1e200, 1e200}};
  EXPECT_FALSE(issue_lines(scene, false).empty());
}

TEST(SceneCheck, SumOfObjectsCounts) {
  SceneSettings scene =
      scene_with({"/objects/0/shape={\"type\":\"box\",\"size\":[1,1,1]}", "/colliders=[]"});
  scene.objects.resize(3, scene.objects[0]);
  const double one = estimated_particles(scene) / 3 * bytes_per_particle();
  EXPECT_EQ(issue_lines(scene, false, 3.1 * one), Lines{});
  const Lines lines = issue_lines(scene, false, 2.5 * one);
  ASSERT_EQ(lines.size(), 1u);
  EXPECT_EQ(lines[0].rfind("/objects: 24,000 particles need about ", 0), 0u) << lines[0];
}

TEST(SceneCheck, TheReaderRefusesAbsurdSizes) {
  const Lines lines = errors_with({"/grid/spacing=1e-6", "/objects/0/shape/center=[0,0.5,0]"});
  ASSERT_EQ(lines.size(), 1u);
  EXPECT_NE(lines[0].find("GiB of memory, this machine has"), std::string::npos) << lines[0];
}

TEST(SceneCheck, EmptyObjectIsAnError) {
  EXPECT_EQ(errors_with({"/objects/0/shape/radius=0.01"}),
            Lines{"s.json: /objects/0: gives no particles: its particles would be 0.05 m apart, "
                  "and it is 0.02 m wide; lower /grid/spacing or enlarge it"});
}

TEST(SceneCheck, FarFromTheOriginIsAnError) {
  const Lines lines = errors_with({"/objects/0/shape/center=[1e6,1,0]"});
  EXPECT_EQ(lines, Lines{"s.json: /objects/0/shape: reaches 1e+06 m from the origin, more than "
                         "2,000,000 cells of 0.1 m; move it or raise /grid/spacing"});
}

Lines warnings_with(const Lines& overrides, const char* text = kSmallScene) {
  return issue_lines(scene_with(overrides, text), true);
}

// Lines of equal length side by side, and one that reaches 0.02 m into the other.
TEST(SceneCheck, ObjectsInEachOtherAreAWarning) {
  const std::string block = R"({"name":"block","material":"sand","shape":{"type":"box",)";
  const auto with = [&](const std::string& shape) {
    return warnings_with({"/objects/-=" + block + shape + "}}", "/objects/0/shape/type=box",
                          "/objects/0/shape={\"type\":\"box\",\"min\":[0,1,0],\"max\":[1,2,1]}"});
  };
  EXPECT_EQ(with(R"("min":[1,1,0],"max":[2,2,1])"), Lines{});
  EXPECT_EQ(with(R"("min":[0,2,0],"max":[1,3,1])"), Lines{});
  EXPECT_EQ(with(R"("min":[0.98,1,0],"max":[1.98,2,1])"),
            Lines{"/objects/1: about 2 % of it overlaps the object \"ball\": that space is filled "
                  "twice"});
  EXPECT_EQ(with(R"("min":[0.25,1.25,0.25],"max":[0.75,1.75,0.75])"),
            Lines{"/objects/1: about 100 % of it overlaps the object \"ball\": that space is "
                  "filled twice"});
  // Their boxes overlap, and they do not.
  EXPECT_EQ(warnings_with(
                {"/objects/-=" + block + R"("size":[0.1,0.1,0.1],"center":[0.35,1.35,0.35]}})"}),
            Lines{});
}

TEST(SceneCheck, FewerParticlesThanCellsAreAWarning) {
  const Lines sparse = warnings_with({"/objects/0/sampling={\"particles_per_cell\":0.5}"});
  ASSERT_EQ(sparse.size(), 1u);
  EXPECT_EQ(sparse[0].rfind("/objects/0/sampling: gives 0.5 particles a grid cell", 0), 0u)
      << sparse[0];
  EXPECT_EQ(warnings_with({"/objects/0/sampling={\"particles_per_cell\":1}"}), Lines{});
  EXPECT_EQ(warnings_with({"/objects/0/sampling={\"spacing\":0.2}"}).size(), 1u);
}

TEST(SceneCheck, ACameraInItsTargetIsAWarning) {
  EXPECT_EQ(warnings_with({"/view/camera={\"eye\":[1,2,3],\"target\":[1,2,3]}"}),
            Lines{"/view/camera: its eye is at its target, so that it looks nowhere"});
  EXPECT_EQ(warnings_with({"/view/cameras/a={\"eye\":[1,2,3],\"target\":[1,2,3]}"}),
            Lines{"/view/cameras/a: its eye is at its target, so that it looks nowhere"});
  EXPECT_EQ(warnings_with({"/view/camera={\"eye\":[1,2,3],\"target\":[1,2,2.9]}"}), Lines{});
}

// Each entry is no number, or negative, without any variable.
TEST(SceneCheck, SurfacesAndMotionsAreNumbers) {
  for (const std::string wrong : {"0-1", "0/0", "sqrt(0-1)", "log(0-2)"}) {
    EXPECT_EQ(errors_with({"/colliders/0/friction=\"" + wrong + "\""}).size(), 1u) << wrong;
    EXPECT_EQ(errors_with({"/colliders/0/stickiness=\"" + wrong + "\""}).size(), 1u) << wrong;
    EXPECT_EQ(errors_with({"/colliders/0/motion={\"scale\":\"" + wrong + "\"}"}).size(), 1u)
        << wrong;
  }
  EXPECT_EQ(
      errors_with({"/colliders/0/motion={\"translation\":[0,\"1/t\",0]}"}),
      Lines{"s.json: /colliders/0/motion: gives no place at t = 0 s: it is not finite, or its "
            "scale is not above 0"});
  EXPECT_EQ(errors_with({"/colliders/0/friction=\"0.5*2\"", "/colliders/0/stickiness=\"x\""}),
            Lines{});
}

// As many as there are, whatever the numbers; nothing is tried.
TEST(SceneCheck, EmittersThatFillTheMemoryInAFrameAreRefused) {
  const std::string jet =
      R"(/emitters=[{"name":"jet","shape":{"type":"box","size":[0.4,0.4,0.4],"center":[0,3,0]},)"
      R"("material":"sand",)";
  for (const std::string fast :
       {R"("velocity":[0,-1,0],"rate":1e18}])", R"("velocity":[0,-1e15,0]}])",
        R"("velocity":[0,-1e150,0]}])", R"("velocity":[0,-1,0],"rate":1e300}])"}) {
    const Lines lines = errors_with({jet + fast});
    ASSERT_EQ(lines.size(), 1u) << fast;
    EXPECT_NE(lines[0].find("/emitters/0/"), std::string::npos) << lines[0];
  }
  EXPECT_EQ(errors_with({jet + R"("velocity":[0,-1,0]}])"}), Lines{});
}

// Cells of 0.1 m.
TEST(SceneCheck, WallsThinnerThanACellAreAWarning) {
  const auto warnings = [](const std::string& shape) {
    return issue_lines(scene_with({"/colliders=[{\"shape\":" + shape + "}]"}), true);
  };
  const auto box = [](const std::string& size) {
    return R"({"type":"box","center":[0,-1,0],"size":)" + size + "}";
  };
  EXPECT_EQ(warnings(box("[0.05, 1, 1]")),
            Lines{"/colliders/0: its walls are thinner than a grid cell of 0.1 m: matter may push "
                  "through them; make them thicker or lower /grid/spacing"});
  EXPECT_EQ(warnings(box("[0.1, 1, 1]")), Lines{});
  EXPECT_EQ(warnings(R"({"type":"plane"})"), Lines{});
  EXPECT_EQ(warnings(R"({"type":"box","inside":true,"size":[4,4,4]})"), Lines{});
  EXPECT_EQ(warnings(R"({"type":"ball","radius":0.04,"center":[0,-1,0]})").size(), 1u);
  const auto shell = [&](const std::string& outer) {
    return R"({"type":"difference","shapes":[)" + box(outer) + "," + box("[1,1,1]") + "]}";
  };
  EXPECT_EQ(warnings(shell("[1.1,1.1,1.1]")).size(), 1u);
  EXPECT_EQ(warnings(shell("[1.2,1.2,1.2]")), Lines{});
}

TEST(SceneCheck, AWedgeIsAWall) {
  EXPECT_EQ(issue_lines(scene_with({R"(/colliders=[{"shape":{"type":"cone","radius":1,"height":1,
                                        "center":[0,-2,0]}}])"}),
                        true),
            Lines{});
}

TEST(SceneCheck, ThinObjectIsAWarning) {
  const SceneSettings scene =
      scene_with({"/objects/0/shape={\"type\":\"box\",\"size\":[1,0.05,1],\"center\":[0,1,0]}"});
  EXPECT_EQ(issue_lines(scene, true),
            Lines{"/objects/0/shape: is 0.05 m thin, less than a grid cell of 0.1 m"});
}

TEST(SceneCheck, ObjectInACollider) {
  EXPECT_EQ(errors_with({"/objects/0/shape/center=[0,-1,0]"}),
            Lines{"s.json: /objects/0: lies wholly in the collider \"floor\""});
  const SceneSettings half = scene_with({"/objects/0/shape/center=[0,0,0]"});
  EXPECT_EQ(issue_lines(half, true),
            Lines{"/objects/0: about 50 % of it lies in the collider \"floor\""});
}

TEST(SceneCheck, ObjectOutsideAContainer) {
  const std::string tank =
      "/colliders=[{\"name\":\"tank\",\"shape\":{\"type\":\"box\",\"size\":[2,2,2],\"center\":"
      "[0,1,0],\"inside\":true}}]";
  EXPECT_TRUE(errors_with({tank}).empty());
  EXPECT_TRUE(issue_lines(scene_with({tank}), true).empty());
  EXPECT_EQ(errors_with({tank, "/objects/0/shape/center=[5,1,0]"}),
            Lines{"s.json: /objects/0: lies wholly outside the container \"tank\""});
}

TEST(SceneCheck, ColliderAcrossASeam) {
  const auto warnings = [](const std::string& box) {
    return issue_lines(scene_with({R"(/grid/periodic={"x": [-2, 2]})",
                                   R"(/colliders/0/shape={"type": "box", )" + box + "}"}),
                       true);
  };
  const Lines across = warnings(R"("min": [1.8, -1, -1], "max": [2.2, 0, 1])");
  ASSERT_EQ(across.size(), 1u);
  EXPECT_NE(across[0].find("/colliders/0: lies across the end of the period in x"),
            std::string::npos);
  EXPECT_TRUE(warnings(R"("min": [0, -1, -1], "max": [1, 0, 1])").empty());
  EXPECT_TRUE(warnings(R"("min": [-3, -1, -1], "max": [3, 0, 1])").empty());  // endless
}

TEST(SceneCheck, RestingExactlyOnTheFloorIsFine) {
  const SceneSettings scene = scene_with({"/objects/0/shape/center=[0,0.4,0]"});
  EXPECT_TRUE(check_scene(scene).empty());
}

TEST(SceneCheck, MouthsOfEmittersAreNotEndless) {
  const auto with_width = [](double width) {
    SceneSettings scene = scene_with({});
    EmitterSettings emitter;
    emitter.shape.kind = ShapeType::box;
    emitter.shape.size = {{width, 0.2, 0.2}};
    emitter.velocity = {{0, -1, 0}};
    scene.emitters = {emitter};
    return issue_lines(scene, false);
  };
  EXPECT_EQ(with_width(1), Lines{});
  EXPECT_EQ(with_width(1e5),
            Lines{"/emitters/0/shape: is 2e+06 particles wide, more than 1,000; make it smaller or "
                  "raise /grid/spacing"});
}

}  // namespace
}  // namespace firn
