#include "base/file.h"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "base/scratch_testing.h"

namespace slipway {
namespace {

class File : public testing::Test {
 protected:
  const ScratchFolder scratch_;
  const std::string folder_ = scratch_.path();
};

TEST_F(File, IsReadBackAsWrittenWithItsMode) {
  const std::string path = folder_ + "/token";
  ASSERT_TRUE(file::write(path, "old and longer", 0644));
  ASSERT_TRUE(file::write(path, "secret", 0600));
  EXPECT_EQ(file::read(path).value(), "secret");
  struct stat found;
  ASSERT_EQ(::stat(path.c_str(), &found), 0);
  EXPECT_EQ(found.st_mode & 0777u, 0600u);
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder_), {}), 1)
      << "nothing is left beside it";
}

TEST_F(File, AFolderGoesWhileOthersTakeThingsOutOfIt) {
  const std::string path = folder_ + "/pod";
  for (int round = 0; round < 20; ++round) {
    ASSERT_TRUE(file::make_folder(path + "/logs", 0700));
    for (int i = 0; i < 300; ++i) std::ofstream(fmt::format("{}/logs/{}", path, i)) << "text";
    const pid_t other = ::fork();
    if (other == 0) {
      for (int i = 299; i >= 0; --i) ::unlink(fmt::format("{}/logs/{}", path, i).c_str());
      ::_exit(0);
    }
    const auto removed = file::remove_folder(path);
    ::waitpid(other, nullptr, 0);
    ASSERT_TRUE(removed) << removed.error().text();
    ASSERT_FALSE(file::exists(path));
  }
  EXPECT_TRUE(file::remove_folder(path)) << "it is not there";
}

TEST_F(File, AFolderGoesAlsoWhereNobodyMayLook) {
  const std::string path = folder_ + "/pod";
  const pid_t child = ::fork();
  if (child == 0) {  // whom permissions concern
    if (::geteuid() == 0 && (::chown(folder_.c_str(), 65534, 65534) != 0 || ::setuid(65534) != 0))
      ::_exit(1);
    bool good = true;
    for (const char* below : {"/a/b/c", "/d"}) good = good && file::make_folder(path + below, 0700);
    good = good && file::write(path + "/a/b/c/file", "text", 0600);
    for (const char* below : {"/a/b/c", "/a/b", "/a"}) ::chmod((path + below).c_str(), 0);
    ::chmod((path + "/d").c_str(), 0555);
    ::_exit(good && file::remove_folder(path) ? 0 : 2);
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  EXPECT_EQ(status, 0);
  EXPECT_FALSE(file::exists(path));
}

TEST_F(File, StatusIsOwnerAndPermissions) {
  const std::string path = folder_ + "/a";
  ASSERT_TRUE(file::write(path, "text", 0640));
  const auto found = file::status(path);
  ASSERT_TRUE(found) << found.error().text();
  EXPECT_EQ(found->owner, file::current_user());
  EXPECT_EQ(found->mode, 0640u);
  EXPECT_EQ(file::status(folder_ + "/none").error().code, ErrorCode::kNotFound);
}

TEST_F(File, SaysWhichFileIsMissingOrTooLarge) {
  const auto missing = file::read(folder_ + "/no");
  ASSERT_FALSE(missing);
  EXPECT_EQ(missing.error().code, ErrorCode::kNotFound);
  EXPECT_NE(missing.error().message.find(folder_ + "/no"), std::string::npos);
  ASSERT_TRUE(file::write(folder_ + "/big", std::string(100, 'x'), 0600));
  EXPECT_EQ(file::read(folder_ + "/big", 99).error().code, ErrorCode::kTooLarge);
  EXPECT_TRUE(file::read(folder_ + "/big", 100));
}

TEST_F(File, ListsByEndingBelowAFolderSortedWithoutHiddenOnes) {
  ASSERT_TRUE(file::make_folder(folder_ + "/a/b", 0700));
  ASSERT_TRUE(file::make_folder(folder_ + "/.git", 0700));
  for (const char* name : {"/z.yaml", "/a/b/c.yml", "/a/x.txt", "/.hidden.yaml", "/.git/d.yaml"})
    ASSERT_TRUE(file::write(folder_ + name, "", 0600));
  const std::vector<std::string> expected{folder_ + "/a/b/c.yml", folder_ + "/z.yaml"};
  EXPECT_EQ(file::list(folder_, {".yaml", ".yml"}).value(), expected);
  EXPECT_EQ(file::list(folder_ + "/none", {".yaml"}).error().code, ErrorCode::kNotFound);
}

TEST_F(File, FolderOverAFileIsRefused) {
  ASSERT_TRUE(file::write(folder_ + "/f", "", 0600));
  EXPECT_FALSE(file::make_folder(folder_ + "/f/below", 0700));
}

}  // namespace
}  // namespace slipway
