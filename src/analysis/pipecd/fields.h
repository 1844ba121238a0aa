#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/pipecd/report.h"
#include "base/time.h"
#include "base/yaml.h"

namespace slipway::analysis::pipecd {

using Args = std::map<std::string, std::string>;

// One object of a PipeCD file, read as Go's encoding/json reads it: keys in any case, null is
// absent, numbers are no texts and texts no numbers. What is of the wrong type is reported once and
// counts as absent.
class Fields {
 public:
  // Absent: has no members. The document and the report outlive it.
  Fields(const yaml::Document& document, const json::Value* value, std::string path,
         Report& report);
  static Fields of(const yaml::Document& document, Report& report) {
    return Fields(document, &document.value, "", report);
  }

  bool present() const { return object_ != nullptr; }
  const std::string& path() const { return path_; }
  // Of a member, with its key as it is written.
  std::string path_of(std::string_view name) const;
  bool has(std::string_view name) const { return find(name) != nullptr; }
  Report& report() const { return *report_; }

  std::string text(std::string_view name) const;
  std::int64_t integer(std::string_view name) const;
  bool boolean(std::string_view name) const;
  std::optional<double> number(std::string_view name) const;
  // Go's syntax; a number is nanoseconds. Zero when absent.
  Duration duration(std::string_view name) const;
  // Texts by name. Numbers and booleans, which PipeCD refuses here, are the text they were written
  // as.
  Args args(std::string_view name) const;
  Fields object(std::string_view name) const;
  std::vector<Fields> list(std::string_view name) const;
  // The objects of a map, by key.
  std::map<std::string, Fields> objects(std::string_view name) const;
  // A number, or a text with or without %: `20%` is {20, true}. Nothing when absent or none.
  struct Amount {
    double number = 0;
    bool percent = false;
  };
  std::optional<Amount> amount(std::string_view name) const;

  // Reports every key that is not among these, with the one probably meant after a semicolon.
  void expect_only(const std::vector<std::string_view>& names, Report::Severity severity) const;

 private:
  const json::Value* find(std::string_view name) const;
  void wrong(std::string_view name, const json::Value& found, std::string_view wanted) const;

  const yaml::Document* document_;
  const json::Object* object_ = nullptr;
  std::string path_;
  Report* report_;
};

// Keys with dots, slashes or brackets stand in brackets, as in yaml::Positions.
std::string join_path(const std::string& path, std::string_view key);

}  // namespace slipway::analysis::pipecd
