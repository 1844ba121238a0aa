#include "api/wire/protobuf.h"

#include <gtest/gtest.h>

#include "api/golden_cases.h"

namespace slipway::api {
namespace {

using namespace std::string_literals;

const Registry& registry() {
  static const std::unique_ptr<Registry> kRegistry = Registry::make();
  return *kRegistry;
}

const Gvk kConfigMap = {"", "v1", "ConfigMap"};

std::string from_hex(std::string_view hex) {
  auto digit = [](char c) { return c <= '9' ? c - '0' : c - 'a' + 10; };
  std::string bytes;
  for (std::size_t i = 0; i + 1 < hex.size(); i += 2)
    bytes += static_cast<char>(digit(hex[i]) * 16 + digit(hex[i + 1]));
  return bytes;
}

std::string varint(std::uint64_t value) {
  std::string out;
  for (; value > 0x7f; value >>= 7) out += static_cast<char>(value | 0x80);
  return out += static_cast<char>(value);
}

std::string bytes(unsigned number, const std::string& value) {
  return varint(number << 3 | 2) + varint(value.size()) + value;
}

std::string number(unsigned field, std::uint64_t value) {
  return varint(field << 3) + varint(value);
}

std::string body(std::string_view version, std::string_view kind, const std::string& raw) {
  return "k8s\0"s + bytes(1, bytes(1, std::string(version)) + bytes(2, std::string(kind))) +
         bytes(2, raw) + bytes(3, "") + bytes(4, "");
}

json::Value read(const std::string& text) {
  auto object = read_protobuf(text, registry(), kConfigMap);
  EXPECT_TRUE(object) << object.error().text();
  return object ? json::Value(std::move(*object)) : json::Value(nullptr);
}

TEST(Protobuf, ReadsWhatGoWritesAsTheJsonOfTheSameStruct) {
  for (const json::Value& each : golden_cases("protobuf")) {
    auto name = json::string_at(each, {"name"});
    auto text = from_hex(json::string_at(each, {"hex"}));
    auto object = read_protobuf(text, registry(), kConfigMap);
    ASSERT_TRUE(object) << name << ": " << object.error().text();
    EXPECT_TRUE(json::same(json::Value(*object), *json::at(each, {"json"})))
        << name << "\n got " << json::write(json::Value(*object), {.sort_keys = true}) << "\nwant "
        << json::write(*json::at(each, {"json"}), {.sort_keys = true});
  }
}

TEST(Protobuf, RefusesEveryBodyThatIsCutShort) {
  for (const json::Value& each : golden_cases("protobuf")) {
    auto text = from_hex(json::string_at(each, {"hex"}));
    // The last four bytes are the two empty texts that end an envelope, and may be left out.
    for (std::size_t size = 5; size + 4 < text.size(); size += 1 + size / 20) {
      auto object = read_protobuf(std::string_view(text).substr(0, size), registry(), kConfigMap);
      if (object) EXPECT_LT(size, 60U) << json::string_at(each, {"name"}) << " cut at " << size;
      if (!object) EXPECT_EQ(object.error().code, ErrorCode::kBadRequest);
    }
  }
}

TEST(Protobuf, SaysWhatIsWrong) {
  struct Case {
    std::string text, message;
  };
  const Case cases[] = {
      {"",
       "provided data does not appear to be a protobuf message, expected prefix [107 56 115 0]"},
      {"{}",
       "provided data does not appear to be a protobuf message, expected prefix [107 56 115 "
       "0]"},
      {body("v1", "Nothing", ""), "no kind \"Nothing\" is registered for version \"v1\""},
      {body("argoproj.io/v1alpha1", "Rollout", ""),
       "no kind \"Rollout\" is registered for version \"argoproj.io/v1alpha1\""},
      {body("gateway.networking.k8s.io/v1", "Gateway", ""),
       "no kind \"Gateway\" is registered for version \"gateway.networking.k8s.io/v1\""},
      {body("v1", "ConfigMap", "\x0a"), "protobuf: unexpected end of a number"},
      {body("v1", "ConfigMap", "\x0a\x05g"), "protobuf: field 1 has 5 bytes, of which 1 are there"},
      {body("v1", "ConfigMap", "\x0b"), "protobuf: field 1 has wire type 3"},
      {body("v1", "ConfigMap", number(1, 7)), "protobuf: field 1 has wire type 0, not 2"},
      {body("v1", "ConfigMap", std::string(1, '\0')), "protobuf: 0 is no field number"},
      {body("v1", "ConfigMap", "\x08" + std::string(10, '\xff')),
       "protobuf: a number of more than 64 bits"},
      {body("v1", "ConfigMap", bytes(1, bytes(8, number(1, 1ULL << 62)))),
       "protobuf: 4611686018427387904 seconds and 0 nanoseconds is no time"},
      {body("apiextensions.k8s.io/v1", "CustomResourceDefinition",
            bytes(2, bytes(7, bytes(4, bytes(1, "\x49" + std::string(6, '\0') + "\xf0\x7f"))))),
       "protobuf: inf has no JSON form"},
      {body("v1", "ConfigMap", bytes(1, bytes(17, bytes(7, bytes(1, "{"))))), "line 1"},
  };
  for (const auto& [text, message] : cases) {
    auto object = read_protobuf(text, registry(), kConfigMap);
    ASSERT_FALSE(object) << message;
    EXPECT_EQ(object.error().code, ErrorCode::kBadRequest);
    EXPECT_EQ(object.error().text().substr(0, message.size()), message);
  }
  auto large = read_protobuf(std::string(json::kMaxBytes + 1, 'x'), registry(), kConfigMap);
  EXPECT_EQ(large.error().code, ErrorCode::kTooLarge);
}

TEST(Protobuf, RepairsTextsThatAreNotUtf8AlsoInTheEnvelope) {
  json::Value object = read(body("v\xe7", "DeleteOptions", bytes(4, "Fore\xff")));
  EXPECT_EQ(json::string_at(object, {"apiVersion"}), "v\uFFFD");
  EXPECT_EQ(json::string_at(object, {"propagationPolicy"}), "Fore\uFFFD");
}

TEST(Protobuf, TakesKindAndVersionFromTheRequestWhenTheEnvelopeHasNone) {
  json::Value object = read(body("", "", bytes(2, bytes(1, "a") + bytes(2, "b"))));
  EXPECT_EQ(json::string_at(object, {"kind"}), "ConfigMap");
  EXPECT_EQ(json::string_at(object, {"apiVersion"}), "v1");
  EXPECT_EQ(json::string_at(object, {"data", "a"}), "b");
}

TEST(Protobuf, PassesOverUnknownFieldsAndRepairsText) {
  std::string unknown = number(900, 5) + bytes(901, "abc") + "\xb1\x38" + std::string(8, 'x') +
                        "\xb5\x38" + std::string(4, 'x');
  json::Value object = read(body("v1", "ConfigMap", unknown + bytes(1, bytes(1, "a\xff"))));
  EXPECT_EQ(json::string_at(object, {"metadata", "name"}), "a\uFFFD");
}

TEST(Protobuf, ReadsPackedNumbersAndMessagesWrittenTwice) {
  std::string context = bytes(4, varint(1) + varint(2)) + number(4, 3);
  std::string twice = bytes(1, bytes(1, "pod")) + bytes(1, bytes(3, "ns"));
  json::Value object = read(body("v1", "Pod", twice + bytes(2, bytes(14, context))));
  EXPECT_EQ(*json::at(object, {"spec", "securityContext", "supplementalGroups"}),
            (json::Value{1, 2, 3}));
  EXPECT_EQ(json::string_at(object, {"metadata", "name"}), "pod");
  EXPECT_EQ(json::string_at(object, {"metadata", "namespace"}), "ns");
}

TEST(Protobuf, LimitsDepthAndTheNumberOfValues) {
  const Gvk crd = {"apiextensions.k8s.io", "v1", "CustomResourceDefinition"};
  auto crd_of = [&](const std::string& schema) {
    return body(crd.api_version(), crd.kind,
                bytes(2, bytes(7, bytes(1, "v1") + bytes(4, bytes(1, schema)))));
  };
  std::string deep = bytes(5, "string");
  for (int i = 0; i < 200; ++i) deep = bytes(29, bytes(1, "a") + bytes(2, deep));
  auto object = read_protobuf(crd_of(deep), registry(), crd);
  ASSERT_FALSE(object);
  EXPECT_EQ(object.error().message, "protobuf: nested more than 100 deep");

  std::string groups = bytes(4, std::string(kMaxProtobufValues, '\1'));
  object = read_protobuf(body("v1", "Pod", bytes(2, bytes(14, groups))), registry(), kConfigMap);
  ASSERT_FALSE(object);
  EXPECT_EQ(object.error().message, "protobuf: more than 200000 values");
}

}  // namespace
}  // namespace slipway::api
