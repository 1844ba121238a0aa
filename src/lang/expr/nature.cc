#include "lang/expr/nature.h"

namespace slipway::lang::expr {

Nature Nature::list_of(Nature elem) {
  return {.type = types().anys, .elem = std::make_shared<const Nature>(std::move(elem))};
}

Nature Nature::element() const {
  if (is_list() && elem) return *elem;
  return is_list() || has(Kind::kMap) ? of(type->elem) : unknown();
}

bool Nature::assignable_to(const Nature& target) const {
  if (nil && target.type) switch (target.type->kind) {
      case Kind::kPtr:
      case Kind::kInterface:
      case Kind::kFunc:
      case Kind::kMap:
      case Kind::kSlice:
        return true;
      default:
        break;
    }
  return type && target.type && assignable(type, target.type);
}

bool Nature::comparable_to(const Nature& other) const {
  return is_unknown() || other.is_unknown() || nil || other.nil ||
         (is_number() && other.is_number()) || (is_duration() && other.is_duration()) ||
         (is_time() && other.is_time()) || (is_list() && other.is_list()) || assignable_to(other);
}

}  // namespace slipway::lang::expr
