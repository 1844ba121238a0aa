#include "analysis/kayenta/kayenta_query.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "base/text.h"

namespace slipway::analysis {

namespace {

constexpr std::string_view kVerbatim = "PromQL:";

// Kayenta keeps `${` escaped where its own pipelines would expand it.
std::string unescaped(std::string_view text) {
  std::string out(text);
  for (std::size_t at = out.find("$\\{"); at != std::string::npos; at = out.find("$\\{", at))
    out.erase(at + 1, 1);
  return out;
}

std::string_view text_of(const json::Object& query, std::string_view key) {
  const json::Value* held = query.if_contains(key);
  return held != nullptr && held->is_string() ? std::string_view(held->get_string())
                                              : std::string_view();
}

using Bindings = std::map<std::string, std::string, std::less<>>;
Bindings bindings_of(const KayentaScope& scope, const json::Object& query) {
  Bindings out;
  auto put = [&out](std::string_view name, std::string_view value) {
    if (!value.empty()) out.insert_or_assign(std::string(name), std::string(value));
  };
  put("scope", scope.scope);
  put("location", scope.location);
  for (const std::string_view name : {"resourceType", "project", "scope", "location"})
    put(name, text_of(query, name));
  for (const auto& [name, value] : scope.extended) out.insert_or_assign(name, value);
  return out;
}

std::string names_of(const Bindings& bindings) {
  std::vector<std::string_view> names;
  for (const auto& [name, unused] : bindings) names.push_back(name);
  return names.empty() ? "none" : fmt::format("{}", fmt::join(names, ", "));
}

// What stands between ${ and }: a name, perhaps with `!` and a text for want of it.
Result<std::string> value_of(std::string_view expression, const Bindings& bindings) {
  const std::string_view name = text::trim(expression.substr(0, expression.find('!')));
  if (const auto found = bindings.find(name); found != bindings.end()) return found->second;
  if (name.size() == expression.size() || expression.find('!') == expression.npos)
    return fail(ErrorCode::kInvalid,
                fmt::format("${{{}}} has no value; known are: {}", expression, names_of(bindings)));
  std::string_view otherwise = text::trim(expression.substr(expression.find('!') + 1));
  if (otherwise.size() >= 2 && (otherwise.front() == '"' || otherwise.front() == '\'') &&
      otherwise.front() == otherwise.back())
    otherwise = otherwise.substr(1, otherwise.size() - 2);
  return std::string(otherwise);
}

std::vector<std::string> texts_of(const json::Object& query, std::string_view key) {
  std::vector<std::string> out;
  const json::Value* held = query.if_contains(key);
  if (held == nullptr || !held->is_array()) return out;
  for (const json::Value& item : held->get_array())
    if (item.is_string()) out.emplace_back(item.get_string());
  return out;
}

// One query on its way to a text.
struct Asked {
  const json::Object& query;
  const KayentaScope& scope;
  std::string filter = {};  // the custom template, expanded
  std::int64_t step = 60;
  const std::string& where;

