#include "cli/judge_case.h"

#include <gtest/gtest.h>

#include <cmath>

#include "cli/judge.h"

namespace slipway::cli {
namespace {

Result<judge::Answer> ask(std::string_view text) {
  return judge_case(json::read(text, {.allow_nan = true})->as_object());
}

TEST(JudgeCase, ChoosesTheMethodByWhatItHolds) {
  for (const auto& [text, method] : std::vector<std::pair<std::string, std::string>>{
           {R"({"control":[1,2],"experiment":[1,3]})", "mann-whitney"},
           {R"({"control":[1,2],"experiment":[1,3],"method":"kayenta"})", "kayenta"},
           {R"({"looks":[{"control":[1,2],"experiment":[1,3]}]})", "stratified-rank"},
           {R"({"looks":[{"control":{"events":1,"exposure":9},
                          "experiment":{"events":2,"exposure":9}}]})",
            "counts"},
           {R"({"method":"signed-rank","looks":[{"control":[1],"experiment":[3]}]})",
            "signed-rank"}}) {
    const auto answer = ask(text);
    ASSERT_TRUE(answer) << answer.error().text();
    EXPECT_EQ(answer->method, method);
  }
}

TEST(JudgeCase, AnswersInTheKeysPromised) {
  const auto answer =
      ask(R"({"control":[12,11,13,15],"experiment":[2,1,3,NaN,5],"direction":"decrease"})");
  ASSERT_TRUE(answer);
  const auto json = to_json(*answer);
  EXPECT_EQ(json::write(json.at("verdict")), R"("fail")");
  EXPECT_EQ(json::write(json.at("n")), "[4,4]");
  EXPECT_EQ(json::write(json.at("statistic")), "0");
  EXPECT_EQ(json::write(json.at("label")), "null");
  for (const char* key : {"method", "direction", "p", "effect", "critical", "reason"})
    EXPECT_TRUE(json.contains(key)) << key;
  for (const char* key : {"ratio", "cles", "shift", "low", "high"})
    EXPECT_TRUE(json.at("effect").as_object().contains(key)) << key;
  const auto empty = ask(R"({"control":[],"experiment":[2]})");
  EXPECT_EQ(json::write(to_json(*empty).at("effect").as_object().at("ratio")), R"("NaN")");
}

TEST(JudgeCase, NamesWhatIsWrong) {
  for (const auto& [text, where] : std::vector<std::pair<std::string, std::string>>{
           {R"({"experiment":[1]})", "control"},
           {R"({"control":[1],"experiment":3})", "experiment"},
           {R"({"control":[1,"x"],"experiment":[3]})", "control[1]"},
           {R"({"control":[1],"experiment":[3],"method":"t-test"})", "method"},
           {R"({"control":[1],"experiment":[3],"method":7})", "method"},
           {R"({"control":[1],"experiment":[3],"direction":"up"})", "direction"},
           {R"({"control":[1],"experiment":[3],"direction":1})", "direction"},
           {R"({"control":[1],"experiment":[3],"options":7})", "options"},
           {R"({"control":[1],"experiment":[3],"options":{"beta":1}})", "options.beta"},
           {R"({"control":[1],"experiment":[3],"options":{"alpha":"x"}})", "options.alpha"},
           {R"({"control":[1],"experiment":[3],"options":{"alpha":2}})", "options.alpha"},
           {R"({"control":[1],"experiment":[3],"method":"kayenta","options":{"solver":"r"}})",
            "options.solver"},
           {R"({"control":[1],"experiment":[3],"method":"kayenta","options":{"critical":1}})",
            "options.critical"}}) {
    const auto answer = ask(text);
    ASSERT_FALSE(answer) << text;
    EXPECT_EQ(answer.error().where, where) << text;
    EXPECT_EQ(answer.error().code, ErrorCode::kInvalid);
  }
}

TEST(JudgeCase, ReadsNumbersHoweverTheyAreWritten) {
  for (const std::string_view text :
       {"[1, 2.5, -3e2]", "1 2.5 -3e2", "1,2.5,-3e2", "1\n2.5\r\n-3e2\n", " 1;+2.5 ; -300 "}) {
    const auto numbers = read_numbers(text);
    ASSERT_TRUE(numbers) << text;
    ASSERT_EQ(numbers->size(), 3) << text;
    EXPECT_EQ(numbers->at(1).to_number<double>(), 2.5);
    EXPECT_EQ(numbers->at(2).to_number<double>(), -300);
  }
  EXPECT_TRUE(read_numbers("")->empty());
  EXPECT_TRUE(std::isnan(read_numbers("NaN")->at(0).to_number<double>()));
  const auto wrong = read_numbers("1\n2\nthree 4");
  ASSERT_FALSE(wrong);
  EXPECT_EQ(wrong.error().message.substr(0, 15), "line 3: \"three\"");
  EXPECT_FALSE(read_numbers("[1, 2"));
}

TEST(JudgeCase, TakesOptionsOfTheCommandLine) {
  json::Object options;
  for (const char* word : {"alpha=0.01", "critical=true", "solver=legacy", "a=b=c"})
    EXPECT_TRUE(add_option(options, word));
  EXPECT_EQ(json::write(options), R"({"alpha":0.01,"critical":true,"solver":"legacy","a":"b=c"})");
  EXPECT_FALSE(add_option(options, "alpha"));
  EXPECT_FALSE(add_option(options, "=1"));
}

TEST(JudgeCase, PeopleReadTheVerdictFirst) {
  const auto answer = ask(R"({"control":[1,2,3,4,5],"experiment":[10,20,30,40,50]})");
  const auto text = describe(*answer, false);
  EXPECT_EQ(text.substr(0, 4), "FAIL");
  EXPECT_NE(text.find("5 control, 5 experiment"), std::string::npos) << text;
  EXPECT_NE(describe(*answer, true).find("\x1b[1;31mFAIL"), std::string::npos);
}

}  // namespace
}  // namespace slipway::cli
