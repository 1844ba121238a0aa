#include <fmt/format.h>
#include <gmock/gmock.h>
#include <sys/stat.h>

#include <fstream>

#include "async/wait_all.h"
#include "store/embedded/embedded_host.h"
#include "store/testing/fault_disk.h"

namespace slipway::store {

using testing::HasSubstr;

namespace {

const api::Gvr kConfigMaps{"", "v1", "configmaps"};
const api::Gvr kDefinitions{"apiextensions.k8s.io", "v1", "customresourcedefinitions"};
const api::Gvr kThings{"example.com", "v1", "things"};

Result<Item> create(SqliteHost& host, std::string name, std::string data = R"({"k": "v"})") {
  return run_to_end(host.loop(),
                    host.store().create(kConfigMaps, "default", config_map(name, data), {}));
}
Result<Item> get(SqliteHost& host, std::string name) {
  return run_to_end(host.loop(), host.store().get(kConfigMaps, {"default", std::move(name)}));
}

}  // namespace

TEST(SqliteStore, KeepsEverythingAcrossARestart) {
  ScratchFolder folder;
  Version last = 0;
  std::string bytes;
  {
    SqliteHost host(folder.file("store.db"));
    ASSERT_TRUE(host.opened()) << host.opened().error().text();
    json::Object object = config_map("a");
    object["metadata"].as_object()["labels"] = json::Object{{"tier", "web"}, {"empty", ""}};
    bytes =
        *run_to_end(host.loop(), host.store().create(kConfigMaps, "default", object, {}))->bytes;
    ASSERT_TRUE(create(host, "gone"));
    last = run_to_end(host.loop(), host.store().remove(kConfigMaps, {"default", "gone"}, {}))
               ->item.version;
  }
  SqliteHost host(folder.file("store.db"));
  ASSERT_TRUE(host.opened()) << host.opened().error().text();
  EXPECT_EQ(*get(host, "a")->bytes, bytes);
  EXPECT_EQ(refusal(get(host, "gone")), to_string(ErrorCode::kNotFound));
  ListOptions web{.labels = *api::parse_label_selector("tier=web,empty=")};
  EXPECT_EQ(run_to_end(host.loop(), host.store().list(kConfigMaps, web))->items.size(), 1u);
  // The deletion had the highest version; the next write is above it all the same.
  EXPECT_GT(create(host, "b")->version, last);
}

TEST(SqliteStore, AWatchGoesOnAcrossARestartWhenNothingWasMissed) {
  ScratchFolder folder;
  Version seen = 0;
  Version before_that = 0;
  {
    SqliteHost host(folder.file("store.db"));
    before_that = create(host, "a")->version;
    seen = create(host, "b")->version;
  }
  SqliteHost host(folder.file("store.db"));
  EXPECT_EQ(
      refusal(run_to_end(host.loop(), host.store().watch(kConfigMaps, {.from = before_that}))),
      to_string(ErrorCode::kExpired));
  auto watching = run_to_end(host.loop(), host.store().watch(kConfigMaps, {.from = seen}));
  ASSERT_TRUE(watching) << watching.error().text();
  create(host, "c");
  EXPECT_EQ(summary(*run_to_end(host.loop(), (*watching)->next(std::chrono::seconds(5), {}))),
            std::vector<std::string>{"ADDED c"});
}

// A kind of which nothing is left has no table until somebody asks for it.
TEST(SqliteStore, AWatchOfAKindThatHasNothingLeftIsExpiredAfterARestart) {
  ScratchFolder folder;
  Version seen = 0;
  std::string token;
  {
    SqliteHost host(folder.file("store.db"));
    create(host, "a");
    create(host, "b");
    auto page = run_to_end(host.loop(), host.store().list(kConfigMaps, {.limit = 1}));
    seen = page->version;
    token = page->continue_token;
    for (const char* name : {"a", "b"})
      ASSERT_TRUE(run_to_end(host.loop(), host.store().remove(kConfigMaps, {"default", name}, {})));
  }
  SqliteHost host(folder.file("store.db"));
  EXPECT_EQ(refusal(run_to_end(host.loop(), host.store().watch(kConfigMaps, {.from = seen}))),
            to_string(ErrorCode::kExpired));
  EXPECT_EQ(
      refusal(run_to_end(host.loop(), host.store().list(kConfigMaps, {.continue_token = token}))),
      to_string(ErrorCode::kExpired));
}

TEST(SqliteStore, ServesCustomKindsAgainAndFinishesDeletingThem) {
  ScratchFolder folder;
  json::Object definition = parse(R"({
    "metadata": {"name": "things.example.com"},
    "spec": {"group": "example.com", "scope": "Namespaced",
      "names": {"plural": "things", "singular": "thing", "kind": "Thing", "listKind": "ThingList"},
      "versions": [{"name": "v1", "served": true, "storage": true,
        "schema": {"openAPIV3Schema": {"type": "object", "x-kubernetes-preserve-unknown-fields": true}}}]}})");
  json::Object held = parse(R"({"metadata": {"name": "t", "finalizers": ["example.com/f"]}})");
  {
    SqliteHost host(folder.file("store.db"));
    ASSERT_TRUE(run_to_end(host.loop(), host.store().create(kDefinitions, "", definition, {})));
    ASSERT_TRUE(run_to_end(host.loop(), host.store().create(kThings, "default", held, {})));
    ASSERT_TRUE(
        run_to_end(host.loop(), host.store().remove(kDefinitions, {"", "things.example.com"}, {})));
  }
  SqliteHost host(folder.file("store.db"));
  ASSERT_EQ(run_to_end(host.loop(), host.store().list(kThings, {}))->items.size(), 1u);
  Patch release{PatchType::kMerge, parse_value(R"({"metadata": {"finalizers": null}})")};
  ASSERT_TRUE(run_to_end(host.loop(), host.store().patch(kThings, {"default", "t"}, release, {})));
  for (int i = 0; i < 100 && host.store().stats().objects.contains(
                                 "customresourcedefinitions.apiextensions.k8s.io");
       ++i) {
    run_to_end(host.loop(), sleep_for(host.loop(), std::chrono::milliseconds(10)));
  }
  EXPECT_EQ(refusal(run_to_end(host.loop(), host.store().list(kThings, {}))),
            to_string(ErrorCode::kNotFound));
}

