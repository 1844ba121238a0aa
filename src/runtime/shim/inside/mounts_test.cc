#include "runtime/shim/inside/mounts.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>

#include "base/file.h"
#include "runtime/shim/shim_testing.h"

namespace slipway::runtime {

namespace {

using std::chrono::seconds;
using testing::HasSubstr;

bool ended(const PodState& state) { return state.ended; }

// Runs a script with mounts, as root or not; its output.
class Mounts : public testing::TestWithParam<bool> {
 protected:
  void SetUp() override {
    if (GetParam()) pod_.drop_rights();
    ASSERT_TRUE(file::make_folder(volume_, 0755));
    ASSERT_TRUE(file::write(volume_ + "/key", "value\n", 0644));
    if (GetParam() && ::geteuid() == 0) ASSERT_EQ(::chown(volume_.c_str(), 65534, ::getegid()), 0);
    ASSERT_EQ(::chmod(scratch_.path().c_str(), 0755), 0);
  }

  std::string run(const std::string& script, std::vector<Mount> mounts) {
    pod_.plan.restart_policy = RestartPolicy::kNever;
    pod_.plan.containers = {shell("main", script + " 2>&1")};
    pod_.plan.containers[0].mounts = std::move(mounts);
    pod_.start();
    EXPECT_TRUE(pod_.until(ended, seconds(20)));
    problem_ = pod_.state().mount_problem;
    return pod_.container().terminated() ? pod_.log() + pod_.container().terminated()->message : "";
  }

