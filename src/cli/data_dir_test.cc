#include "cli/data_dir.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <cstdlib>
#include <filesystem>

#include "async/sim_loop.h"
#include "base/file.h"
#include "base/scratch_testing.h"

namespace slipway::cli {
namespace {

class DataFolder : public testing::Test {
 protected:
  Result<DataDir> open() { return open_data_dir(folder_, {"localhost"}, loop_->clock(), *random_); }
  std::string path(const char* name) const { return folder_ + "/" + name; }

  const ScratchFolder scratch_;
  const std::string folder_ = scratch_.path();
  std::unique_ptr<SimLoop> loop_ = make_sim_loop();
  std::unique_ptr<Random> random_ = seeded_random(1);
};

// Sets variables for a test, and sets them back.
class Environment {
 public:
  Environment(const char* name, const char* value) : name_(name) {
    if (const char* old = std::getenv(name)) old_ = old;
    set(value);
  }
  ~Environment() { set(old_ ? old_->c_str() : nullptr); }

 private:
  void set(const char* value) {
    if (value)
      ::setenv(name_, value, 1);
    else
      ::unsetenv(name_);
  }
  const char* name_;
  std::optional<std::string> old_;
};

TEST_F(DataFolder, WhatItMakesIsForUsAlone) {
  const auto dir = open();
  ASSERT_TRUE(dir) << dir.error().text();
  ASSERT_TRUE(make_database(*dir));
  for (const char* name : {"token", "view-token", "ca.key", "server.key", "slipway.db"})
    EXPECT_EQ(file::status(path(name))->mode, 0600u) << name;
  EXPECT_EQ(open()->admin_token, dir->admin_token);
}

TEST_F(DataFolder, KubeconfigsAreWrittenOnlyWhereTheySaySomethingElse) {
  const auto dir = open();
  ASSERT_TRUE(dir) << dir.error().text();
  const auto write = [&](const char* url) { ASSERT_TRUE(write_kubeconfigs(*dir, url)); };
  const auto file_number = [&](const std::string& file) {
    struct stat found;
    return ::stat(file.c_str(), &found) == 0 ? found.st_ino : 0;
  };
  for (const std::string& file : {dir->kubeconfig(), dir->view_kubeconfig()}) {
    write("https://127.0.0.1:1");
    const auto first = file_number(file);
    write("https://127.0.0.1:1");
    EXPECT_EQ(file_number(file), first);
    write("https://127.0.0.1:2");
    EXPECT_NE(file::read(file)->find("https://127.0.0.1:2"), std::string::npos);
    ASSERT_EQ(::chmod(file.c_str(), 0644), 0);
    write("https://127.0.0.1:2");
    EXPECT_EQ(file::status(file)->mode, 0600u);
  }
}

TEST_F(DataFolder, OneThatOthersMayWriteToIsRefusedWithTheWayOut) {
  for (const unsigned mode : {0777u, 0770u, 0702u}) {
    ASSERT_EQ(::chmod(folder_.c_str(), mode), 0);
    const auto dir = open();
    ASSERT_FALSE(dir) << mode;
    EXPECT_NE(dir.error().message.find("chmod 700 " + folder_), std::string::npos);
    EXPECT_FALSE(file::exists(path("token")));
  }
  ASSERT_EQ(::chmod(folder_.c_str(), 0755), 0);
  EXPECT_TRUE(open());
}

TEST_F(DataFolder, AnotherUsersFolderIsRefused) {
  const bool given_away = ::chown(folder_.c_str(), 12345, static_cast<gid_t>(-1)) == 0;
  // Only root can do that; to everybody else, root is another user.
  const auto dir =
      open_data_dir(given_away ? folder_ : "/usr", {"localhost"}, loop_->clock(), *random_);
  ASSERT_FALSE(dir);
  EXPECT_NE(
      dir.error().message.find(given_away ? "another user (uid 12345)" : "another user (uid 0)"),
      std::string::npos);
}

TEST_F(DataFolder, SecretsThatOthersMayReadAreRefusedWithTheWayOut) {
  const auto dir = open();
  ASSERT_TRUE(dir) << dir.error().text();
  ASSERT_TRUE(make_database(*dir));
  for (const char* name : {"token", "view-token", "ca.key", "server.key", "slipway.db"}) {
    ASSERT_EQ(::chmod(path(name).c_str(), 0644), 0);
    const auto again = open();
    ASSERT_FALSE(again) << name;
    EXPECT_NE(again.error().message.find("chmod 600 " + path(name)), std::string::npos);
    ASSERT_EQ(::chmod(path(name).c_str(), 0600), 0);
  }
  EXPECT_TRUE(open());
}

TEST_F(DataFolder, TheCertificateIsRenewedInTimeAndNotBefore) {
  auto dir = open();
  ASSERT_TRUE(dir) << dir.error().text();
  const Time start = loop_->clock().now();
  const DataDir first = *dir;
  for (const int days : {1, 100, 320}) {
    const auto renewed =
        renew_certificate(*dir, {"localhost"}, start + std::chrono::hours(24 * days));
    ASSERT_TRUE(renewed) << renewed.error().text();
    EXPECT_FALSE(*renewed) << days;
  }
  EXPECT_TRUE(renew_certificate(*dir, {"localhost"}, start + std::chrono::hours(24 * 340)).value());
  EXPECT_NE(dir->certificate_pem, first.certificate_pem);
  EXPECT_NE(dir->key_pem, first.key_pem);
  EXPECT_EQ(file::read(path("server.crt")).value(), dir->certificate_pem);
  EXPECT_EQ(file::status(path("server.key"))->mode, 0600u);
  std::filesystem::remove(path("ca.key"));
  EXPECT_EQ(renew_certificate(*dir, {"localhost"}, start).error().code, ErrorCode::kNotFound);
}

TEST(DefaultDataFolder, IsNeverGuessed) {
  const Environment state("XDG_STATE_HOME", nullptr);
  {
    const Environment home("HOME", "/home/x");
    EXPECT_EQ(default_data_dir().value_or(""), "/home/x/.local/state/slipway");
    const Environment given("XDG_STATE_HOME", "/state");
    EXPECT_EQ(default_data_dir().value_or(""), "/state/slipway");
  }
  for (const char* nothing : {static_cast<const char*>(nullptr), ""}) {
    const Environment home("HOME", nothing);
    EXPECT_FALSE(default_data_dir());
  }
}

}  // namespace
}  // namespace slipway::cli
