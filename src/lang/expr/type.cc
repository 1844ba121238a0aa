#include "lang/expr/type.h"

#include <map>
#include <memory>

#include "base/error.h"
#include "lang/expr/builtin.h"

namespace slipway::lang::expr {

namespace {

// Reads type names into types. Names come from our own tables, so a wrong one is a bug.
class Registry {
 public:
  Registry() {
    for (const char* name :
         {"int64", "[]uint8", "[]int", "[]float64", "[]string", "map[string]interface {}",
          "map[interface {}]interface {}", "map[interface {}][]interface {}", "map[int]struct {}",
          "map[string]struct {}", "[][2]interface {}", "time.Time", "time.Month", "time.Weekday",
          "*time.Location", "func(...interface {}) (interface {}, error)"})
      learn(name);
    for (const Builtin& builtin : builtins())
      for (const std::string_view name : builtin.types) learn(name);
    for (const EnvFunction& function : env_functions()) learn(function.type);
    for (const Method& method : methods()) learn(method.type), learn(method.method_type());
  }

  const Type* find(std::string_view name) const {
    const auto found = known_.find(name);
    SLIPWAY_ASSERT(found != known_.end());
    return found->second.get();
  }

 private:
  const Type* learn(std::string_view name) {
    rest_ = name;
    const Type* type = read();
    SLIPWAY_ASSERT(rest_.empty());
    return type;
  }

  bool take(std::string_view word) {
    if (!rest_.starts_with(word)) return false;
    rest_.remove_prefix(word.size());
    return true;
  }

  const Type* read() {
    const std::string_view begin = rest_;
    Type type = read_one();
    type.name = begin.substr(0, begin.size() - rest_.size());
    auto& slot = known_[type.name];
    if (!slot) slot = std::make_unique<Type>(std::move(type));
    return slot.get();
  }

  Type read_one() {
    if (take("func(")) return read_function();
    if (take("[]")) return {.kind = Kind::kSlice, .elem = read()};
    if (take("[2]")) return {.kind = Kind::kArray, .elem = read()};
    if (take("map[")) {
      Type type{.kind = Kind::kMap, .key = read()};
      SLIPWAY_ASSERT(take("]"));
      type.elem = read();
      return type;
    }
    for (const auto& [name, kind] : kPlain)
      if (take(name)) return {.kind = kind};
    for (const auto& [name, kind] : kNamed)
      if (take(name)) return {.kind = kind, .package_path = "time"};
    assertion_failed("a type that can be read", __FILE__, __LINE__);
  }

  Type read_function() {
    Type type{.kind = Kind::kFunc};
    while (!take(")")) {
      take(", ");
      if (take("...")) {
        type.variadic = true;
        // The parameter itself is a slice, though the name does not say so.
        const Type* elem = read();
        const std::string_view after = rest_;
        type.in.push_back(learn("[]" + elem->name));
        rest_ = after;
      } else {
        type.in.push_back(read());
      }
    }
    SLIPWAY_ASSERT(take(" "));
    const bool several = take("(");
    type.out.push_back(read());
    while (several && take(", ")) type.out.push_back(read());
    SLIPWAY_ASSERT(!several || take(")"));
    return type;
  }

  static constexpr std::pair<std::string_view, Kind> kPlain[] = {{"interface {}", Kind::kInterface},
                                                                 {"struct {}", Kind::kStruct},
                                                                 {"string", Kind::kString},
                                                                 {"float64", Kind::kFloat64},
                                                                 {"int64", Kind::kInt64},
                                                                 {"int", Kind::kInt},
                                                                 {"uint8", Kind::kUint8},
                                                                 {"bool", Kind::kBool},
                                                                 {"error", Kind::kInterface},
                                                                 {"*time.Location", Kind::kPtr}};
  static constexpr std::pair<std::string_view, Kind> kNamed[] = {{"time.Time", Kind::kStruct},
                                                                 {"time.Duration", Kind::kInt64},
                                                                 {"time.Month", Kind::kInt},
                                                                 {"time.Weekday", Kind::kInt}};

  std::map<std::string, std::unique_ptr<Type>, std::less<>> known_;
  std::string_view rest_;
};

}  // namespace

bool Type::is_integer() const {
  return package_path.empty() &&
         (kind == Kind::kInt || kind == Kind::kInt64 || kind == Kind::kUint8);
}

std::string_view kind_name(Kind kind) {
  switch (kind) {
    case Kind::kBool:
      return "bool";
    case Kind::kInt:
      return "int";
    case Kind::kInt64:
      return "int64";
    case Kind::kUint8:
      return "uint8";
    case Kind::kFloat64:
      return "float64";
    case Kind::kString:
      return "string";
    case Kind::kSlice:
      return "slice";
    case Kind::kArray:
      return "array";
    case Kind::kMap:
      return "map";
    case Kind::kFunc:
      return "func";
    case Kind::kStruct:
      return "struct";
    case Kind::kInterface:
      return "interface";
    case Kind::kPtr:
      return "ptr";
  }
  return "invalid";
}

const Type* type_named(std::string_view name) {
  static const Registry registry;
  return registry.find(name);
}

const Types& types() {
  static const Types known;
  return known;
}

}  // namespace slipway::lang::expr
