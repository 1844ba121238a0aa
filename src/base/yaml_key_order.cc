#include "base/yaml_key_order.h"

#include <algorithm>
#include <cstdint>
#include <list>
#include <string>

#include "base/utf8.h"

namespace slipway::yaml {
namespace {

std::u32string characters_of(boost::json::string_view key) {
  std::u32string characters;
  std::string_view rest(key.data(), key.size());
  while (!rest.empty()) {
    const std::size_t length = utf8::length_of_first(rest);
    characters += length == 0 ? U'\uFFFD' : utf8::decode_first(rest, length);
    rest.remove_prefix(std::max<std::size_t>(length, 1));
  }
  return characters;
}

bool is_digit(char32_t c) { return c >= '0' && c <= '9'; }

// Beyond ASCII nearly everything that keys are made of is a letter.
bool is_letter(char32_t c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c >= 0x80; }

// A run of digits from `start` on.
struct Run {
  std::uint64_t number = 0;  // wraps around, like upstream's
  std::size_t end = 0;
};

Run digits_from(const std::u32string& key, std::size_t start, std::uint64_t number) {
  Run run{number, start};
  while (run.end < key.size() && is_digit(key[run.end])) {
    run.number = run.number * 10 + (key[run.end] - U'0');
    ++run.end;
  }
  return run;
}

// Whether the digits before `at` have a number that a zero at `at` continues.
bool continues_number(const std::u32string& key, std::size_t at) {
  while (at > 0 && is_digit(key[at - 1])) {
    if (key[--at] != '0') return true;
  }
  return false;
}

bool comes_before(const std::u32string& a, const std::u32string& b) {
  const auto [first, second] = std::mismatch(a.begin(), a.end(), b.begin(), b.end());
  if (first == a.end() || second == b.end()) return a.size() < b.size();
  if (is_letter(*first) || is_letter(*second)) {
    return is_letter(*first) && is_letter(*second) ? *first < *second : is_letter(*second);
  }
  const auto at = static_cast<std::size_t>(first - a.begin());
  const bool zero = *first == '0' || *second == '0';
  const std::uint64_t carried = zero && continues_number(a, at) ? 1 : 0;
  const Run left = digits_from(a, at, carried);
  const Run right = digits_from(b, at, carried);
  if (left.number != right.number) {
    return static_cast<std::int64_t>(left.number) < static_cast<std::int64_t>(right.number);
  }
  if (left.end != right.end) return left.end < right.end;
  return *first < *second;
}

}  // namespace

std::vector<const boost::json::key_value_pair*> in_key_order(const json::Object& object) {
  struct Entry {
    std::u32string key;
    const boost::json::key_value_pair* pair;
  };
  // Nobody has shown upstream's rule to be a strict weak ordering. A list's merge sort stays within
  // bounds whatever the rule says; std::sort might not.
  std::list<Entry> entries;
  for (const auto& pair : object) entries.push_back({characters_of(pair.key()), &pair});
  entries.sort([](const Entry& a, const Entry& b) { return comes_before(a.key, b.key); });
  std::vector<const boost::json::key_value_pair*> ordered;
  ordered.reserve(entries.size());
  for (const Entry& entry : entries) ordered.push_back(entry.pair);
  return ordered;
}

}  // namespace slipway::yaml
