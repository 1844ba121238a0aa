#include "lang/args/args.h"

#include <fmt/format.h>

#include <utility>
#include <vector>

#include "lang/template/quote.h"
#include "lang/template/runes.h"

namespace slipway::lang {
namespace {

constexpr std::string_view kOpen = "{{";
constexpr std::string_view kClose = "}}";
constexpr std::string_view kArgs = "args.";

// Text and tags in turn; the last piece is text.
struct Pieces {
  std::vector<std::string_view> texts;
  std::vector<std::string_view> tags;
};

Result<Pieces> cut(std::string_view text) {
  Pieces out;
  std::string_view rest = text;
  for (auto open = rest.find(kOpen); open != rest.npos; open = rest.find(kOpen)) {
    out.texts.push_back(rest.substr(0, open));
    rest.remove_prefix(open + kOpen.size());
    const auto close = rest.find(kClose);
    if (close == rest.npos)
      return fail(ErrorCode::kInvalid,
                  fmt::format("Cannot find end tag={} in the template={} starting from {}",
                              go::quote(kClose), go::quote(text), go::quote(rest)));
    out.tags.push_back(rest.substr(0, close));
    rest.remove_prefix(close + kClose.size());
  }
  out.texts.push_back(rest);
  return out;
}

std::unexpected<Error> too_large() {
  return fail(ErrorCode::kTooLarge,
              fmt::format("arguments make the text longer than {} bytes", kMaxSubstituted));
}

// Which of the tags cannot be put in, as an error.
Result<> resolvable(const Pieces& pieces, const Tags& tags) {
  std::optional<std::string_view> unknown;
  for (const auto tag : pieces.tags) {
    const auto found = tags.find(go::trim_space(tag));
    if (found == tags.end()) {
      unknown = tag;
    } else if (!found->second) {
      std::string_view name = found->first;
      if (name.starts_with(kArgs)) name.remove_prefix(kArgs.size());
      return fail(ErrorCode::kInvalid, fmt::format("argument \"{}\" was not supplied", name));
    }
  }
  if (unknown)
    return fail(ErrorCode::kInvalid, fmt::format("failed to resolve {{{{{}}}}}", *unknown));
  return {};
}

class Substitution {
 public:
  explicit Substitution(const Tags& tags) : tags_(tags) {}

  Result<std::string> text(std::string_view text) {
    auto pieces = cut(text);
    if (!pieces) return std::unexpected(std::move(pieces).error());
    SLIPWAY_TRY(resolvable(*pieces, tags_));
    std::string out;
    for (std::size_t i = 0; i < pieces->texts.size(); ++i) {
      if (!put(out, pieces->texts[i])) return too_large();
      if (i < pieces->tags.size() &&
          !put(out, *tags_.find(go::trim_space(pieces->tags[i]))->second))
        return too_large();
    }
    return out;
  }

  Result<json::Value> value(const json::Value& value, const std::string& where) {
    if (value.is_string()) {
      auto out = text(value.get_string());
      if (!out) return fail(at(std::move(out).error(), where));
      return json::Value(*out);
    }
    if (value.is_array()) return array(value.get_array(), where);
    if (value.is_object()) return object(value.get_object(), where);
    return value;
  }

 private:
  Result<json::Value> array(const json::Array& items, const std::string& where) {
    json::Array out;
    for (std::size_t i = 0; i < items.size(); ++i) {
      auto item = value(items[i], fmt::format("{}[{}]", where, i));
      if (!item) return item;
      out.push_back(std::move(*item));
    }
    return out;
  }

  Result<json::Value> object(const json::Object& entries, const std::string& where) {
    json::Object out;
    for (const auto& [key, held] : entries) {
      const std::string name(key);
      const std::string inner = where.empty() ? name : where + "." + name;
      auto new_key = text(key);
      if (!new_key) return fail(at(std::move(new_key).error(), inner));
      auto item = value(held, inner);
      if (!item) return item;
      out[*new_key] = std::move(*item);
    }
    return out;
  }

  static Error at(Error error, const std::string& where) {
    error.where = where;
    return error;
  }

  bool put(std::string& out, std::string_view text) {
    if (text.size() > kMaxSubstituted - used_) return false;
    used_ += text.size();
    out += text;
    return true;
  }

  const Tags& tags_;
  std::size_t used_ = 0;
};

Result<> collect(Tags& tags, const json::Value& value, const std::string& name) {
  if (value.is_object()) {
    for (const auto& [key, held] : value.get_object())
      SLIPWAY_TRY(collect(tags, held, name + "." + std::string(key)));
    return {};
  }
  if (value.is_array()) return fail(ErrorCode::kInvalid, "is a list; write a text", name);
  if (value.is_null())
    tags[name] = std::nullopt;
  else
    tags[name] = value.is_string() ? std::string(value.get_string()) : json::write(value);
  return {};
}

}  // namespace

Result<std::string> substitute(std::string_view text, const Tags& tags) {
  return Substitution(tags).text(text);
}

Result<json::Value> substitute_all(const json::Value& value, const Tags& tags) {
  return Substitution(tags).value(value, "");
}

Result<Tags> read_tags(const json::Object& data) {
  Tags tags;
  for (const std::string name : {"args", "templates", "experiment"})
    if (const json::Value* given = data.if_contains(name); given != nullptr && !given->is_null())
      SLIPWAY_TRY(collect(tags, *given, name));
  return tags;
}

}  // namespace slipway::lang
