#include "runtime/process/find_program.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>

#include "base/file.h"
#include "base/scratch_testing.h"

namespace slipway::runtime {
namespace {

class FindProgram : public testing::Test {
 protected:
  FindProgram() {
    const char* path = std::getenv("PATH");
    before_ = path ? path : "";
  }
  ~FindProgram() override { ::setenv("PATH", before_.c_str(), 1); }
  const ScratchFolder scratch_;
  const std::string folder_ = scratch_.path();
  std::string before_;
};

TEST_F(FindProgram, LooksThroughThePathAndThenWhereDebianHasThem) {
  ASSERT_TRUE(file::write(folder_ + "/slipway-tool", "", 0755));
  ASSERT_TRUE(file::write(folder_ + "/slipway-text", "", 0644));
  ::setenv("PATH", ("/nowhere::" + folder_).c_str(), 1);
  EXPECT_EQ(find_program("slipway-tool"), folder_ + "/slipway-tool");
  EXPECT_EQ(find_program("slipway-text"), "");
  EXPECT_EQ(find_program("slipway-nothing"), "");
  EXPECT_EQ(find_program("env"), "/usr/bin/env");
  ::unsetenv("PATH");
  EXPECT_EQ(find_program("env"), "/usr/bin/env");
}

TEST_F(FindProgram, PassesOverRelativeFolders) {
  ASSERT_TRUE(file::write(folder_ + "/slipway-tool", "", 0755));
  const auto here = std::filesystem::current_path();
  std::filesystem::current_path(folder_);
  ::setenv("PATH", ".", 1);
  EXPECT_EQ(find_program("slipway-tool"), "");
  std::filesystem::current_path(here);
}

}  // namespace
}  // namespace slipway::runtime
