#include "runtime/traffic/render_listener.h"

#include <fmt/format.h>

#include <algorithm>

#include "runtime/traffic/words.h"

namespace slipway::runtime::traffic {

namespace {

constexpr std::int64_t kMostMilliseconds =
    std::numeric_limits<std::int32_t>::max();  // of a timeout
constexpr std::string_view kTaken = "{ var(txn.rule) -m found }";
constexpr std::string_view kChosen = "{ var(txn.choice) -m found }";

// A pattern of a whole text. A lone brace would end the condition it stands in.
std::string whole(const TextMatch& match) {
  if (match.regex) return "-m reg -- " + quoted("^(?:" + match.value + ")$");
  return "-m str -- " + quoted(match.value);
}

// Names the tests of a match; all must hold. A name with several lines needs one of them.
class MatchLines {
 public:
  MatchLines(Lines& lines, const store::Key& route, std::size_t index)
      : lines_(lines), route_(route), index_(index) {}

  void test(std::string_view what, const std::string& fetch, const std::string& pattern) {
    const std::string name = fmt::format("m{}_{}", index_, what);
    lines_.add_of(route_, fmt::format("acl {} {} {}", name, fetch, pattern));
    if (names_.empty() || names_.back() != name) names_.push_back(name);
  }
  // What is no expression by itself may be one within the brackets around it: "a)|(b". So it is
  // read alone, too.
  void test(std::string_view what, const std::string& fetch, const TextMatch& match) {
    if (match.regex && match.value.contains(')'))
      lines_.add_of(
          route_, fmt::format("acl m{}_alone {} -m reg -- {}", index_, fetch, quoted(match.value)));
    test(what, fetch, whole(match));
  }
  std::string condition() const {
    std::string all = fmt::format("if !{}", kTaken);
    for (const std::string& name : names_) all += " " + name;
    return all;
  }

