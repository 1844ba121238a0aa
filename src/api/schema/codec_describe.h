#pragma once

#include <boost/describe/class.hpp>
#include <boost/describe/members.hpp>
#include <boost/mp11/algorithm.hpp>

#include "api/schema/codec_ops.h"

// For the .cc files that describe resource structs, and for nobody else: it costs seconds to
// compile.
//
//   struct Canary {                                // in canary.h
//     std::string stable_service;                  // plain: absent and empty are the same, empty
//     is not written std::optional<std::int32_t> max_weight;      // optional: absent and zero
//     differ std::vector<Step> steps;
//   };
//
//   BOOST_DESCRIBE_STRUCT(Canary, (), (stable_service, max_weight, steps))            // in
//   canary.cc template <> struct Annotations<Canary> {                   // what the types cannot
//   say
//     static constexpr Note notes[] = {{"stable_service", {.required = true}}, {"steps",
//     {.merge_key = "name"}}};
//   };
//   SLIPWAY_DESCRIBED(Canary);                     // in namespace slipway::api::codec
//
// JSON names are the members' names in camelCase unless annotated. Member types: std::string, bool,
// std::int32_t, std::int64_t, double, Time, json::Value (anything), those of
// api/schema/value_types.h, described structs, and std::optional, std::vector,
// std::map<std::string, …> of these. The struct's namespace names its schemas: `schema_prefix(const
// void*)`.
#define SLIPWAY_DESCRIBED(Type) template const StructTable& table_of<Type>()
// The Type is described in another file.
#define SLIPWAY_DESCRIBED_ELSEWHERE(Type) extern template const StructTable& table_of<Type>()

namespace slipway::api::codec {

template <class T>
inline constexpr bool is_optional = false;
template <class T>
inline constexpr bool is_optional<std::optional<T>> = true;

template <class T>
constexpr std::span<const Note> notes_of() {
  if constexpr (requires { Annotations<T>::notes; }) return Annotations<T>::notes;
  return {};
}

// The name of T without its namespaces.
template <class T>
constexpr std::string_view type_name() {
  std::string_view text = __PRETTY_FUNCTION__;
  text = text.substr(text.find("T = ") + 4);
  text.remove_suffix(1);
  return text.substr(text.rfind(':') + 1);
}

template <auto Pointer, class T>
void* member_of(void* object) {
  return &(static_cast<T*>(object)->*Pointer);
}

template <class T, class Descriptor>
MemberTable member_table() {
  using Member = std::remove_cvref_t<decltype(std::declval<T&>().*Descriptor::pointer)>;
  return {.member = Descriptor::name,
          .at = &member_of<Descriptor::pointer, T>,
          .ops = &kOps<Member>,
          .pointer = is_optional<Member>};
}

template <class T>
const StructTable& table_of() {
  static const StructTable table = [] {
    std::vector<MemberTable> members;
    boost::mp11::mp_for_each<boost::describe::describe_members<T, boost::describe::mod_public>>(
        [&]<class Descriptor>(Descriptor) { members.push_back(member_table<T, Descriptor>()); });
    return make_table(schema_prefix(static_cast<const T*>(nullptr)), type_name<T>(),
                      std::move(members), notes_of<T>());
  }();
  return table;
}

}  // namespace slipway::api::codec
