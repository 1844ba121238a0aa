#include "cli/get.h"

#include <fmt/format.h>

#include <algorithm>

#include "cli/exit_code.h"
#include "cli/get_runs.h"
#include "cli/get_table.h"
#include "cli/output.h"
#include "cli/wanted.h"
#include "cli/watching.h"

namespace slipway::cli {

namespace {

constexpr std::string_view kTable = "application/json;as=Table;v=v1;g=meta.k8s.io,application/json";

class Getter {
 public:
  Getter(Session& session, const GetOptions& options, Format format)
      : session_(session), options_(options), format_(format) {}

  Task<int> run() {
    auto wanted = co_await find_wanted(session_, options_.words);
    if (!wanted) co_return complain(wanted.error());
    if (options_.watch && wanted->size() > 1) {
      note(fmt::format("slipway: --watch follows one type; {} stands for {}",
                       options_.words.front(), wanted->size()));
      co_return kExitUsage;
    }
    if (is_live(wanted->front())) co_return co_await follow_live(wanted->front());
    table_ = TableReader({.format = format_,
                          .with_namespace = options_.all_namespaces,
                          .with_labels = options_.show_labels,
                          .type_before_name = wanted->size() > 1});
    int code = kExitDone;
    for (const auto& one : *wanted) code = std::max(code, co_await show(one));
    const bool begins_with_watch = options_.watch && !wanted->front().names.empty();
    // What was found is shown, though others that were named are not there.
    const bool found = code == kExitDone || (code == kExitFailed && !objects_.empty());
    if (found && as_objects() && !begins_with_watch) print_objects(is_single(*wanted));
    if (code == kExitDone && !as_objects() && !printed_before_ && !options_.watch)
      note_nothing(*wanted);
    if (code == kExitDone && options_.watch) code = co_await follow(wanted->front());
    co_return code;
  }

 private:
  // Measurements are worth more than a line a change, where they can be drawn.
  bool is_live(const Wanted& wanted) const {
    return options_.watch && format_ == Format::kTable && !options_.show_labels &&
           stdout_is_terminal() && is_drawn_live(wanted.kind);
  }
  bool as_objects() const { return format_ == Format::kJson || format_ == Format::kYaml; }
  static bool is_single(const std::vector<Wanted>& wanted) {
    return wanted.size() == 1 && wanted.front().names.size() == 1;
  }
  void note_nothing(const std::vector<Wanted>& wanted) const {
    const bool inside =
        !options_.all_namespaces &&
        std::ranges::any_of(wanted, [](const Wanted& one) { return one.kind.namespaced; });
    note(inside ? fmt::format("No resources found in {} namespace.", session_.ns())
                : "No resources found");
  }
  std::string namespace_for() const { return options_.all_namespaces ? "" : session_.ns(); }

  using Parameters = std::vector<std::pair<std::string, std::string>>;

  Parameters selection() const {
    Parameters parameters;
    if (!options_.selector.empty()) parameters.emplace_back("labelSelector", options_.selector);
    if (!options_.field_selector.empty())
      parameters.emplace_back("fieldSelector", options_.field_selector);
    return parameters;
  }
  static std::string query(const Parameters& parameters) {
    return parameters.empty() ? "" : "?" + http::format_query(parameters);
  }
  std::string page_query(std::string_view continue_token) const {
    Parameters parameters = selection();
    if (options_.chunk_size > 0)
      parameters.emplace_back("limit", std::to_string(options_.chunk_size));
    if (!continue_token.empty()) parameters.emplace_back("continue", std::string(continue_token));
    return query(parameters);
  }

  Task<Result<json::Value>> fetch(std::string target) {
    store::kube::Call call{.target = std::move(target)};
    call.headers.set("Accept", as_objects() ? "application/json" : std::string(kTable));
    co_return co_await session_.send(std::move(call));
  }

  Task<int> show(const Wanted& wanted) {
    int code = kExitDone;
    if (wanted.names.empty()) {
      std::string token;
      do {
        auto page = co_await fetch(wanted.kind.path(namespace_for()) + page_query(token));
        if (!page) co_return complain(page.error());
        token = json::string_at(*page, {"metadata", "continue"});
        version_ = json::string_at(*page, {"metadata", "resourceVersion"});
        take(wanted.kind, std::move(*page));
      } while (!token.empty());
    }
    for (const auto& name : wanted.names) {
      auto one = co_await fetch(wanted.kind.path(session_.ns(), name));
      if (!one) {
        code = std::max(code, complain(one.error()));
        continue;
      }
      // A watch from now on begins with the object as it is. One from the object's version would
      // not do: the server may have forgotten what came after an old one.
      if (!options_.watch) take(wanted.kind, std::move(*one));
    }
    flush();
    co_return code;
  }