 private:
  Lines& lines_;
  const store::Key& route_;
  std::size_t index_;
  std::vector<std::string> names_;
};

void test_path(const Match& match, MatchLines& tests) {
  switch (match.path_kind) {
    case Match::Path::kExact:
      return tests.test("path", "path", "-m str -- " + quoted(match.path));
    case Match::Path::kRegex:
      return tests.test("path", "path", TextMatch{.regex = true, .value = match.path});
    case Match::Path::kPrefix:
      if (match.path == "/") return;
      tests.test("path", "path", "-m str -- " + quoted(match.path));
      return tests.test("path", "path", "-m beg -- " + quoted(match.path + "/"));
  }
}

void render_match(const Match& match, std::size_t index, const Rule& rule, Lines& lines) {
  MatchLines tests(lines, rule.route, index);
  constexpr std::string_view kHost = "req.hdr(host),host_only,lower";
  if (match.host.starts_with("*."))
    tests.test("host", std::string(kHost), "-m end -- " + quoted(match.host.substr(1)));
  else if (!match.host.empty())
    tests.test("host", std::string(kHost), "-m str -- " + quoted(match.host));
  test_path(match, tests);
  if (!match.method.empty()) tests.test("method", "method", "-m str -- " + quoted(match.method));
  for (std::size_t i = 0; i < match.headers.size(); ++i)
    tests.test(fmt::format("header{}", i), fmt::format("req.fhdr({})", match.headers[i].name),
               match.headers[i]);
  for (std::size_t i = 0; i < match.parameters.size(); ++i)
    tests.test(fmt::format("param{}", i),
               fmt::format("url_param({}),url_dec", match.parameters[i].name), match.parameters[i]);
  // What is left of the path after the prefix, for those who replace the prefix.
  if (match.path_kind == Match::Path::kPrefix)
    lines.add_of(rule.route,
                 fmt::format("http-request set-var(txn.rest) path,bytes({}) {}",
                             match.path == "/" ? 0 : match.path.size(), tests.condition()));
  lines.add_of(rule.route, fmt::format("http-request set-var(txn.rule) str({}) {}", rule.name,
                                       tests.condition()));
}

void render_edits(const std::vector<HeaderEdit>& edits, std::string_view stage,
                  const std::string& condition, const store::Key& route, Lines& lines) {
  for (const HeaderEdit& edit : edits) {
    if (edit.kind == HeaderEdit::Kind::kRemove) {
      lines.add_of(route, fmt::format("{} del-header {} {}", stage, edit.name, condition));
      continue;
    }
    const bool set = edit.kind == HeaderEdit::Kind::kSet;
    lines.add_of(route, fmt::format("{} {}-header {} {} {}", stage, set ? "set" : "add", edit.name,
                                    quoted_format(edit.value), condition));
  }
}

std::string location(const Redirect& redirect, std::int32_t listening) {
  const std::string scheme = redirect.scheme.empty() ? "http" : redirect.scheme;
  const bool as_asked = redirect.host.empty() && redirect.scheme.empty() && !redirect.port;
  std::string text = scheme + "://";
  text += as_asked                ? "%[req.hdr(host)]"
          : redirect.host.empty() ? "%[req.hdr(host),host_only]"
                                  : format_text(redirect.host);
  const std::int32_t usual = scheme == "https" ? 443 : 80;
  const std::int32_t otherwise = redirect.scheme.empty() ? listening : usual;
  const std::int32_t port = redirect.port.value_or(otherwise);
  if (!as_asked && port != usual) text += fmt::format(":{}", port);
  return text;
}

// `write` puts a path in place; one whose prefix is replaced may have nothing left after it.
void render_path(const std::optional<PathEdit>& edit, const std::string& condition, auto&& write) {
  const std::string value = format_text(edit->value);
  if (edit->kind == PathEdit::Kind::kFull) return write(value, condition);
  constexpr std::string_view kRest = "{ var(txn.rest) -m len gt 0 }";
  write(value + "%[var(txn.rest)]", fmt::format("{} {}", condition, kRest));
  write(value.empty() ? "/" : value, fmt::format("{} !{}", condition, kRest));
}

void render_filters(const Filters& filters, const std::string& condition, const Rule& rule,
                    const Listener& listener, Lines& lines) {
  render_edits(filters.request, "http-request", condition, rule.route, lines);
  render_edits(filters.response, "http-response", condition, rule.route, lines);
  if (const auto& rewrite = filters.rewrite) {
    if (!rewrite->host.empty())
      lines.add_of(rule.route, fmt::format("http-request set-header Host {} {}",
                                           quoted_format(rewrite->host), condition));
    if (rewrite->path)
      render_path(rewrite->path, condition, [&](const std::string& path, const std::string& when) {
        lines.add_of(rule.route, fmt::format("http-request set-path {} {}", quoted(path), when));
      });
  }
  if (const auto& redirect = filters.redirect) {
    const auto write = [&](const std::string& path, const std::string& when) {
      lines.add_of(rule.route, fmt::format("http-request redirect location {} code {} {}",
                                           quoted(location(*redirect, listener.port) + path),
                                           redirect->code, when));
    };
    if (!redirect->path) return write("%[pathq]", condition);
    lines.add_of(rule.route, "http-request set-var-fmt(txn.query) ?%[query] " + condition +
                                 " { query -m len gt 0 }");
    render_path(redirect->path, condition, [&](const std::string& path, const std::string& when) {
      write(path + "%[var(txn.query)]", when);
    });
  }
}

void answer_error(int status, std::string_view text, const std::string& condition, Lines& lines) {
  lines.add(fmt::format("http-request return status {} content-type text/plain string '{}' {}",
                        status, text, condition));
}

// Draws once, then takes the first choice whose cut is beyond the draw.
void render_choosing(std::size_t most, Lines& lines) {
  lines.add(fmt::format("http-request set-var(txn.draw) rand({})", kDraws));
  lines.add(fmt::format("http-request set-var(txn.cuts) var(txn.rule),map({})", kWeightsFile));
  for (std::size_t i = 1; i <= most; ++i) {
    lines.add(fmt::format("http-request set-var(txn.cut) var(txn.cuts),field({},:)", i));
    lines.add(fmt::format(
        "http-request set-var(txn.choice) int({}) if !{} {{ var(txn.draw),sub(txn.cut) lt 0 }}", i,
        kChosen));
  }
}

void render_rule(const Rule& rule, std::size_t index, const Listener& listener, Lines& lines) {
  lines.add(fmt::format("acl r{} var(txn.rule) -m str -- {}", index, rule.name));
  const std::string condition = fmt::format("if r{}", index);
  if (rule.patience > Duration::zero())
    lines.add(fmt::format(
        "http-request set-var(txn.patience) int({}) {}",
        std::clamp<std::int64_t>(
            std::chrono::duration_cast<std::chrono::milliseconds>(rule.patience).count(), 1,
            kMostMilliseconds),
        condition));
  render_filters(rule.filters, condition, rule, listener, lines);
  for (std::size_t i = 0; i < rule.choices.size(); ++i) {
    const std::string chosen = fmt::format("{} {{ var(txn.choice) -m int {} }}", condition, i + 1);
    render_filters(rule.choices[i].filters, chosen, rule, listener, lines);
    if (rule.choices[i].backend.empty())
      answer_error(500, "the backend of this route does not exist", chosen, lines);
  }
}

std::vector<const Rule*> rules_at(const Listener& listener, const Traffic& traffic) {
  std::vector<const Rule*> rules;
  for (const Match& match : listener.matches) {
    const Rule* rule = &traffic.rules.at(match.rule);
    if (std::ranges::find(rules, rule) == rules.end()) rules.push_back(rule);
  }
  return rules;
}

void render_rules(const Listener& listener, const Traffic& traffic, Lines& lines) {
  for (std::size_t i = 0; i < listener.matches.size(); ++i)
    render_match(listener.matches[i], i, traffic.rules.at(listener.matches[i].rule), lines);
  answer_error(404, "no route takes this request", fmt::format("if !{}", kTaken), lines);
  const auto rules = rules_at(listener, traffic);
  std::size_t most = 0;
  for (const Rule* rule : rules) most = std::max(most, rule->choices.size());
  if (most > 0) render_choosing(most, lines);
  for (std::size_t i = 0; i < rules.size(); ++i) render_rule(*rules[i], i, listener, lines);
  answer_error(500, "this route leads nowhere", fmt::format("if !{}", kChosen), lines);
  for (std::size_t r = 0; r < rules.size(); ++r)
    for (std::size_t i = 0; i < rules[r]->choices.size(); ++i)
      if (!rules[r]->choices[i].backend.empty())
        lines.add(fmt::format("use_backend {} if r{} {{ var(txn.choice) -m int {} }}",
                              rules[r]->choices[i].backend, r, i + 1));
}

}  // namespace

void render_listener(const Listener& listener, const Traffic& traffic, Lines& lines) {
  lines.section("frontend " + listener.name);
  lines.add(fmt::format("bind {}:{}", listener.address, listener.port));
  if (listener.http) {
    lines.add("mode http");
    // Without it, clients that keep a connection would be cut off by a reload.
    lines.add("option idle-close-on-response");
    if (listener.forwards) lines.add("option forwardfor");
  }
  if (!listener.matches.empty())
    render_rules(listener, traffic, lines);
  else if (listener.backend.empty())
    answer_error(404, "no route takes this request", "", lines);
  else
    lines.add("default_backend " + listener.backend);
}

}  // namespace slipway::runtime::traffic
