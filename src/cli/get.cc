#include "cli/get.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "cli/exit_code.h"
#include "cli/get_runs.h"
#include "cli/lines.h"
#include "cli/output.h"
#include "cli/wanted.h"

namespace slipway::cli {

namespace {

constexpr std::string_view kTable = "application/json;as=Table;v=v1;g=meta.k8s.io,application/json";

std::string cell(const json::Value& value) {
  if (value.is_string()) return std::string(value.get_string());
  if (value.is_null()) return "<none>";
  return json::write(value);
}

std::string labels_of(const json::Value& row) {
  const json::Value* labels = json::at(row, {"object", "metadata", "labels"});
  std::string text;
  if (labels && labels->is_object())
    for (const auto& label : labels->get_object())
      text += fmt::format("{}{}={}", text.empty() ? "" : ",", std::string_view(label.key()),
                          cell(label.value()));
  return text.empty() ? "<none>" : text;
}

void drop_managed_fields(json::Value& value) {
  if (auto* metadata = json::at(value, {"metadata"}); metadata && metadata->is_object())
    json::erase(metadata->get_object(), "managedFields");
  if (auto* items = json::at(value, {"items"}); items && items->is_array())
    for (auto& item : items->get_array()) drop_managed_fields(item);
}

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
    prefix_names_ = wanted->size() > 1;
    int code = kExitDone;
    for (const auto& one : *wanted) code = std::max(code, co_await show(one));
    const bool begins_with_watch = options_.watch && !wanted->front().names.empty();
    if (code == kExitDone && as_objects() && !begins_with_watch) print_objects();
    if (code == kExitDone && !as_objects() && !shown_any_ && !options_.watch)
      note(options_.all_namespaces
               ? "No resources found"
               : fmt::format("No resources found in {} namespace.", session_.ns()));
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
  std::string namespace_for() const { return options_.all_namespaces ? "" : session_.ns(); }

  std::string query(std::string_view continue_token, bool watch) const {
    std::vector<std::pair<std::string, std::string>> parameters;
    if (!options_.selector.empty()) parameters.emplace_back("labelSelector", options_.selector);
    if (!options_.field_selector.empty())
      parameters.emplace_back("fieldSelector", options_.field_selector);
    if (!watch && options_.chunk_size > 0)
      parameters.emplace_back("limit", std::to_string(options_.chunk_size));
    if (!continue_token.empty()) parameters.emplace_back("continue", std::string(continue_token));
    if (watch)
      parameters.insert(parameters.end(), {{"watch", "true"}, {"resourceVersion", version_}});
    return parameters.empty() ? "" : "?" + http::format_query(parameters);
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
        auto page = co_await fetch(wanted.kind.path(namespace_for()) + query(token, false));
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
      single_ = objects_.empty() && !json::at(answer, {"items"}) && options_.words.size() > 0;
      if (!options_.show_managed_fields) drop_managed_fields(answer);
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
    for (auto& line : rows_of(kind, answer, rows_.empty() && !options_.no_headers))
      rows_.push_back(std::move(line));
  }

  std::vector<std::vector<std::string>> rows_of(const ServedKind& kind, const json::Value& table,
                                                bool header) {
    std::vector<std::vector<std::string>> lines;
    const json::Value* columns = json::at(table, {"columnDefinitions"});
    const json::Value* rows = json::at(table, {"rows"});
    if (!rows || !rows->is_array() || rows->get_array().empty()) return lines;
    if (format_ == Format::kName) {
      for (const auto& row : rows->get_array()) {
        shown_any_ = true;
        lines.push_back({kind.object_name(json::string_at(row, {"object", "metadata", "name"}))});
      }
      return lines;
    }
    if (columns && columns->is_array()) columns_ = *columns;
    const bool with_namespace = options_.all_namespaces && kind.namespaced;
    if (header) {
      auto& line = lines.emplace_back();
      if (with_namespace) line.push_back("NAMESPACE");
      for (const auto& column : columns_.get_array())
        if (shown(column)) line.push_back(text::upper(json::string_at(column, {"name"})));
      if (options_.show_labels) line.push_back("LABELS");
    }
    for (const auto& row : rows->get_array()) {
      shown_any_ = true;
      auto& line = lines.emplace_back();
      if (with_namespace)
        line.emplace_back(json::string_at(row, {"object", "metadata", "namespace"}));
      const auto& cells = row.at("cells").get_array();
      for (std::size_t i = 0; i < cells.size() && i < columns_.get_array().size(); ++i) {
        if (!shown(columns_.get_array()[i])) continue;
        line.push_back(i == 0 && prefix_names_ ? kind.object_name(cell(cells[i])) : cell(cells[i]));
      }
      if (options_.show_labels) line.push_back(labels_of(row));
    }
    return lines;
  }

