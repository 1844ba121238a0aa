#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/json.h"
#include "base/time.h"

// Types of single fields, beyond C++'s own, that resource structs are made of (api/schema/codec.h
// reads and writes them).
namespace slipway::api {

// A number or a text: ports, percentages, counts that may hold `{{args.n}}`.
struct IntOrString {
  std::int64_t number = 0;
  std::string text = {};
  bool is_text = false;

  static IntOrString of(std::int64_t number) { return {.number = number}; }
  static IntOrString of(std::string text) { return {.text = std::move(text), .is_text = true}; }
  // As Go's IntValue: a text that is no number counts as 0.
  std::int64_t int_value() const;
  bool operator==(const IntOrString&) const = default;
};

// Text in Go's duration syntax, kept as written. Templates may hold `{{args.x}}` here, so decoding
// takes any text and the value is asked for where it is needed; lint checks what is already plain.
struct GoDuration {
  std::string text = {};

  bool empty() const { return text.empty(); }
  Result<Duration> value() const { return parse_duration(text); }
  bool operator==(const GoDuration&) const = default;
};

// An amount such as 500m or 2Gi, kept as written.
struct QuantityText {
  std::string text = {};
  bool operator==(const QuantityText&) const = default;
};

// An object whose fields belong to somebody else (plugin configuration): kept whole, never pruned.
struct FreeForm {
  json::Value value = nullptr;

  bool empty() const {
    return value.is_null() || (value.is_object() && value.get_object().empty());
  }
};

// Text usable as a template argument.
template <std::size_t N>
struct FixedText {
  char data[N] = {};
  consteval FixedText(const char (&text)[N]) { std::copy_n(text, N, data); }
  constexpr std::string_view view() const { return {data, N - 1}; }
};

// A value of one of Kubernetes' own types, by its OpenAPI name: kept as JSON, with the schema of
// the built-in table.
template <FixedText Name>
struct Builtin {
  static constexpr std::string_view kName = Name.view();
  json::Value value = nullptr;

  bool empty() const { return value.is_null(); }
};

using ObjectMeta = Builtin<"io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta">;
using LabelSelectorJson = Builtin<"io.k8s.apimachinery.pkg.apis.meta.v1.LabelSelector">;
using PodTemplateJson = Builtin<"io.k8s.api.core.v1.PodTemplateSpec">;
using JobSpecJson = Builtin<"io.k8s.api.batch.v1.JobSpec">;

}  // namespace slipway::api