  std::unexpected<Error> refuse(std::string_view field, std::string message) const {
    return fail(ErrorCode::kInvalid, std::move(message),
                field.empty() ? where : fmt::format("{}.{}", where, field));
  }
};

Result<std::string> expanded_filter(const json::Object& query, const json::Value* templates,
                                    const KayentaScope& scope, const std::string& where) {
  std::string_view text = text_of(query, "customInlineTemplate");
  std::string_view field = "customInlineTemplate";
  if (query.contains("customFilter") && text_of(query, "customFilter") != "")
    return fail(ErrorCode::kInvalid, "customFilter is no longer used; write customInlineTemplate",
                where + ".customFilter");
  if (text.empty()) {
    field = "customFilterTemplate";
    const std::string_view name = text_of(query, field);
    if (name.empty()) return std::string();
    const json::Value* found = templates != nullptr && templates->is_object()
                                   ? templates->get_object().if_contains(name)
                                   : nullptr;
    if (found == nullptr || !found->is_string())
      return fail(ErrorCode::kInvalid,
                  fmt::format("\"{}\" is not among the configuration's templates", name),
                  fmt::format("{}.{}", where, field));
    text = found->get_string();
  }
  auto out = expand_variables(text, scope, query);
  if (!out) out.error().where = fmt::format("{}.{}", where, field);
  return out;
}

// Machines of a cloud, as Kayenta finds them by their group's name and region.
Result<std::vector<std::string>> machine_filters(const Asked& asked, std::string_view type) {
  const auto& [scope, location, extended] = asked.scope;
  if (location.empty())
    return asked.refuse("resourceType", fmt::format("\"{}\" needs a location (region)", type));
  std::vector<std::string> out;
  if (type == "aws_ec2_instance") {
    if (!scope.empty()) out.push_back(fmt::format("asg_groupName=\"{}\"", scope));
    out.push_back(fmt::format("zone=~\"{}.{{1}}\"", location));
    return out;
  }
  if (!scope.empty()) out.push_back(fmt::format("instance=~\"{}-.{{4}}\"", scope));
  const auto project = extended.find("project");
  out.push_back(fmt::format(
      "zone=~\".+/{}zones/{}-.{{1}}\"",
      project != extended.end() ? fmt::format("projects/{}/", project->second) : "", location));
  return out;
}

Result<std::vector<std::string>> label_filters(const Asked& asked) {
  std::vector<std::string> bindings;
  for (const std::string& binding : texts_of(asked.query, "labelBindings")) {
    auto text = expand_variables(binding, asked.scope, asked.query);
    if (!text) return asked.refuse("labelBindings", text.error().message);
    bindings.push_back(std::move(*text));
  }
  std::vector<std::string> out;
  if (!asked.filter.empty()) out.push_back(asked.filter);
  std::ranges::copy(bindings, std::back_inserter(out));
  if (!asked.filter.empty()) return out;
  std::string_view type = text_of(asked.query, "resourceType");
  if (const auto given = asked.scope.extended.find("resourceType");
      type.empty() && given != asked.scope.extended.end())
    type = given->second;
  if (type == "gce_instance" || type == "aws_ec2_instance") {
    auto machines = machine_filters(asked, type);
    if (!machines) return machines;
    std::ranges::copy(*machines, std::back_inserter(out));
  } else if (!type.empty()) {
    return asked.refuse("resourceType",
                        fmt::format("there is no filter for \"{}\"; write gce_instance, "
                                    "aws_ec2_instance or a customInlineTemplate",
                                    type));
  } else if (out.empty()) {
    return asked.refuse("", "needs a resourceType, labelBindings or a customInlineTemplate");
  }
  return out;
}

Result<std::string> prometheus_text(const Asked& asked) {
  if (asked.filter.starts_with(kVerbatim))
    return std::string(text::trim(std::string_view(asked.filter).substr(kVerbatim.size())));
  if (text_of(asked.query, "metricName").empty())
    return asked.refuse("metricName", "is missing; or begin the customInlineTemplate with PromQL:");
  auto filters = label_filters(asked);
  if (!filters) return std::unexpected(std::move(filters).error());
  const auto groups = texts_of(asked.query, "groupByFields");
  return fmt::format("avg({}{{{}}}){}", text_of(asked.query, "metricName"),
                     fmt::join(*filters, ","),
                     groups.empty() ? "" : fmt::format(" by ({})", fmt::join(groups, ",")));
}

Result<std::string> datadog_text(const Asked& asked) {
  if (!asked.filter.empty()) return asked.filter;
  if (text_of(asked.query, "metricName").empty())
    return asked.refuse("metricName", "is missing; or give a customInlineTemplate");
  std::vector<std::string> tags = texts_of(asked.query, "tags");
  tags.insert(tags.begin(), asked.scope.scope);
  const std::string text =
      fmt::format("{}{{{}}}", text_of(asked.query, "metricName"), fmt::join(tags, ","));
  return text::lower(text_of(asked.query, "metricType")) == "count"
             ? fmt::format("sum:{}.as_count()", text)
             : text;
}

// The range is added when it is asked.
Result<std::string> newrelic_text(const Asked& asked) {
  if (!asked.filter.empty())
    return fmt::format("{} TIMESERIES {} seconds", asked.filter, asked.step);
  if (text_of(asked.query, "select").empty())
    return asked.refuse("select", "is missing; or give a customInlineTemplate");
  const auto& extended = asked.scope.extended;
  const auto key = extended.find("_scope_key");
  std::vector<std::string> conditions;
  if (!text_of(asked.query, "q").empty()) conditions.emplace_back(text_of(asked.query, "q"));
  for (const auto& [name, value] : extended)
    if (!name.starts_with('_')) conditions.push_back(fmt::format("{} LIKE '{}'", name, value));
  conditions.push_back(fmt::format("{} LIKE '{}'",
                                   key != extended.end() ? key->second : "autoScalingGroupName",
                                   asked.scope.scope));
  const std::string_view select = text_of(asked.query, "select");
  return fmt::format("{}{} WHERE {} TIMESERIES {} seconds",
                     text::lower(select.substr(0, 6)) == "select" ? "" : "SELECT ", select,
                     fmt::join(conditions, " AND "), asked.step);
}

std::string form_escaped(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (std::string_view("%&;#+=").find(c) == std::string_view::npos)
      out += c;
    else
      out += fmt::format("%{:02X}", static_cast<unsigned char>(c));
  }
  return out;
}

// Graphite itself puts $scope and $location in.
Result<std::string> graphite_text(const Asked& asked) {
  if (text_of(asked.query, "metricName").empty()) return asked.refuse("metricName", "is missing");
  const std::string location =
      asked.scope.location.empty() ? "" : fmt::format(",location=\"{}\"", asked.scope.location);
  return "target=" +
         form_escaped(fmt::format("template({},scope=\"{}\"{})", text_of(asked.query, "metricName"),
                                  asked.scope.scope, location));
}

Result<std::string> wavefront_text(const Asked& asked) {
  if (text_of(asked.query, "metricName").empty()) return asked.refuse("metricName", "is missing");
  const std::string text = fmt::format("ts({}{}{})", text_of(asked.query, "metricName"),
                                       asked.scope.scope.empty() ? "" : ", ", asked.scope.scope);
  const std::string_view aggregate = text_of(asked.query, "aggregate");
  return aggregate.empty() ? text : fmt::format("{}({})", aggregate, text);
}

Result<std::string> signalfx_text(const Asked& asked) {
  if (!asked.filter.empty()) return asked.filter;
  if (text_of(asked.query, "metricName").empty()) return asked.refuse("metricName", "is missing");
  const auto& extended = asked.scope.extended;
  std::vector<std::string> filters;
  auto filter = [&](std::string_view key, std::string_view value) {
    filters.push_back(fmt::format("filter('{}', '{}')", key, value));
  };
  const auto scope_key = extended.find("_scope_key"), location_key = extended.find("_location_key");
  if (scope_key != extended.end()) filter(scope_key->second, asked.scope.scope);
  if (location_key != extended.end()) filter(location_key->second, asked.scope.location);
  if (const json::Value* pairs = asked.query.if_contains("queryPairs");
      pairs != nullptr && pairs->is_array())
    for (const json::Value& pair : pairs->get_array())
      filter(json::string_at(pair, {"key"}), json::string_at(pair, {"value"}));
  if (filters.empty())
    return asked.refuse("",
                        "nothing selects the scope; give queryPairs, a customInlineTemplate or "
                        "the extended parameter _scope_key");
  const std::string_view how = text_of(asked.query, "aggregationMethod");
  return fmt::format("data('{}', filter={}).{}().publish()", text_of(asked.query, "metricName"),
                     fmt::join(filters, " and "), how.empty() ? "mean" : how);
}

// Kayenta speaks another language to these than the providers here do; a whole query of theirs can
// be asked as it is.
Result<std::string> only_verbatim(const Asked& asked, std::string_view language,
                                  std::string_view beginning) {
  if (text::trim(asked.filter).starts_with(beginning)) return asked.filter;
  return asked.refuse("customInlineTemplate",
                      fmt::format("is asked in {} here; write a whole query, beginning with \"{}\"",
                                  language, beginning));
}

Result<std::string> text_for(std::string_view type, const Asked& asked) {
  if (type == "prometheus") return prometheus_text(asked);
  if (type == "datadog") return datadog_text(asked);
  if (type == "newrelic") return newrelic_text(asked);
  if (type == "graphite") return graphite_text(asked);
  if (type == "wavefront") return wavefront_text(asked);
  if (type == "signalfx") return signalfx_text(asked);
  if (type == "influxdb") return only_verbatim(asked, "Flux", "from(");
  return only_verbatim(asked, "MQL", "fetch");
}

}  // namespace