  bool shown(const json::Value& column) const {
    const json::Value* priority = json::at(column, {"priority"});
    return format_ == Format::kWide || !priority || priority->to_number<int>() == 0;
  }

  void flush() {
    if (rows_.empty()) return;
    if (printed_before_ && format_ != Format::kName) print_line("");
    print(align(rows_));
    rows_.clear();
    printed_before_ = true;
  }

  // One document after another: a watch has no end at which there would be one.
  void print_streamed(const json::Value& object) {
    if (std::exchange(printed_before_, true) && format_ == Format::kYaml) print("---\n");
    print_value(object, format_);
  }

  void print_objects() {
    if (options_.watch) {
      for (const auto& object : objects_) print_streamed(object);
      return;
    }
    if (single_ && objects_.size() == 1) return print_value(objects_.front(), format_);
    print_value(json::Object{{"apiVersion", "v1"},
                             {"kind", "List"},
                             {"metadata", json::Object{{"resourceVersion", ""}}},
                             {"items", objects_}},
                format_);
  }

  std::string watch_target(const Wanted& wanted) const {
    const std::string ns = wanted.names.empty() ? namespace_for() : session_.ns();
    std::string target = wanted.kind.path(ns) + query("", true);
    if (!wanted.names.empty())
      target += "&fieldSelector=metadata.name%3D" + http::percent_encode(wanted.names.front());
    return target;
  }

  Task<int> follow_live(Wanted wanted) {
    for (const auto& name : wanted.names) {
      auto one = co_await fetch(wanted.kind.path(session_.ns(), name));
      if (!one) co_return complain(one.error());
    }
    co_return co_await follow_runs(session_, watch_target(wanted), options_.all_namespaces);
  }

  Task<int> follow(const Wanted& wanted) {
    store::kube::Call call{.target = watch_target(wanted)};
    call.headers.set("Accept", as_objects() ? "application/json" : std::string(kTable));
    auto stream = co_await session_.open_stream(std::move(call));
    if (!stream) co_return complain(stream.error());
    Lines lines(**stream);
    while (true) {
      auto line = co_await lines.next();
      if (!line) co_return complain(line.error());
      if (line->empty()) co_return kExitDone;
      auto event = json::read(*line, {.max_bytes = line->size()});
      if (!event) co_return complain(event.error());
      const json::Value& object = event->at("object");
      if (json::string_at(*event, {"type"}) == "ERROR")
        co_return complain({.code = ErrorCode::kExpired,
                            .message = std::string(json::string_at(object, {"message"}))});
      print_event(wanted.kind, std::move(event->at("object")));
      if (output_failed()) co_return kExitCannotAsk;
    }
  }

  void print_event(const ServedKind& kind, json::Value object) {
    if (as_objects()) {
      if (!options_.show_managed_fields) drop_managed_fields(object);
      return print_streamed(object);
    }
    const bool header = !options_.no_headers && !std::exchange(printed_before_, true);
    print(align(rows_of(kind, object, header)));
  }

  Session& session_;
  const GetOptions& options_;
  Format format_;
  std::vector<std::vector<std::string>> rows_;
  json::Value columns_ = json::Array{};
  json::Array objects_;
  std::string version_ = "0";
  bool prefix_names_ = false;
  bool shown_any_ = false;
  bool printed_before_ = false;
  bool single_ = false;
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
