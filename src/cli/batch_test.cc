#include "cli/batch.h"

#include <gtest/gtest.h>

#include <sstream>

#include "cli/exit_code.h"

namespace slipway::cli {
namespace {

Result<json::Object> doubled(const json::Object& asked) {
  const json::Value* n = asked.if_contains("n");
  if (!n) return fail(ErrorCode::kInvalid, "there is no n");
  return json::Object{{"id", "not this one"}, {"twice", n->to_number<double>() * 2}};
}

std::string answers_to(const std::string& text) {
  std::istringstream in(text);
  std::ostringstream out;
  EXPECT_TRUE(answer_lines(in, out, doubled));
  return out.str();
}

TEST(Batch, AnswersEachLineInOrderAndCopiesTheId) {
  EXPECT_EQ(answers_to("{\"id\":\"a\",\"n\":1}\n\n  \r\n{\"id\":[2],\"n\":2.5}"),
            "{\"id\":\"a\",\"twice\":2}\n{\"id\":[2],\"twice\":5}\n");
  EXPECT_EQ(answers_to(""), "");
}

TEST(Batch, ReadsAndPrintsNumbersThatJsonLacks) {
  EXPECT_EQ(answers_to("{\"id\":1,\"n\":NaN}\n{\"id\":2,\"n\":-Infinity}\n"),
            "{\"id\":1,\"twice\":\"NaN\"}\n{\"id\":2,\"twice\":\"-Inf\"}\n");
}

TEST(Batch, GoesOnAfterABadLine) {
  EXPECT_EQ(answers_to("{\"id\":1}\n[1]\n{\"id\":\n{\"n\":3}\n"),
            "{\"id\":1,\"error\":{\"code\":\"invalid\",\"message\":\"there is no n\"}}\n"
            "{\"id\":null,\"error\":{\"code\":\"bad_request\",\"message\":\"the line is no JSON "
            "object; write {\\\"id\\\": …, …}\"}}\n"
            "{\"id\":null,\"error\":{\"code\":\"bad_request\",\"message\":\"line 1, column 7: "
            "expected a value, found the end of the document\"}}\n"
            "{\"id\":null,\"twice\":6}\n");
}

TEST(Batch, DropsALineBeyondTheLimitAndGoesOn) {
  const std::string text = answers_to(std::string(kMaxBatchLine + 1, 'x') + "\n{\"n\":3}\n");
  EXPECT_NE(text.find("too_large"), std::string::npos) << text;
  EXPECT_NE(text.find("{\"id\":null,\"twice\":6}\n"), std::string::npos) << text;
}

TEST(Batch, InputThatCannotBeReadIsWhatCouldNotBeAsked) {
  for (const char* path : {"/not/there", "/"}) EXPECT_EQ(run_batch(path, doubled), kExitCannotAsk);
}

}  // namespace
}  // namespace slipway::cli