TEST(SqliteStore, OneServerAtATime) {
  ScratchFolder folder;
  SqliteHost first(folder.file("store.db"));
  ASSERT_TRUE(first.opened()) << first.opened().error().text();
  SqliteHost second(folder.file("store.db"));
  ASSERT_EQ(refusal(second.opened()), to_string(ErrorCode::kUnavailable));
  EXPECT_THAT(second.opened().error().message, HasSubstr("is in use by another slipway server"));
  EXPECT_TRUE(create(first, "a"));
}

TEST(SqliteStore, FilesAreForTheirOwnerOnly) {
  ScratchFolder folder;
  SqliteHost host(folder.file("store.db"));
  ASSERT_TRUE(create(host, "a"));
  for (const char* name : {"store.db", "store.db-wal"}) {
    struct stat info = {};
    ASSERT_EQ(::stat(folder.file(name).c_str(), &info), 0) << name;
    EXPECT_EQ(info.st_mode & 0777, 0600u) << name;
  }
}

TEST(SqliteStore, RefusesWhatIsNotAStore) {
  ScratchFolder folder;
  std::ofstream(folder.file("text")) << std::string(5000, 'x');
  SqliteHost text(folder.file("text"));
  EXPECT_EQ(refusal(text.opened()), to_string(ErrorCode::kInternal));
  SqliteHost nowhere(folder.file("no/such/folder/store.db"));
  EXPECT_EQ(refusal(nowhere.opened()), to_string(ErrorCode::kUnavailable));
  EXPECT_THAT(nowhere.opened().error().message, HasSubstr("no/such/folder/store.db"));
}

TEST(SqliteStore, RefusesDamagedPages) {
  FaultDisk disk(1);
  {
    SqliteHost host("store.db", disk.vfs());
    for (int i = 0; i < 50; ++i)
      ASSERT_TRUE(create(host, fmt::format("c{}", i),
                         fmt::format(R"({{"k": "{}"}})", std::string(2000, 'x'))));
  }
  std::string& file = disk.content("store.db");
  for (std::size_t at = 3 * 8192; at < 6 * 8192; ++at) file[at] = '\x55';
  SqliteHost host("store.db", disk.vfs());
  EXPECT_EQ(refusal(host.opened()), to_string(ErrorCode::kInternal));
}

TEST(SqliteStore, WritesThatComeTogetherShareACommit) {
  ScratchFolder folder;
  SqliteHost host(folder.file("store.db"));
  std::uint64_t before = host.store().stats().commits;
  std::vector<Task<Result<Item>>> tasks;
  for (int i = 0; i < 200; ++i) {
    tasks.push_back(
        host.store().create(kConfigMaps, "default", config_map(fmt::format("c{}", i)), {}));
  }
  for (const Result<Item>& made :
       run_to_end(host.loop(), wait_all(host.loop(), std::move(tasks)))) {
    EXPECT_TRUE(made) << made.error().text();
  }
  EXPECT_LE(host.store().stats().commits - before, 20u);
  EXPECT_EQ(host.store().stats().staged, 0u);
}

TEST(SqliteStore, WritersOfOneObjectSeeEachOther) {
  ScratchFolder folder;
  SqliteHost host(folder.file("store.db"));
  ASSERT_TRUE(create(host, "a", R"({"n": ""})"));
  json::Object stale = parse(*get(host, "a"));
  stale["data"] = json::Object{{"n", "stale"}};
  std::vector<Task<Result<Item>>> tasks;
  // All are decided before the first is on disk: one wins, the others are told.
  for (int i = 0; i < 10; ++i)
    tasks.push_back(host.store().update(kConfigMaps, {"default", "a"}, stale, {}));
  int won = 0;
  for (const Result<Item>& made :
       run_to_end(host.loop(), wait_all(host.loop(), std::move(tasks)))) {
    if (made)
      ++won;
    else
      EXPECT_EQ(made.error().code, ErrorCode::kConflict);
  }
  EXPECT_EQ(won, 1);
}

}  // namespace slipway::store
