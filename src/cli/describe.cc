#include "cli/describe.h"

#include <fmt/format.h>

#include <algorithm>

#include "cli/exit_code.h"
#include "cli/output.h"
#include "cli/wanted.h"

namespace slipway::cli {

namespace {

class Describer {
 public:
  Describer(Session& session, const DescribeOptions& options)
      : session_(session), options_(options) {}

  Task<int> run() {
    auto wanted = co_await find_wanted(session_, options_.words);
    if (!wanted) co_return complain(wanted.error());
    int code = kExitDone;
    for (const auto& one : *wanted) {
      const int end = one.names.empty() ? co_await show_all(one) : co_await show_named(one);
      code = std::max(code, end);
    }
    if (code == kExitDone && !shown_)
      note(fmt::format("No resources found in {} namespace.", session_.ns()));
    co_return code;
  }

 private:
  // What is found is shown, though others are not there.
  Task<int> show_named(const Wanted& wanted) {
    int code = kExitDone;
    for (const auto& name : wanted.names) {
      auto object = co_await session_.send({.target = wanted.kind.path(session_.ns(), name)});
      if (object)
        co_await show(std::move(*object));
      else
        code = std::max(code, complain(object.error()));
    }
    co_return code;
  }

  Task<int> show_all(const Wanted& wanted) {
    std::string target = wanted.kind.path(options_.all_namespaces ? "" : session_.ns());
    if (!options_.selector.empty())
      target += "?" + http::format_query({{"labelSelector", options_.selector}});
    auto list = co_await session_.send({.target = target});
    if (!list) co_return complain(list.error());
    for (auto& item : list->at("items").get_array()) {
      auto& object = item.get_object();
      object["kind"] = wanted.kind.kind;
      object["apiVersion"] = wanted.kind.api_version();
      co_await show(std::move(item));
    }
    co_return kExitDone;
  }

  Task<> show(json::Value object) {
    if (auto* metadata = json::at(object, {"metadata"}))
      json::erase(metadata->get_object(), "managedFields");
    const std::string uid(json::string_at(object, {"metadata", "uid"}));
    const std::string ns(json::string_at(object, {"metadata", "namespace"}));
    auto events = co_await session_.send(
        {.target =
             fmt::format("/api/v1/namespaces/{}/events?{}", ns.empty() ? "default" : ns,
                         http::format_query({{"fieldSelector", "involvedObject.uid=" + uid}}))});
    json::Array found;
    if (events && json::at(*events, {"items"})) found = std::move(events->at("items").get_array());
    if (std::exchange(shown_, true)) print("\n\n");
    print(describe_text(object, found, session_.loop().clock().now()));
  }

  Session& session_;
  const DescribeOptions& options_;
  bool shown_ = false;
};

}  // namespace

int describe(const DescribeOptions& options) {
  const auto choice = check_choice({.words = options.words,
                                    .selector = options.selector,
                                    .all_namespaces = options.all_namespaces});
  if (!choice) return complain(choice.error()), kExitUsage;
  auto session = Session::open(options.server);
  if (!session) return complain(session.error()), kExitCannotAsk;
  Describer describer(**session, options);
  return run_to_end((*session)->loop(), describer.run());
}

}  // namespace slipway::cli
