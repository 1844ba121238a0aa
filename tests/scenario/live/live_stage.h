#pragma once

#include <filesystem>
#include <string>

#include "scenario/player/stage.h"

namespace slipway::scenario {

struct LiveOptions {
  std::string metrics;           // address of the stand-in that reads `folder`
  std::filesystem::path folder;  // metrics/NAMESPACE/SOURCE/NAME, unready/NAMESPACE/IMAGE
  double pace = 10;              // so much faster than the script says
  Duration patience = std::chrono::seconds(60);
};

// A namespace of a running API server: `slipway serve`, or a cluster with one beside it. What a
// script says of metrics and Pods is written to files, which their stand-ins read.
class LiveStage final : public Stage {
 public:
  LiveStage(Loop& loop, store::Store& store, std::string ns, const LiveOptions& options)
      : loop_(loop), store_(store), ns_(std::move(ns)), options_(options) {}

  Task<Result<>> make_namespace();

  Loop& loop() override { return loop_; }
  store::Store& store() override { return store_; }
  const std::string& ns() const override { return ns_; }
  Duration lasting(Duration scripted) const override;
  Duration patience() const override { return options_.patience; }
  void prepare(json::Object& manifest) override;
  void set_metric(const std::string& source, const std::string& name,
                  const std::string& value) override;
  Task<> set_ready(std::string image, bool ready) override;

 private:
  void prepare(json::Value& value, std::string_view key);
  void shorten(json::Value& time) const;
  // What shows a program of this machine which of its kin it is, and whether it is ready.
  void equip(json::Object& container) const;

  Loop& loop_;
  store::Store& store_;
  std::string ns_;
  const LiveOptions& options_;
};

}  // namespace slipway::scenario