  // Keeps objects for the end, and rows until their kind is complete.
  void take(const ServedKind& kind, json::Value answer) {
    if (as_objects()) {
      if (!options_.show_managed_fields) hide_managed_fields(answer);
      if (auto* items = json::at(answer, {"items"}); items && items->is_array()) {
        for (auto& item : items->get_array()) {
          auto& object = item.get_object();
          if (!object.contains("kind")) object["kind"] = kind.kind;
          if (!object.contains("apiVersion")) object["apiVersion"] = kind.api_version();
          objects_.push_back(std::move(item));
        }
      } else {
        objects_.push_back(std::move(answer));
      }
      return;
    }
    for (auto& line : rows_of(kind, answer, rows_.empty())) rows_.push_back(std::move(line));
  }

  std::vector<std::vector<std::string>> rows_of(const ServedKind& kind, const json::Value& answer,
                                                bool first) {
    return table_.rows(kind, answer, first && !options_.no_headers, session_.loop().clock().now());
  }

  void flush() {
    if (rows_.empty()) return;
    if (printed_before_ && format_ != Format::kName) print_line("");
    widths_.clear();
    print(align(rows_, widths_));
    rows_.clear();
    printed_before_ = true;
  }

  // One document after another: a watch has no end at which there would be one.
  void print_streamed(const json::Value& object) {
    if (std::exchange(printed_before_, true) && format_ == Format::kYaml) print("---\n");
    print_value(object, format_);
  }

  void print_objects(bool single) {
    if (options_.watch) {
      for (const auto& object : objects_) print_streamed(object);
      return;
    }
    if (single && objects_.size() == 1) return print_value(objects_.front(), format_);
    print_value(json::Object{{"apiVersion", "v1"},
                             {"kind", "List"},
                             {"metadata", json::Object{{"resourceVersion", ""}}},
                             {"items", objects_}},
                format_);
  }

  Watching watching(const Wanted& wanted, std::string accept) {
    Parameters parameters = selection();
    if (!wanted.names.empty())
      parameters.emplace_back("fieldSelector", "metadata.name=" + wanted.names.front());
    const std::string ns = wanted.names.empty() ? namespace_for() : session_.ns();
    return {
        session_.loop(),
        {.open = [this](store::kube::Call call) { return session_.open_stream(std::move(call)); },
         .list = wanted.kind.path(ns) + query(parameters),
         .accept = std::move(accept),
         .version = version_,
         .ended = session_.stream_ended()}};
  }

  Task<int> follow_live(Wanted wanted) {
    for (const auto& name : wanted.names) {
      auto one = co_await fetch(wanted.kind.path(session_.ns(), name));
      if (!one) co_return complain(one.error());
    }
    co_return co_await follow_runs(session_, watching(wanted, "application/json"),
                                   options_.all_namespaces);
  }

  Task<int> follow(const Wanted& wanted) {
    Watching events = watching(wanted, as_objects() ? "application/json" : std::string(kTable));
    while (!output_failed()) {
      auto event = co_await events.next();
      if (!event) co_return complain(event.error());
      if (json::string_at(*event, {"type"}) == "BOOKMARK")
        rows_of(wanted.kind, event->at("object"), false);  // the columns come with the first event
      else
        print_event(wanted.kind, std::move(event->at("object")));
    }
    co_return kExitCannotAsk;
  }

  void print_event(const ServedKind& kind, json::Value object) {
    if (as_objects()) {
      if (!options_.show_managed_fields) hide_managed_fields(object);
      return print_streamed(object);
    }
    const bool first = !std::exchange(printed_before_, true);
    print(align(rows_of(kind, object, first), widths_));
  }

  Session& session_;
  const GetOptions& options_;
  Format format_;
  std::vector<std::vector<std::string>> rows_;
  std::vector<std::size_t> widths_;  // of the columns, which a watch keeps
  json::Array objects_;
  std::string version_ = "0";
  bool printed_before_ = false;
  TableReader table_{{}};
};

}  // namespace

int get(const GetOptions& options) {
  auto format = parse_format(options.output);
  if (!format) return complain(format.error()), kExitUsage;
  const auto choice = check_choice({.words = options.words,
                                    .selector = options.selector,
                                    .field_selector = options.field_selector,
                                    .all_namespaces = options.all_namespaces,
                                    .watch = options.watch});
  if (!choice) return complain(choice.error()), kExitUsage;
  auto session = Session::open(options.server);
  if (!session) return complain(session.error()), kExitCannotAsk;
  Getter getter(**session, options, *format);
  return run_to_end((*session)->loop(), getter.run());
}

}  // namespace slipway::cli
