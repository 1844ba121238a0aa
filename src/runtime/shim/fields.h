#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/error.h"
#include "base/json.h"
#include "base/time.h"

// The members of one JSON object, read into a struct. Missing ones leave the struct's default; the
// first of a wrong type is remembered, with its path.
namespace slipway::runtime {

class Fields {
 public:
  // `value` outlives this. `path` is empty at the top.
  Fields(const json::Value& value, std::string path);

  void read(std::string_view name, std::string& into);
  void read(std::string_view name, bool& into);
  void read(std::string_view name, Time& into);
  void read(std::string_view name, Duration& into);  // nanoseconds
  void read(std::string_view name, std::vector<std::string>& into);
  void read(std::string_view name, std::vector<std::pair<std::string, std::string>>& into);
  template <class Integer>
    requires std::is_integral_v<Integer>
  void read(std::string_view name, Integer& into) {
    const json::Value* value = find(name);
    if (!value) return;
    boost::system::error_code wrong;
    const auto number = value->to_number<Integer>(wrong);
    if (wrong)
      refuse(name, "is not a number that fits");
    else
      into = number;
  }

  // Calls `parse(value, path)` for the member, when it is there, or for each of an array's.
  template <class Parse>
  void with(std::string_view name, Parse parse) {
    const json::Value* value = find(name);
    if (value) keep(parse(*value, path_of(name)));
  }
  template <class Parse>
  void each(std::string_view name, std::size_t most, Parse parse) {
    const json::Array* items = array(name, most);
    for (std::size_t i = 0; items && i < items->size(); ++i)
      keep(parse((*items)[i], path_of(name) + "[" + std::to_string(i) + "]"));
  }

  void refuse(std::string_view name, std::string_view why);
  Result<> result() const { return result_; }

 private:
  const json::Value* find(std::string_view name) const;
  const json::Array* array(std::string_view name, std::size_t most);
  std::string path_of(std::string_view name) const;
  void keep(Result<> part);

  const json::Object* object_ = nullptr;
  std::string path_;
  Result<> result_ = {};
};

inline constexpr std::size_t kMaxItems = 10'000;  // arguments, variables, mounts of a container

// Nanoseconds since 1970: exact, and what Fields reads back.
json::Value time_value(Time time);
// JSON holds characters only: other bytes, as a Secret may have them, are written as
// {"base64": …}. Fields takes either for a text.
json::Value text_value(const std::string& text);
json::Value strings_value(const std::vector<std::string>& strings);
json::Value pairs_value(const std::vector<std::pair<std::string, std::string>>& pairs);

}  // namespace slipway::runtime
