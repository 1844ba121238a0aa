#include "server/media.h"

#include <gtest/gtest.h>

namespace slipway::server {
namespace {

std::string text_of(const std::optional<Accepted>& accepted) {
  if (!accepted) return "refused";
  std::string text = accepted->yaml ? "yaml" : "json";
  if (accepted->form == Accepted::Form::kTable) text += " table " + accepted->meta_version;
  if (accepted->form == Accepted::Form::kMetadata) text += " metadata " + accepted->meta_version;
  return text;
}

TEST(Negotiate, TakesTheFirstFormWeSpeak) {
  const std::pair<std::string, std::string> cases[] = {
      {"", "json"},
      {"*/*", "json"},
      {"application/*;q=0.8", "json"},
      {"application/json; charset=utf-8", "json"},
      {"application/json;stream=watch", "json"},
      {"application/yaml", "yaml"},
      {"application/vnd.kubernetes.protobuf", "refused"},
      {"application/vnd.kubernetes.protobuf,application/json", "json"},
      {"application/json;as=Table;v=v1;g=meta.k8s.io,application/json", "json table v1"},
      {"application/json;as=Table;v=v1beta1;g=meta.k8s.io", "json table v1beta1"},
      {"application/json;as=Table;v=v2;g=meta.k8s.io", "refused"},
      {"application/json;as=Table;v=v2;g=meta.k8s.io, application/json", "json"},
      {"application/vnd.kubernetes.protobuf;as=PartialObjectMetadata;g=meta.k8s.io;v=v1,"
       "application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1",
       "json metadata v1"},
      {"application/json;q=0.1,application/yaml;q=0.9", "yaml"},
      {"application/json;q=0", "refused"},
      {"APPLICATION/JSON", "json"},
      {"text/html", "refused"},
  };
  for (const auto& [accept, want] : cases) EXPECT_EQ(text_of(negotiate(accept)), want) << accept;
}

TEST(MediaType, ReadsQuotedParameters) {
  auto media = parse_media_type("Application/JSON; Charset=\"utf-8\" ; x=y");
  EXPECT_EQ(media.type, "application/json");
  EXPECT_EQ(media.parameter("charset"), "utf-8");
  EXPECT_EQ(media.parameter("x"), "y");
}

TEST(MediaType, KeepsAtMostSoManyClauses) {
  std::string accept;
  for (int i = 0; i < 1000; ++i) accept += "a/b,";
  EXPECT_EQ(parse_accept(accept).size(), kMaxAcceptClauses);
}

}  // namespace
}  // namespace slipway::server