const std::vector<KayentaType>& kayenta_types() {
  static const std::vector<KayentaType> types = {
      {"datadog", "datadog", false},         {"graphite", "graphite"},     {"influxdb", "influxdb"},
      {"newrelic", "newrelic", false},       {"prometheus", "prometheus"}, {"signalfx", "splunk"},
      {"stackdriver", "stackdriver", false}, {"wavefront", "wavefront"}};
  return types;
}

Result<std::string> expand_variables(std::string_view text, const KayentaScope& scope,
                                     const json::Object& query) {
  const std::string plain = unescaped(text);
  const Bindings bindings = bindings_of(scope, query);
  std::string out;
  std::string_view rest = plain;
  for (std::size_t open = rest.find("${"); open != rest.npos; open = rest.find("${")) {
    const std::size_t close = rest.find('}', open);
    if (close == rest.npos) return fail(ErrorCode::kInvalid, "\"${\" without \"}\"");
    auto value = value_of(rest.substr(open + 2, close - open - 2), bindings);
    if (!value) return value;
    out.append(rest.substr(0, open)).append(*value);
    rest.remove_prefix(close + 1);
  }
  return out.append(rest);
}

Result<KayentaQuery> kayenta_query(const json::Object& query, const json::Value* templates,
                                   const KayentaScope& scope, std::int64_t step,
                                   const std::string& where) {
  const std::string_view type = text_of(query, "type");
  const auto known = std::ranges::find(kayenta_types(), type, &KayentaType::type);
  if (known == kayenta_types().end()) {
    std::vector<std::string> names;
    for (const KayentaType& row : kayenta_types()) names.emplace_back(row.type);
    return fail(
        ErrorCode::kInvalid,
        fmt::format("\"{}\" is not a query type known here; write {}", type, text::either(names)),
        where + ".type");
  }
  auto filter = expanded_filter(query, templates, scope, where);
  if (!filter) return std::unexpected(std::move(filter).error());
  auto text = text_for(
      type,
      {.query = query, .scope = scope, .filter = std::move(*filter), .step = step, .where = where});
  if (!text) return std::unexpected(std::move(text).error());
  return KayentaQuery{.provider = std::string(known->provider), .text = std::move(*text)};
}

}  // namespace slipway::analysis
