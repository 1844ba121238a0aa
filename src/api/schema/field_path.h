#pragma once

#include <string>
#include <string_view>

#include <fmt/format.h>

namespace slipway::api {

// Where a walk over an object is, as a chain on the stack: costs nothing until a message needs its
// text.
class FieldPath {
 public:
  FieldPath() = default;
  FieldPath(const FieldPath& parent, std::string_view name) : parent_(&parent), name_(name) {}
  FieldPath(const FieldPath& parent, std::size_t index)
      : parent_(&parent), index_(index), indexed_(true) {}
  explicit FieldPath(std::string_view start) : name_(start) {}

  // spec.containers[0].name
  std::string text() const {
    std::string out;
    append(out, true);
    return out;
  }
  // spec.containers.name
  std::string text_without_indexes() const {
    std::string out;
    append(out, false);
    return out;
  }

 private:
  void append(std::string& out, bool indexes) const {
    if (parent_ != nullptr) parent_->append(out, indexes);
    if (indexed_) {
      if (indexes) out += fmt::format("[{}]", index_);
    } else if (!name_.empty()) {
      if (!out.empty()) out += '.';
      out += name_;
    }
  }

  const FieldPath* parent_ = nullptr;
  std::string_view name_ = {};
  std::size_t index_ = 0;
  bool indexed_ = false;
};

}  // namespace slipway::api
