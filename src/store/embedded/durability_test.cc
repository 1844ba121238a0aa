#include <fmt/format.h>
#include <gtest/gtest.h>

#include <set>

#include "async/wait_all.h"
#include "store/embedded/embedded_host.h"
#include "store/testing/fault_disk.h"

namespace slipway::store {

namespace {

const api::Gvr kConfigMaps{"", "v1", "configmaps"};
constexpr int kWriters = 4;
constexpr int kKeysEach = 3;
constexpr int kWritesEach = 25;

// What is known of one object from the outside: the last state that was acknowledged, and what was
// tried since without an answer that says it did not happen. Each of those may be on disk.
struct Known {
  std::string acknowledged;  // the value; empty: none
  std::vector<std::string> tried;
};

struct World {
  std::map<std::string, Known> objects;
  Version highest = 0;
  int counter = 0;
  int acknowledged = 0;
};

json::Object object_of(const std::string& name, const std::string& value) {
  // The value twice, with a page of padding between: half of a write would show.
  return config_map(name, fmt::format(R"({{"a": "{0}", "m": "{1}", "z": "{0}"}})", value,
                                      std::string(100 + 37 * value.size() % 5000, 'm')));
}

std::string unquoted(const std::string& text) { return text.substr(1, text.size() - 2); }

bool may_have_happened(ErrorCode code) {
  return code == ErrorCode::kUnavailable || code == ErrorCode::kNoSpace ||
         code == ErrorCode::kInternal;
}

Task<bool> write_once(EmbeddedStore& store, World& world, std::string name, std::uint64_t dice) {
  Known& known = world.objects[name];
  const bool erase = !known.acknowledged.empty() && dice % 4 == 0;
  const std::string value =
      erase ? "" : fmt::format("{}-{}", ++world.counter, std::string(dice % 300, 'v'));
  known.tried.push_back(value);
  Result<Version> done = Version(0);
  if (erase) {
    Result<Store::Deleted> gone = co_await store.remove(kConfigMaps, {"default", name}, {});
    if (gone)
      done = gone->item.version;
    else
      done = std::unexpected(gone.error());
  } else {
    Result<Item> made =
        known.acknowledged.empty()
            ? co_await store.create(kConfigMaps, "default", object_of(name, value), {})
            : co_await store.update(kConfigMaps, {"default", name}, object_of(name, value), {});
    if (made)
      done = made->version;
    else
      done = std::unexpected(made.error());
  }
  if (!done) {
    EXPECT_TRUE(may_have_happened(done.error().code)) << done.error().text();
    co_return false;
  }
  EXPECT_GT(*done, 0u);
  world.highest = std::max(world.highest, *done);
  ++world.acknowledged;
  known = {value, {}};
  co_return true;
}

Task<int> write_many(EmbeddedStore& store, World& world, int writer, std::uint64_t seed) {
  auto random = seeded_random(seed);
  int refused = 0;
  for (int i = 0; i < kWritesEach; ++i) {
    std::string name = fmt::format("w{}-{}", writer, random->below(kKeysEach));
    if (!co_await write_once(store, world, name, random->next())) ++refused;
  }
  co_return refused;
}

int write_from_all_sides(SqliteHost& host, World& world, std::uint64_t seed) {
  std::vector<Task<int>> writers;
  for (int i = 0; i < kWriters; ++i) {
    writers.push_back(write_many(host.store(), world, i, seed + static_cast<std::uint64_t>(i)));
  }
  int refused = 0;
  for (int count : run_to_end(host.loop(), wait_all(host.loop(), std::move(writers))))
    refused += count;
  return refused;
}

using Problems = std::vector<std::string>;

// Every object is in a state it may be in, and whole; from here on that is its state.
Problems problems_of(SqliteHost& host, World& world) {
  Result<Page> page = run_to_end(host.loop(), host.store().list(kConfigMaps, {}));
  if (!page) return {page.error().text()};
  Problems problems;
  std::map<std::string, std::string> there;
  for (const Item& item : page->items) {
    if (at(item, "data.a") != at(item, "data.z")) problems.push_back("half there: " + *item.bytes);
    if (!there.emplace(item.key.name, unquoted(at(item, "data.a"))).second)
      problems.push_back(item.key.name + " is there twice");
    world.highest = std::max(world.highest, item.version);
  }
  for (auto& [name, known] : world.objects) {
    const std::string now = there.contains(name) ? there[name] : "";
    if (now != known.acknowledged && std::ranges::find(known.tried, now) == known.tried.end())
      problems.push_back(
          fmt::format("{} is \"{}\", acknowledged was \"{}\"", name, now, known.acknowledged));
    known = {now, {}};
    there.erase(name);
  }
  for (const auto& [name, value] : there) problems.push_back(name + " was never written");
  if (host.store().stats().version < world.highest)
    problems.push_back(fmt::format("the version went back to {} from {}",
                                   host.store().stats().version, world.highest));
  return problems;
}

void check(SqliteHost& host, World& world) {
  for (const std::string& problem : problems_of(host, world)) ADD_FAILURE() << problem;
}

struct Lives {
  int acknowledged = 0;
  int refused = 0;
  Problems problems = {};  // of the first life that began with any
};

// A power cut ends each life but the last, which only looks at what is left.
Lives live_through_power_cuts(FaultDisk& disk, std::uint64_t seed) {
  constexpr std::uint64_t kCuts = 4;
  auto random = seeded_random(seed * 7919);
  World world;
  Lives lives;
  for (std::uint64_t life = 0; life <= kCuts; ++life) {
    {
      SqliteHost host("store.db", disk.vfs(), seed * 100 + life);
      lives.problems =
          host.opened() ? problems_of(host, world) : Problems{host.opened().error().text()};
      if (!lives.problems.empty() || life == kCuts) break;
      disk.fail_after(1 + random->below(400));
      lives.refused += write_from_all_sides(host, world, random->next());
    }
    disk.lose_power();
  }
  lives.acknowledged = world.acknowledged;
  return lives;
}

}  // namespace

TEST(Durability, APowerCutLosesNothingThatWasAcknowledged) {
  int acknowledged = 0, refused = 0;
  std::uint64_t lost = 0;
  for (std::uint64_t seed = 1; seed <= rounds(30); ++seed) {
    SCOPED_TRACE(fmt::format("seed {}", seed));
    FaultDisk disk(seed);
    const Lives lives = live_through_power_cuts(disk, seed);
    for (const std::string& problem : lives.problems) ADD_FAILURE() << problem;
    if (HasFailure()) return;
    acknowledged += lives.acknowledged;
    refused += lives.refused;
    lost += disk.lost();
  }
  EXPECT_GT(acknowledged, 0);
  EXPECT_GT(refused, 0) << "no cut came while something was written";
  EXPECT_GT(lost, 0u) << "no cut took anything";
}

// The same lives on a disk that a store cannot survive on: the test above is able to fail.
TEST(Durability, ADiskThatOnlySaysItHasSyncedIsFoundOut) {
  std::uint64_t found = 0, lost_writes = 0;
  for (std::uint64_t seed = 1; seed <= rounds(30); ++seed) {
    FaultDisk disk(seed);
    // What was there before it began to lie stays: the loss is of writes, not of the whole file.
    ASSERT_TRUE(SqliteHost("store.db", disk.vfs(), seed).opened());
    disk.ignore_syncs();
    const Lives lives = live_through_power_cuts(disk, seed);
    if (!lives.problems.empty()) ++found;
    if (std::ranges::any_of(lives.problems, [](const std::string& problem) {
          return problem.find("acknowledged was") != std::string::npos;
        }))
      ++lost_writes;
  }
  EXPECT_GT(found, rounds(30) / 2);
  EXPECT_GT(lost_writes, 0u);
}

TEST(Durability, AFullDiskStopsWritesAndNothingElse) {
  int refused = 0;
  for (std::uint64_t seed = 1; seed <= rounds(10); ++seed) {
    SCOPED_TRACE(fmt::format("seed {}", seed));
    FaultDisk disk(seed);
    auto random = seeded_random(seed);
    World world;
    for (int life = 0; life < 3; ++life) {
      SCOPED_TRACE(fmt::format("life {}", life));
      SqliteHost host("store.db", disk.vfs(), seed);
      ASSERT_TRUE(host.opened()) << host.opened().error().text();
      check(host, world);
      if (life == 2) break;  // it only looks at what an orderly end has left
      disk.set_capacity(disk.used() + random->below(200'000));
      const int now_refused = write_from_all_sides(host, world, random->next());
      check(host, world);  // reads go on
      disk.set_capacity(std::numeric_limits<std::size_t>::max());
      EXPECT_EQ(write_from_all_sides(host, world, random->next()), 0);
      if (now_refused > 0) EXPECT_GT(host.store().stats().failed_commits, 0u);
      refused += now_refused;
      host.stop();
      if (life == 0) disk.lose_power();
      if (HasFailure()) return;
    }
  }
  EXPECT_GT(refused, 0) << "the disk was never full";
}

TEST(Durability, SaysThatTheDiskIsFull) {
  FaultDisk disk(1);
  SqliteHost host("store.db", disk.vfs());
  ASSERT_TRUE(
      run_to_end(host.loop(), host.store().create(kConfigMaps, "default", config_map("a"), {})));
  disk.set_capacity(disk.used());
  std::string big = fmt::format(R"({{"k": "{}"}})", std::string(500'000, 'x'));
  Result<Item> refused = run_to_end(
      host.loop(), host.store().create(kConfigMaps, "default", config_map("b", big), {}));
  ASSERT_EQ(refusal(refused), to_string(ErrorCode::kNoSpace));
  EXPECT_EQ(refused.error().message, "no space left on the disk that holds the store");
  EXPECT_EQ(refusal(run_to_end(host.loop(), host.store().get(kConfigMaps, {"default", "b"}))),
            to_string(ErrorCode::kNotFound));
  EXPECT_TRUE(run_to_end(host.loop(), host.store().get(kConfigMaps, {"default", "a"})));
}

TEST(Durability, AWriteOnTopOfOneThatFailsFailsToo) {
  FaultDisk disk(1);
  SqliteHost host("store.db", disk.vfs());
  ASSERT_TRUE(
      run_to_end(host.loop(), host.store().create(kConfigMaps, "default", config_map("a"), {})));
  disk.set_capacity(disk.used());
  std::string big = fmt::format(R"({{"k": "{}"}})", std::string(500'000, 'x'));
  std::vector<Task<Result<Item>>> tasks;
  tasks.push_back(host.store().create(kConfigMaps, "default", config_map("b", big), {}));
  // Each was decided when "b" was there, but "b" never came to be.
  tasks.push_back(host.store().update(kConfigMaps, {"default", "b"}, config_map("b"), {}));
  tasks.push_back(host.store().create(kConfigMaps, "default", config_map("b"), {}));
  for (const Result<Item>& result :
       run_to_end(host.loop(), wait_all(host.loop(), std::move(tasks)))) {
    EXPECT_EQ(refusal(result), to_string(ErrorCode::kNoSpace));
  }
  disk.set_capacity(std::numeric_limits<std::size_t>::max());
  EXPECT_TRUE(
      run_to_end(host.loop(), host.store().create(kConfigMaps, "default", config_map("b"), {})));
}

TEST(Durability, AFailingOperationIsSurvived) {
  for (std::uint64_t seed = 1; seed <= rounds(10); ++seed) {
    SCOPED_TRACE(fmt::format("seed {}", seed));
    FaultDisk disk(seed);
    auto random = seeded_random(seed);
    World world;
    {
      SqliteHost host("store.db", disk.vfs(), seed);
      for (int i = 0; i < 5; ++i) {
        disk.fail_next(1 + static_cast<int>(random->below(3)));
        write_from_all_sides(host, world, random->next());
        // What failed is not there, now or later: the state in memory is the state on disk.
        check(host, world);
      }
      EXPECT_EQ(write_from_all_sides(host, world, random->next()), 0);
    }
    disk.lose_power();
    SqliteHost host("store.db", disk.vfs(), seed);
    ASSERT_TRUE(host.opened()) << host.opened().error().text();
    check(host, world);
    if (HasFailure()) return;
  }
}

}  // namespace slipway::store