  ScratchFolder scratch_;
  std::string volume_ = scratch_.path() + "/volume";
  TestPod pod_{{}};
  std::string problem_;
};

TEST_P(Mounts, AFolderThatIsThereIsCovered) {
  EXPECT_EQ(run("cat /mnt/key; echo more > /mnt/new", {{.source = volume_, .target = "/mnt"}}),
            "value\n");
  EXPECT_EQ(problem_, "");
  EXPECT_EQ(*file::read(volume_ + "/new"), "more\n");
  EXPECT_FALSE(file::exists("/mnt/key"));
}

TEST_P(Mounts, MissingTargetsAreMadeInTheContainersSightAlone) {
  EXPECT_EQ(run("cat /slipway-data/a/key /etc/slipway-test/key /etc/slipway-file; "
                "test -e /etc/passwd && test -d /proc/self && test -w /dev/null && echo rest",
                {{.source = volume_, .target = "/slipway-data/a"},
                 {.source = volume_, .target = "/etc/slipway-test"},
                 {.source = volume_ + "/key", .target = "/etc/slipway-file"}}),
            "value\nvalue\nvalue\nrest\n");
  EXPECT_EQ(problem_, "");
  EXPECT_FALSE(file::exists("/slipway-data"));
  EXPECT_FALSE(file::exists("/etc/slipway-test"));
}

TEST_P(Mounts, ReadOnlyOnesCannotBeWritten) {
  EXPECT_THAT(run("cat /slipway-ro/key; echo x > /slipway-ro/key",
                  {{.source = volume_, .target = "/slipway-ro", .read_only = true}}),
              HasSubstr("Read-only file system"));
  EXPECT_EQ(*file::read(volume_ + "/key"), "value\n");
}

TEST_P(Mounts, OneInsideAnother) {
  ASSERT_TRUE(file::make_folder(volume_ + "/inner", 0755));
  const std::string second = scratch_.path() + "/second";
  ASSERT_TRUE(file::make_folder(second, 0755));
  ASSERT_TRUE(file::write(second + "/deep", "deep\n", 0644));
  EXPECT_EQ(run("cat /slipway-x/key /slipway-x/inner/deep",
                {{.source = second, .target = "/slipway-x/inner"},
                 {.source = volume_, .target = "/slipway-x"}}),
            "value\ndeep\n");
}

// When the container that mounts it starts: one before it may have made a file there.
TEST_P(Mounts, ASubPathIsWhatIsThereThenOrAFolder) {
  ASSERT_EQ(::chmod(volume_.c_str(), 0777), 0);
  ContainerPlan init = shell("first", "echo made > /mnt/file");
  init.mounts = {{.source = volume_, .target = "/mnt"}};
  pod_.plan.init_containers = {init};
  EXPECT_EQ(run("cat /slipway-file; ls -A /slipway-sub; stat -c %a /slipway-sub",
                {{.source = volume_ + "/file", .target = "/slipway-file", .within = volume_},
                 {.source = volume_ + "/a/b", .target = "/slipway-sub", .within = volume_}}),
            "made\n777\n");
  EXPECT_EQ(file::status(volume_ + "/a")->mode, 0777U);
}

// A disk that is not there: what is meant for it would fill the machine's own.
TEST_P(Mounts, ASubPathIsNotMadeWithoutItsVolume) {
  ASSERT_EQ(::chmod(volume_.c_str(), 0777), 0);
  EXPECT_THAT(run("echo on", {{.source = volume_ + "/disk/db",
                               .target = "/slipway-sub",
                               .within = volume_ + "/disk"}}),
              HasSubstr("disk/db: No such file or directory"));
  EXPECT_FALSE(file::exists(volume_ + "/disk"));
}

// The folder around a missing target is the container's own, and so is what it makes there.
TEST_P(Mounts, CommandsSeeWhatTheContainerHasMadeBesideThem) {
  const std::vector<std::string> targets = {"/slipway-data/inner", "/slipway-root"};
  for (const std::string& target : targets) {
    TestPod pod{{}};
    if (GetParam()) pod.drop_rights();
    const std::string made = std::filesystem::path(target).parent_path() / "slipway-made";
    pod.plan.containers = {shell("main", "echo here > " + made + "; sleep 1000")};
    pod.plan.containers[0].mounts = {{.source = volume_, .target = target}};
    pod.start();
    ASSERT_TRUE(pod.until([](const PodState& state) { return state.containers[0].running(); }));
    const std::string script =
        "while ! test -s " + made + "; do sleep 0.05; done; cat " + made + " " + target + "/key";
    const auto seen = pod.exec("main", {"sh", "-c", script}, seconds(5));
    ASSERT_TRUE(seen) << seen.error().text();
    EXPECT_EQ(seen->output, "here\nvalue\n") << target;
    EXPECT_FALSE(file::exists(made));
  }
}

TEST_P(Mounts, DieWithTheShimAllTheSame) {
  pod_.plan.containers = {shell("main", "sleep 1000")};
  pod_.plan.containers[0].mounts = {{.source = volume_, .target = "/slipway-data"}};
  pod_.start();
  ASSERT_TRUE(pod_.until([](const PodState& state) { return state.containers[0].running(); }));
  const ProcessIdentity main = *identify(pod_.container().running()->pid);
  ::kill(pod_.state().shim.pid, SIGKILL);
  EXPECT_TRUE(pod_.until_true([&] { return !is_alive(main); }, seconds(1)));
  EXPECT_TRUE(pod_.until_gone());
}

// Or it would write to the machine what it means for a volume.
TEST_P(Mounts, WithoutOneOfItsMountsNothingRuns) {
  const std::string said = run("echo on > /mnt/slipway-leak; echo on",
                               {{.source = volume_ + "/nothing", .target = "/slipway-data"},
                                {.source = volume_, .target = "/mnt"}});
  EXPECT_THAT(said, HasSubstr("volume/nothing: No such file or directory"));
  EXPECT_THAT(said, Not(HasSubstr("on\n")));
  EXPECT_FALSE(file::exists("/mnt/slipway-leak"));
  EXPECT_FALSE(file::exists(volume_ + "/slipway-leak"));
}

INSTANTIATE_TEST_SUITE_P(As, Mounts, testing::Bool(), [](const auto& instance) {
  return instance.param ? std::string("Nobody") : std::string("Ourselves");
});

}  // namespace

}  // namespace slipway::runtime
