#pragma once

#include <string>

#include "api/registry.h"
#include "scenario/player/deed.h"
#include "scenario/player/script.h"
#include "scenario/player/stage.h"

namespace slipway::scenario {

// Does what a script says, one line after the other, each in its time.
class Player {
 public:
  Player(Stage& stage, api::Registry& registry, const Script& script)
      : stage_(stage), registry_(registry), script_(script) {}

  // Empty when everything came as it was expected; else the first line that did not, and how it is
  // instead.
  Task<std::string> play();
  // One line, at once. Errors: kInvalid (there is no such verb), kUnavailable (not as expected),
  // and those of the store.
  Task<Result<>> perform(Line line);
  const Deeds& deeds() const { return deeds_; }

 private:
  using Words = std::vector<std::string>;
  Task<Result<>> apply(Words words);
  Task<Result<>> apply_one(json::Object manifest);
  Task<Result<>> metric(Words words);
  Task<Result<>> ready(Words words);
  Task<Result<>> unready(Words words);
  Task<Result<>> set(Words words);
  Task<Result<>> scale(Words words);
  Task<Result<>> promote(Words words);
  Task<Result<>> abort(Words words);
  Task<Result<>> retry(Words words);
  Task<Result<>> pause(Words words);
  Task<Result<>> restart(Words words);
  Task<Result<>> undo(Words words);
  Task<Result<>> terminate(Words words);
  Task<Result<>> patch(Words words);
  Task<Result<>> remove(Words words);
  Task<Result<>> expect(Words words);

  // By the patches that Argo's own client sends.
  Task<Result<>> send(std::string verb, std::string target, std::string_view merge_patch,
                      std::string subresource = {});
  Task<Result<>> send(std::string verb, std::string target, store::Patch patch,
                      std::string subresource = {});
  Task<Result<json::Value>> read(std::string target);

  struct Verb {
    std::string_view name;
    std::size_t words;  // at least
    Task<Result<>> (Player::*perform)(Words);
  };
  static const std::vector<Verb>& verbs();

  Stage& stage_;
  api::Registry& registry_;
  const Script& script_;
  Deeds deeds_;
};

}  // namespace slipway::scenario
