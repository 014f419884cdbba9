// Every tab beside a picture of it that was looked at.
#include <gtest/gtest.h>

#include "../draw/picture_compare.h"
#include "../unit/session_common.h"
#include "../unit/test_folder.h"
#include "driver.h"

namespace firn::viewer {
namespace {

TEST(References, EveryTabLooksAsItDid) {
  const TestFolder folder("viewer_references");
  Driver driver(720, 480);
  if (!driver.works()) GTEST_SKIP() << driver.problem();
  ASSERT_TRUE(driver.open(folder.write("disc.json", kFallingDisc).string()));
  ASSERT_TRUE(driver.wait_for([&] { return driver.app().viewport().ready(); }));
  for (const char* name : {"Scene", "Materials", "Simulation", "Look", "Camera", "Recording"}) {
    driver.click(std::string("tab/") + name);
    driver.frame(5);
    expect_like_reference(std::string("tests/viewer/references/") + name + ".png",
                          halved(driver.picture()));
  }
}

}  // namespace
}  // namespace firn::viewer
