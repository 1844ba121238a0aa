#include "cli/experiment_view.h"

#include <fmt/format.h>

#include <algorithm>

#include "analysis/phase.h"
#include "analysis/report/plain_text.h"
#include "cli/exit_code.h"
#include "cli/tree/marks.h"

namespace slipway::cli {

namespace {

std::string text_at(const json::Value& object, std::initializer_list<std::string_view> path) {
  return std::string(json::string_at(object, path));
}

// Of the condition InvalidSpec, while there is one.
std::string why_invalid(const json::Value& experiment) {
  const json::Value* conditions = json::at(experiment, {"status", "conditions"});
  if (conditions == nullptr || !conditions->is_array()) return {};
  for (const json::Value& one : conditions->get_array())
    if (json::string_at(one, {"type"}) == "InvalidSpec" &&
        json::string_at(one, {"status"}) == "True")
      return text_at(one, {"message"});
  return {};
}

Mark mark_of(const json::Value& experiment) {
  if (!why_invalid(experiment).empty()) return {"⚠", "InvalidSpec", Tone::kBad};
  return phase_mark(json::string_at(experiment, {"status", "phase"}));
}

std::string message_of(const json::Value& experiment) {
  const std::string why = why_invalid(experiment);
  return why.empty() ? text_at(experiment, {"status", "message"}) : why;
}

std::vector<std::string> all_images(const json::Value& experiment) {
  std::vector<std::string> images;
  const json::Value* templates = json::at(experiment, {"spec", "templates"});
  if (templates == nullptr || !templates->is_array()) return images;
  for (const json::Value& variant : templates->get_array()) {
    const json::Value* pods = json::at(variant, {"template"});
    if (pods == nullptr) continue;
    for (std::string& image : images_of(*pods)) {
      image += fmt::format(" (Σ:{})", json::string_at(variant, {"name"}));
      if (std::ranges::find(images, image) == images.end()) images.push_back(std::move(image));
    }
  }
  return images;
}

std::string remaining_of(const json::Value& experiment, Time now) {
  const auto begun = parse_time(json::string_at(experiment, {"status", "availableAt"}));
  const auto duration = parse_duration(json::string_at(experiment, {"spec", "duration"}));
  if (!begun || !duration || has_ended(experiment)) return "-";
  const auto left = std::chrono::ceil<std::chrono::seconds>(*begun + *duration - now);
  return left > left.zero() ? format_age(left) : "0s";
}

}  // namespace

std::string experiment_text(const json::Value& experiment, const Grove& grove,
                            const TreeOptions& options) {
  HeaderLines lines{{"Name", text_at(experiment, {"metadata", "name"})},
                    {"Namespace", text_at(experiment, {"metadata", "namespace"})}};
  std::string text = render_header(lines);
  // The sign may be coloured, which a header line would take away.
  text += fmt::format("{:<17}{}\n", "Status:", shown(mark_of(experiment), options.colour));
  lines.clear();
  if (const std::string message = message_of(experiment); !message.empty())
    lines.emplace_back("Message", message);
  if (const auto duration = text_at(experiment, {"spec", "duration"}); !duration.empty())
    lines.emplace_back("Duration", fmt::format("{} (remaining: {})", duration,
                                               remaining_of(experiment, grove.now)));
  std::string key = "Images";
  for (const std::string& image : all_images(experiment))
    lines.emplace_back(std::exchange(key, ""), image);
  text += render_header(lines, options.columns);
  TreeNode root = experiment_node(experiment, grove);
  root.mark = mark_of(experiment);
  return text + "\n" + render_tree(root, options);
}

std::vector<std::vector<std::string>> experiment_rows(const std::vector<json::Value>& experiments,
                                                      bool with_namespace, Time now) {
  std::vector<std::vector<std::string>> rows{{"NAME", "STATUS", "DURATION", "REMAINING", "AGE"}};
  for (const json::Value& one : experiments) {
    const std::string duration = text_at(one, {"spec", "duration"});
    rows.push_back(
        {text_at(one, {"metadata", "name"}), analysis::report::one_line(mark_of(one).word),
         duration.empty() ? "-" : analysis::report::one_line(duration), remaining_of(one, now),
         age_since(json::string_at(one, {"metadata", "creationTimestamp"}), now)});
  }
  if (!with_namespace) return rows;
  rows.front().insert(rows.front().begin(), "NAMESPACE");
  for (std::size_t i = 0; i < experiments.size(); ++i)
    rows[i + 1].insert(rows[i + 1].begin(), text_at(experiments[i], {"metadata", "namespace"}));
  return rows;
}

bool has_ended(const json::Value& experiment) {
  return analysis::is_completed(json::string_at(experiment, {"status", "phase"}));
}

int exit_code_of_phase(std::string_view phase) {
  if (phase == analysis::kSuccessful) return kExitDone;
  return phase == analysis::kInconclusive ? kExitInconclusive : kExitFailed;
}

std::string status_text(const json::Value& experiment) {
  const std::string message = message_of(experiment);
  const std::string word = mark_of(experiment).word;
  return analysis::report::one_line(message.empty() ? word : fmt::format("{}: {}", word, message));
}

}  // namespace slipway::cli
