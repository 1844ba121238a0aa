#include <fmt/format.h>
#include <gtest/gtest.h>

#include "store/embedded/embedded_host.h"
#include "store/testing/fault_disk.h"

// Random writes against a model that is too simple to be wrong: a map from name to what it should
// hold. A watch that ran from the start, and one that joined late, must each end up with the same
// map.
namespace slipway::store {

namespace {

const api::Gvr kConfigMaps{"", "v1", "configmaps"};
constexpr int kSteps = 300;
constexpr int kNames = 8;

struct Expected {
  std::string value;
  std::string label;
  Version version = 0;
  bool finalizer = false;
  bool deleting = false;
};
using Model = std::map<std::string, Expected>;

json::Object object_of(const std::string& name, const Expected& state) {
  json::Object object = config_map(name, fmt::format(R"({{"k": "{}"}})", state.value));
  json::Object& metadata = object["metadata"].as_object();
  metadata["labels"] = json::Object{{"l", state.label}};
  if (state.finalizer) metadata["finalizers"] = json::Array{"example.com/f"};
  return object;
}

class Walk {
 public:
  Walk(ContractHost& host, std::uint64_t seed) : host_(host), random_(seeded_random(seed)) {}

  void step() {
    const std::string name = fmt::format("n{}", random_->below(kNames));
    switch (random_->below(6)) {
      case 0:
      case 1:
        return create(name);
      case 2:
        return update(name, random_->below(3) == 0);
      case 3:
        return patch(name);
      case 4:
        return remove(name);
      default:
        return release(name);
    }
  }
  void compare() {
    Result<Page> page = run(host_.store().list(kConfigMaps, {.ns = "default"}));
    ASSERT_TRUE(page);
    ASSERT_EQ(page->items.size(), model_.size());
    auto expected = model_.begin();
    for (const Item& item : page->items) {
      EXPECT_EQ(item.key.name, expected->first);
      EXPECT_EQ(item.version, expected->second.version);
      EXPECT_EQ(at(item, "data.k"), "\"" + expected->second.value + "\"");
      EXPECT_EQ(!at(item, "metadata.deletionTimestamp").empty(), expected->second.deleting);
      ++expected;
    }
  }
  const Model& model() const { return model_; }
  Version version() const { return highest_; }

 private:
  template <class T>
  T run(Task<T> task) {
    return run_to_end(host_.loop(), std::move(task));
  }
  std::string fresh() { return fmt::format("v{}", ++counter_); }
  void grown(Version version) {
    EXPECT_GT(version, highest_);
    highest_ = version;
  }

  void create(const std::string& name) {
    Expected state{fresh(), random_->below(2) ? "on" : "off", 0, random_->below(4) == 0};
    Result<Item> made =
        run(host_.store().create(kConfigMaps, "default", object_of(name, state), {}));
    if (model_.contains(name)) {
      EXPECT_EQ(refusal(made), to_string(ErrorCode::kAlreadyExists));
      return;
    }
    ASSERT_TRUE(made) << made.error().text();
    grown(state.version = made->version);
    model_[name] = state;
  }

  void update(const std::string& name, bool stale) {
    auto known = model_.find(name);
    Expected next = known == model_.end() ? Expected{} : known->second;
    next.value = fresh();
    next.label = random_->below(2) ? "on" : "off";
    json::Object object = object_of(name, next);
    object["metadata"].as_object()["resourceVersion"] =
        std::to_string(next.version + (stale ? 1 : 0));
    if (next.version == 0 && !stale) json::erase(object["metadata"].as_object(), "resourceVersion");
    Result<Item> made = run(host_.store().update(kConfigMaps, {"default", name}, object, {}));
    if (known == model_.end()) {
      EXPECT_EQ(refusal(made), to_string(ErrorCode::kNotFound));
    } else if (stale) {
      EXPECT_EQ(refusal(made), to_string(ErrorCode::kConflict));
    } else {
      ASSERT_TRUE(made) << made.error().text();
      grown(next.version = made->version);
      known->second = next;
    }
  }

  void patch(const std::string& name) {
    auto known = model_.find(name);
    const std::string value =
        random_->below(5) == 0 && known != model_.end() ? known->second.value : fresh();
    Patch change{PatchType::kMerge, json::Object{{"data", json::Object{{"k", value}}}}};
    Result<Item> made = run(host_.store().patch(kConfigMaps, {"default", name}, change, {}));
    if (known == model_.end()) {
      EXPECT_EQ(refusal(made), to_string(ErrorCode::kNotFound));
      return;
    }
    ASSERT_TRUE(made) << made.error().text();
    if (value == known->second.value) {
      EXPECT_EQ(made->version, known->second.version);
      return;
    }
    grown(known->second.version = made->version);
    known->second.value = value;
  }

