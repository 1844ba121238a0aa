#include "runtime/workloads/deployments/template_dump.h"

#include <algorithm>
#include <array>
#include <map>
#include <utility>
#include <vector>

#include "base/error.h"

// Embedded by CMake.
extern const char pod_template_table_begin[], pod_template_table_end[];

namespace slipway::runtime {

namespace {

constexpr std::string_view kNil = "<nil>";
constexpr std::string_view kRoot = "v1.PodTemplateSpec";
constexpr std::string_view kInline = "-";

enum class Word { kString, kInt, kBool, kStruct, kTime, kQuantity, kIntOrString, kAny };
enum class Holder { kNone, kPointer, kList, kMap };

constexpr std::array<std::pair<std::string_view, Word>, 8> kWords = {{
    {"string", Word::kString},
    {"int", Word::kInt},
    {"bool", Word::kBool},
    {"struct", Word::kStruct},
    {"time", Word::kTime},
    {"quantity", Word::kQuantity},
    {"intOrString", Word::kIntOrString},
    {"any", Word::kAny},
}};
constexpr std::array<std::pair<std::string_view, Holder>, 3> kHolders = {
    {{"*", Holder::kPointer}, {"[]", Holder::kList}, {"map[]", Holder::kMap}}};

struct GoField {
  std::string_view name, json, type;
  Holder holder = Holder::kNone;
  Word word = Word::kAny;
};

using GoStructs = std::map<std::string_view, std::vector<GoField>>;

std::string_view cut(std::string_view& text, char end) {
  const std::size_t length = std::min(text.find(end), text.size());
  const std::string_view first = text.substr(0, length);
  text.remove_prefix(std::min(length + 1, text.size()));
  return first;
}

GoField read_field(std::string_view line) {
  GoField field{.name = cut(line, ' '), .json = cut(line, ' '), .type = {}};
  std::string_view word = cut(line, ' ');
  field.type = line;
  for (const auto& [mark, holder] : kHolders) {
    if (!word.starts_with(mark)) continue;
    field.holder = holder;
    word.remove_prefix(mark.size());
    break;
  }
  const auto* found = std::ranges::find(kWords, word, &std::pair<std::string_view, Word>::first);
  SLIPWAY_ASSERT(found != kWords.end());
  field.word = found->second;
  return field;
}

GoStructs read_structs() {
  GoStructs structs;
  std::string_view text(pod_template_table_begin, pod_template_table_end);
  std::vector<GoField>* fields = nullptr;
  while (!text.empty()) {
    std::string_view line = cut(text, '\n');
    if (line.empty() || line.starts_with('#')) continue;
    if (cut(line, ' ') == "type")
      fields = &structs[line];
    else
      fields->push_back(read_field(line));
  }
  return structs;
}

// The table is a constant, read at the first use.
const std::vector<GoField>& fields_of(std::string_view type) {
  static const GoStructs kStructs = read_structs();
  const std::size_t mark = type.find_last_of("*]");
  const auto found = kStructs.find(mark == std::string_view::npos ? type : type.substr(mark + 1));
  SLIPWAY_ASSERT(found != kStructs.end());
  return found->second;
}

// The format is that of go-spew's %#v: types in parentheses, but not for what a list, a map or a
// pointer holds.
class Dump {
 public:
  void add_struct(std::string_view type, const json::Object* object) {
    char before = '{';
    for (const GoField& field : fields_of(type)) {
      text += std::exchange(before, ' ');
      text += field.name;
      text += ":(";
      text += field.type;
      text += ")";
      if (field.json == kInline)
        add_struct(field.type, object);
      else
        add_held(field, object ? object->if_contains(field.json) : nullptr);
    }
    text += '}';
  }

  std::string text = {};

 private:
  void add_held(const GoField& field, const json::Value* value) {
    switch (field.holder) {
      case Holder::kNone:
        return add(field, value);
      case Holder::kPointer:
        if (!value || value->is_null() || field.word == Word::kAny)
          text += kNil;
        else
          add(field, value);
        return;
      case Holder::kList:
        return add_list(field, value ? value->if_array() : nullptr);
      case Holder::kMap:
        return add_map(field, value ? value->if_object() : nullptr);
    }
  }

  // On its way from the API server, in protobuf, what is empty becomes what is not there.
  void add_list(const GoField& field, const json::Array* list) {
    if (!list || list->empty()) {
      text += kNil;
      return;
    }
    char before = '[';
    for (const json::Value& item : *list) {
      text += std::exchange(before, ' ');
      add(field, &item);
    }
    text += ']';
  }

  void add_map(const GoField& field, const json::Object* map) {
    if (!map || map->empty()) {
      text += kNil;
      return;
    }
    std::vector<const json::Object::value_type*> entries;
    for (const auto& entry : *map) entries.push_back(&entry);
    std::ranges::sort(entries, {}, [](const auto* entry) { return entry->key(); });
    std::string_view before = "map[";
    for (const auto* entry : entries) {
      text += std::exchange(before, " ");
      text += std::string_view(entry->key());
      text += ':';
      add(field, &entry->value());
    }
    text += ']';
  }

  void add(const GoField& field, const json::Value* value) {
    const json::Value* there = value && !value->is_null() ? value : nullptr;
    const auto* words = there ? there->if_string() : nullptr;
    const auto* number = there ? there->if_int64() : nullptr;
    switch (field.word) {
      case Word::kString:
        if (words) text += std::string_view(*words);
        return;
      case Word::kInt:
        text += std::to_string(number ? *number : 0);
        return;
      case Word::kBool:
        text += there && there->is_bool() && there->get_bool() ? "true" : "false";
        return;
      case Word::kStruct:
        return add_struct(field.type, there ? there->if_object() : nullptr);
      case Word::kQuantity:
        text += dump_quantity(words ? std::string_view(*words) : "0");
        return;
      case Word::kIntOrString:
        text += words ? "{Type:(intstr.Type)1 IntVal:(int32)0 StrVal:(string)"
                      : "{Type:(intstr.Type)0 IntVal:(int32)";
        text +=
            words ? std::string(*words) : std::to_string(number ? *number : 0) + " StrVal:(string)";
        text += '}';
        return;
      case Word::kTime:  // templates have none
        text += "{Time:(time.Time){wall:(uint64)0 ext:(int64)0 loc:(*time.Location)<nil>}}";
        return;
      case Word::kAny:
        return;
    }
  }
};

}  // namespace

std::string dump_template(const json::Value& pod_template) {
  Dump dump;
  dump.text = "(" + std::string(kRoot) + ")";
  dump.add_struct(kRoot, pod_template.if_object());
  return std::move(dump.text);
}

}  // namespace slipway::runtime
