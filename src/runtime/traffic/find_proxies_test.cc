#include "runtime/traffic/find_proxies.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <set>

#include "base/scratch_testing.h"

extern char** environ;

namespace slipway::runtime::traffic {

namespace {

namespace fs = std::filesystem;

// A program that does nothing, with the words of a proxy.
class Sleeper {
 public:
  explicit Sleeper(std::vector<std::string> words) {
    words.insert(words.begin(), {"/bin/sh", "-c", "read never", "haproxy"});
    std::vector<char*> argv;
    for (std::string& word : words) argv.push_back(word.data());
    argv.push_back(nullptr);
    EXPECT_EQ(::pipe2(line_, O_CLOEXEC), 0);
    posix_spawn_file_actions_t actions;
    ::posix_spawn_file_actions_init(&actions);
    ::posix_spawn_file_actions_adddup2(&actions, line_[0], STDIN_FILENO);
    EXPECT_EQ(::posix_spawn(&pid_, argv[0], &actions, nullptr, argv.data(), environ), 0);
    ::posix_spawn_file_actions_destroy(&actions);
  }
  ~Sleeper() {
    ::kill(pid_, SIGKILL);
    ::waitpid(pid_, nullptr, 0);
    ::close(line_[0]);
    ::close(line_[1]);
  }
  Sleeper(const Sleeper&) = delete;
  Sleeper& operator=(const Sleeper&) = delete;

  pid_t pid() const { return pid_; }

 private:
  pid_t pid_ = -1;
  int line_[2] = {-1, -1};
};

std::set<pid_t> found_in(const std::string& folder) {
  std::set<pid_t> pids;
  for (const Process& process : find_proxies(folder)) pids.insert(process.pid);
  return pids;
}

TEST(FindProxies, FindsThoseOfAFolderHoweverTheySpellIt) {
  const ScratchFolder scratch;
  const std::string folder = scratch.path() + "/data", link = scratch.path() + "/link";
  fs::create_directory(folder);
  fs::create_directory_symlink(folder, link);
  const Sleeper plain(proxy_words(folder)), linked(proxy_words(link));
  auto words = proxy_words(folder);
  words.insert(words.end(), {"-x", "admin.sock", "-sf", "1"});
  const Sleeper replacing(words);
  EXPECT_EQ(found_in(folder), (std::set{plain.pid(), linked.pid(), replacing.pid()}));
  EXPECT_EQ(found_in(link), found_in(folder));
}

TEST(FindProxies, LeavesOthersAlone) {
  const ScratchFolder scratch;
  const std::string folder = scratch.path() + "/data", other = scratch.path() + "/other";
  fs::create_directory(folder);
  fs::create_directory(other);
  const Sleeper elsewhere(proxy_words(other)), gone(proxy_words(scratch.path() + "/gone"));
  const Sleeper checking({"-c", "-C", folder, "-f", "haproxy.cfg"});
  EXPECT_EQ(found_in(folder), std::set<pid_t>{});
  EXPECT_EQ(found_in(scratch.path() + "/gone"), std::set<pid_t>{});
}

}  // namespace

}  // namespace slipway::runtime::traffic