  void remove(const std::string& name) {
    auto known = model_.find(name);
    Result<Store::Deleted> gone = run(host_.store().remove(kConfigMaps, {"default", name}, {}));
    if (known == model_.end()) {
      EXPECT_EQ(refusal(gone), to_string(ErrorCode::kNotFound));
      return;
    }
    ASSERT_TRUE(gone) << gone.error().text();
    EXPECT_EQ(gone->gone, !known->second.finalizer);
    if (gone->gone) {
      grown(gone->item.version);
      model_.erase(known);
    } else if (!known->second.deleting) {
      grown(known->second.version = gone->item.version);
      known->second.deleting = true;
    }
  }

  // Takes the finalizers away: an object that is being deleted goes.
  void release(const std::string& name) {
    auto known = model_.find(name);
    if (known == model_.end() || !known->second.finalizer) return;
    Patch change{PatchType::kMerge, parse_value(R"({"metadata": {"finalizers": null}})")};
    Result<Item> made = run(host_.store().patch(kConfigMaps, {"default", name}, change, {}));
    ASSERT_TRUE(made) << made.error().text();
    grown(made->version);
    if (known->second.deleting) {
      model_.erase(known);
    } else {
      known->second.version = made->version;
      known->second.finalizer = false;
    }
  }

  ContractHost& host_;
  std::unique_ptr<Random> random_;
  Model model_;
  Version highest_ = 0;
  int counter_ = 0;
};

// Follows a watch and keeps what it is told.
class Follower {
 public:
  Follower(ContractHost& host, WatchOptions options) : host_(host) {
    auto started = run_to_end(host.loop(), host.store().watch(kConfigMaps, std::move(options)));
    EXPECT_TRUE(started);
    watch_ = std::move(*started);
  }
  void catch_up() {
    while (true) {
      auto events = run_to_end(host_.loop(), watch_->next(Duration(0), {}));
      if (!events) {
        EXPECT_EQ(refusal(events), to_string(ErrorCode::kTimeout));
        return;
      }
      for (const Event& event : *events) take(event);
    }
  }
  std::map<std::string, Version> known;

 private:
  void take(const Event& event) {
    const std::string& name = event.item.key.name;
    EXPECT_EQ(event.type == EventType::kAdded, !known.contains(name));
    if (event.type == EventType::kDeleted) {
      known.erase(name);
    } else {
      known[name] = event.item.version;
    }
  }
  ContractHost& host_;
  std::unique_ptr<Watch> watch_;
};

void walk(ContractHost& host, std::uint64_t seed) {
  Walk walk(host, seed);
  Follower all(host, {.ns = "default"});
  Follower on(host, {.ns = "default", .labels = *api::parse_label_selector("l=on")});
  for (int i = 0; i < kSteps && !testing::Test::HasFailure(); ++i) {
    walk.step();
    if (i % 50 == 0) walk.compare();
    if (i % 7 == 0) all.catch_up();
    if (i % 31 == 0) on.catch_up();
  }
  walk.compare();
  all.catch_up();
  on.catch_up();
  std::map<std::string, Version> expected, expected_on;
  for (const auto& [name, state] : walk.model()) {
    expected[name] = state.version;
    if (state.label == "on") expected_on[name] = state.version;
  }
  EXPECT_EQ(all.known, expected);
  EXPECT_EQ(on.known, expected_on);
}

}  // namespace

TEST(StoreModel, MemoryAgreesWithAMap) {
  for (std::uint64_t seed = 1; seed <= rounds(20) && !testing::Test::HasFailure(); ++seed) {
    SCOPED_TRACE(fmt::format("seed {}", seed));
    MemoryHost host(seed);
    walk(host, seed);
  }
}

TEST(StoreModel, SqliteAgreesWithAMap) {
  for (std::uint64_t seed = 1; seed <= rounds(10) && !testing::Test::HasFailure(); ++seed) {
    SCOPED_TRACE(fmt::format("seed {}", seed));
    FaultDisk disk(seed);
    SqliteHost host("store.db", disk.vfs(), seed);
    walk(host, seed);
  }
}

}  // namespace slipway::store
