#include <fmt/format.h>
#include <algorithm>

#include "api/rules/validate.h"

// Which names Kubernetes accepts, and its words for those it does not (k8s.io/apimachinery,
// util/validation).
namespace slipway::api {

namespace {

constexpr std::size_t kMaxSubdomain = 253;
constexpr std::size_t kMaxLabel = 63;

constexpr std::string_view kLabelFormat = "[a-z0-9]([-a-z0-9]*[a-z0-9])?";
constexpr std::string_view kQualifiedFormat = "([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]";

bool is_lower(char c) { return c >= 'a' && c <= 'z'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_lower_alnum(char c) { return is_lower(c) || is_digit(c); }
bool is_alnum(char c) { return is_lower_alnum(c) || (c >= 'A' && c <= 'Z'); }

bool is_label(std::string_view name) {
  return !name.empty() && is_lower_alnum(name.front()) && is_lower_alnum(name.back()) &&
         std::ranges::all_of(name, [](char c) { return is_lower_alnum(c) || c == '-'; });
}

bool is_subdomain(std::string_view name) {
  while (true) {
    std::size_t dot = name.find('.');
    if (!is_label(name.substr(0, dot))) return false;
    if (dot == std::string_view::npos) return true;
    name.remove_prefix(dot + 1);
  }
}

bool is_qualified_part(std::string_view name) {
  return !name.empty() && is_alnum(name.front()) && is_alnum(name.back()) &&
         std::ranges::all_of(
             name, [](char c) { return is_alnum(c) || c == '-' || c == '_' || c == '.'; });
}

std::string too_long(std::size_t limit) {
  return fmt::format("must be no more than {} characters", limit);
}

std::string wrong_form(std::string_view words, std::string_view format,
                       std::vector<std::string_view> examples) {
  std::string out = fmt::format("{} (e.g. ", words);
  for (std::size_t i = 0; i < examples.size(); ++i) {
    out += fmt::format("{}'{}', ", i > 0 ? " or " : "", examples[i]);
  }
  return fmt::format("{}regex used for validation is '{}')", out, format);
}

void add(std::string& problems, std::string problem) {
  if (!problems.empty()) problems += ", ";
  problems += problem;
}

constexpr std::string_view kQualifiedWords =
    "must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an "
    "alphanumeric character";

}  // namespace

std::string dns_subdomain_problem(std::string_view name) {
  std::string problems;
  if (name.size() > kMaxSubdomain) add(problems, too_long(kMaxSubdomain));
  if (!is_subdomain(name)) {
    add(problems, wrong_form("a lowercase RFC 1123 subdomain must consist of lower case "
                             "alphanumeric characters, '-' or "
                             "'.', and must start and end with an alphanumeric character",
                             fmt::format("{0}(\\.{0})*", kLabelFormat), {"example.com"}));
  }
  return problems;
}

std::string dns_label_problem(std::string_view name) {
  std::string problems;
  if (name.size() > kMaxLabel) add(problems, too_long(kMaxLabel));
  if (is_label(name)) return problems;
  if (is_subdomain(name)) {
    add(problems, "must not contain dots");
  } else {
    add(problems, wrong_form("a lowercase RFC 1123 label must consist of lower case alphanumeric "
                             "characters or '-', and "
                             "must start and end with an alphanumeric character",
                             kLabelFormat, {"my-name", "123-abc"}));
  }
  return problems;
}

std::string dns_1035_label_problem(std::string_view name) {
  std::string problems;
  if (name.size() > kMaxLabel) add(problems, too_long(kMaxLabel));
  if (!is_label(name) || !is_lower(name.front())) {
    add(problems, wrong_form("a DNS-1035 label must consist of lower case alphanumeric characters "
                             "or '-', start with an "
                             "alphabetic character, and end with an alphanumeric character",
                             "[a-z]([-a-z0-9]*[a-z0-9])?", {"my-name", "abc-123"}));
  }
  return problems;
}

std::string path_segment_problem(std::string_view name) {
  if (name == "." || name == "..") return fmt::format("may not be '{}'", name);
  std::string problems;
  for (std::string_view part : {"/", "%"}) {
    if (name.find(part) != std::string_view::npos)
      add(problems, fmt::format("may not contain '{}'", part));
  }
  return problems;
}

std::string label_value_problem(std::string_view value) {
  std::string problems;
  if (value.size() > kMaxLabel) add(problems, too_long(kMaxLabel));
  if (!value.empty() && !is_qualified_part(value)) {
    add(problems,
        wrong_form(
            fmt::format("a valid label must be an empty string or {}", kQualifiedWords.substr(5)),
            fmt::format("({})?", kQualifiedFormat), {"MyValue", "my_value", "12345"}));
  }
  return problems;
}

std::string qualified_name_problem(std::string_view name) {
  auto form = [] {
    return wrong_form(kQualifiedWords, kQualifiedFormat, {"MyName", "my.name", "123-abc"});
  };
  if (std::ranges::count(name, '/') > 1) {
    return fmt::format(
        "a qualified name {} with an optional DNS subdomain prefix and '/' (e.g. "
        "'example.com/MyName')",
        form());
  }
  std::string problems;
  if (std::size_t slash = name.find('/'); slash != std::string_view::npos) {
    std::string_view prefix = name.substr(0, slash);
    name.remove_prefix(slash + 1);
    if (prefix.empty()) {
      add(problems, "prefix part must be non-empty");
    } else if (std::string problem = dns_subdomain_problem(prefix); !problem.empty()) {
      add(problems, "prefix part " + problem);
    }
  }
  if (name.empty()) {
    add(problems, "name part must be non-empty");
  } else if (name.size() > kMaxLabel) {
    add(problems, "name part " + too_long(kMaxLabel));
  }
  if (!is_qualified_part(name)) add(problems, "name part " + form());
  return problems;
}

}  // namespace slipway::api
