#include "scenario/simulated/checkers.h"

#include <fmt/format.h>

#include "api/object.h"
#include "scenario/player/kinds.h"
#include "scenario/simulated/reading.h"

namespace slipway::scenario {

namespace {

constexpr std::int64_t kAllTraffic = 100;

std::int64_t sum_of_refs(const json::Value& rule, std::size_t& count) {
  std::int64_t sum = 0;
  const json::Value* refs = json::at(rule, {"backendRefs"});
  count = refs && refs->is_array() ? refs->get_array().size() : 0;
  for (std::size_t i = 0; i < count; ++i)
    sum += number_at(refs->get_array()[i].as_object(), {"weight"}, 1);
  return sum;
}

Finding route_adds_up(const sim::Change& route) {
  const json::Value* rules = json::at(route.object, {"spec", "rules"});
  if (!rules || !rules->is_array()) return {};
  for (const json::Value& rule : rules->get_array()) {
    std::size_t count = 0;
    const std::int64_t sum = sum_of_refs(rule, count);
    if (count > 1 && sum != kAllTraffic)
      return fmt::format("the weights of {} add up to {}: {}", route.key.name, sum,
                         json::write(rule.at("backendRefs")));
  }
  return {};
}

Finding status_adds_up(const sim::Change& rollout) {
  const json::Value* weights = json::at(rollout.object, {"status", "canary", "weights"});
  if (!weights || !weights->is_object()) return {};
  const json::Object& all = weights->get_object();
  std::int64_t sum = number_at(all, {"canary", "weight"}) + number_at(all, {"stable", "weight"});
  if (const json::Value* more = all.if_contains("additional"); more && more->is_array())
    for (const json::Value& one : more->get_array()) sum += number_at(one.as_object(), {"weight"});
  if (sum == kAllTraffic) return {};
  return fmt::format("the weights in the status add up to {}: {}", sum, json::write(*weights));
}

}  // namespace

Finding weights_do_not_add_up(const Story& story) {
  return each_change(story,
                     [](const sim::Change& change, const sim::Change*, const Moment&) -> Finding {
                       if (is_deleted(change)) return {};
                       if (change.kind == kHttpRoutes) return route_adds_up(change);
                       return change.kind == kRollouts ? status_adds_up(change) : Finding();
                     });
}

const std::vector<Checker>& checkers() {
  static const std::vector<Checker> all{{"weights_do_not_add_up", weights_do_not_add_up},
                                        {"promoted_unproven", promoted_unproven},
                                        {"aborted_became_stable", aborted_became_stable},
                                        {"steps_out_of_order", steps_out_of_order},
                                        {"moved_undecided", moved_undecided},
                                        {"made_twice", made_twice},
                                        {"too_many_pods", too_many_pods},
                                        {"too_few_pods", too_few_pods},
                                        {"traffic_to_nobody", traffic_to_nobody},
                                        {"does_not_end", does_not_end}};
  return all;
}

}  // namespace slipway::scenario
