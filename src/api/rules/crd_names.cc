#include "api/rules/crd_names.h"

#include <fmt/format.h>
#include <algorithm>

#include "api/rules/members.h"

namespace slipway::api {

namespace {

const json::Object kNothing;

const json::Object& part_of(const json::Object* object, std::string_view key) {
  const json::Object* found = object == nullptr ? nullptr : object_in(*object, key);
  return found == nullptr ? kNothing : *found;
}

struct Verdict {
  std::string reason = "NoConflicts", message = "no conflicts found";
  json::Object accepted = {};
  bool good = true;

  void refuse(std::string why, std::string words) {
    good = false;
    reason = std::move(why);
    message = std::move(words);
  }
};

std::string in_use(std::string_view name) { return fmt::format("\"{}\" is already in use", name); }

void judge_name(std::string_view field, std::string_view why, const json::Object& wanted,
                const json::Object& owned, const std::set<std::string, std::less<>>& taken,
                Verdict& verdict) {
  std::string_view name = text_in(wanted, field);
  if (name != text_in(owned, field) && taken.contains(name))
    return verdict.refuse(std::string(why), in_use(name));
  if (!name.empty()) verdict.accepted[field] = name;
}

void judge_short_names(const json::Object& wanted, const json::Object& owned,
                       const TakenNames& taken, Verdict& verdict) {
  const std::vector<std::string> own = texts_in(owned, "shortNames");
  std::vector<std::string> problems;
  for (const std::string& name : texts_in(wanted, "shortNames")) {
    if (std::ranges::find(own, name) == own.end() && taken.resources.contains(name))
      problems.push_back(in_use(name));
  }
  if (problems.empty()) {
    json::erase(verdict.accepted, "shortNames");
    if (const json::Value* names = wanted.if_contains("shortNames"))
      verdict.accepted["shortNames"] = *names;
  } else if (problems.size() == 1) {
    verdict.refuse("ShortNamesConflict", problems.front());
  } else {
    verdict.refuse("ShortNamesConflict", fmt::format("[{}]", fmt::join(problems, ", ")));
  }
}

// Of several conflicts the last one is told.
Verdict judge(const json::Object& wanted, const json::Object& owned, const TakenNames& taken) {
  Verdict verdict{.accepted = owned};
  judge_name("plural", "PluralConflict", wanted, owned, taken.resources, verdict);
  judge_name("singular", "SingularConflict", wanted, owned, taken.resources, verdict);
  judge_short_names(wanted, owned, taken, verdict);
  judge_name("kind", "KindConflict", wanted, owned, taken.kinds, verdict);
  judge_name("listKind", "ListKindConflict", wanted, owned, taken.kinds, verdict);
  if (verdict.good) {
    verdict.accepted = wanted;
    return verdict;
  }
  json::erase(verdict.accepted, "categories");
  if (const json::Value* categories = wanted.if_contains("categories"))
    verdict.accepted["categories"] = *categories;
  for (std::string_view always : {"plural", "kind"})
    if (!verdict.accepted.contains(always)) verdict.accepted[always] = "";
  return verdict;
}

const json::Object* condition_in(const json::Object& status, std::string_view type) {
  const json::Array* conditions = array_in(status, "conditions");
  if (conditions == nullptr) return nullptr;
  for (const json::Value& condition : *conditions) {
    if (condition.is_object() && text_in(condition.get_object(), "type") == type)
      return &condition.get_object();
  }
  return nullptr;
}

bool has_condition(const json::Object& crd, std::string_view type, std::string_view status) {
  const json::Object* condition = condition_in(part_of(&crd, "status"), type);
  return condition != nullptr && text_in(*condition, "status") == status;
}

// Keeps the time of one that says what it said before.
void set_condition(json::Object& status, json::Object condition, const json::Object* before,
                   std::string_view now) {
  const bool same = before != nullptr && text_in(*before, "status") == text_in(condition, "status");
  const std::string_view since = same ? text_in(*before, "lastTransitionTime") : now;
  if (!since.empty()) condition["lastTransitionTime"] = since;
  json::Value& list = status["conditions"];
  if (!list.is_array()) list = json::Array();
  for (json::Value& known : list.get_array()) {
    if (!known.is_object() || text_in(known.get_object(), "type") != text_in(condition, "type"))
      continue;
    if (!json::same(known, condition)) known = std::move(condition);
    return;
  }
  list.get_array().push_back(std::move(condition));
}

json::Object condition(std::string_view type, bool is, std::string_view reason,
                       std::string_view message) {
  return {
      {"type", type}, {"status", is ? "True" : "False"}, {"reason", reason}, {"message", message}};
}

}  // namespace

void TakenNames::add(const json::Object& accepted) {
  for (std::string_view field : {"plural", "singular"})
    if (std::string_view name = text_in(accepted, field); !name.empty()) resources.emplace(name);
  for (std::string& name : texts_in(accepted, "shortNames")) resources.insert(std::move(name));
  for (std::string_view field : {"kind", "listKind"})
    if (std::string_view name = text_in(accepted, field); !name.empty()) kinds.emplace(name);
}

void TakenNames::add(const Resource& resource) {
  resources.insert({resource.plural, resource.singular});
  resources.insert(resource.short_names.begin(), resource.short_names.end());
  kinds.insert({resource.gvk.kind, resource.gvk.kind + "List"});
}

bool settle_names(json::Object& crd, const json::Object* before, const TakenNames& taken,
                  std::string_view now) {
  const json::Object wanted = part_of(&part_of(&crd, "spec"), "names");
  const json::Object& old = part_of(before, "status");
  Verdict verdict = judge(wanted, part_of(&old, "acceptedNames"), taken);
  json::Value status = part_of(&crd, "status");
  json::Object& changed = status.get_object();
  changed["acceptedNames"] = std::move(verdict.accepted);
  set_condition(changed, condition("NamesAccepted", verdict.good, verdict.reason, verdict.message),
                condition_in(old, "NamesAccepted"), now);
  // Once established, a definition stays so, under the names it has.
  const json::Object* established = condition_in(old, "Established");
  if (established != nullptr && text_in(*established, "status") == "True") {
    set_condition(changed, *established, established, now);
  } else if (verdict.good) {
    set_condition(changed,
                  condition("Established", true, "InitialNamesAccepted",
                            "the initial names have been accepted"),
                  established, now);
  } else {
    set_condition(changed,
                  condition("Established", false, "NotAccepted", "not all names are accepted"),
                  established, now);
  }
  if (json::same(status, part_of(&crd, "status"))) return false;
  crd["status"] = std::move(status);
  return true;
}

bool is_established(const json::Object& crd) { return !has_condition(crd, "Established", "False"); }

bool are_names_accepted(const json::Object& crd) {
  return !has_condition(crd, "NamesAccepted", "False");
}

const json::Object* served_names(const json::Object& crd) {
  const json::Object& accepted = part_of(&part_of(&crd, "status"), "acceptedNames");
  if (!text_in(accepted, "plural").empty() && !text_in(accepted, "kind").empty()) return &accepted;
  return object_in(part_of(&crd, "spec"), "names");
}

}  // namespace slipway::api
