#include "server/go_syntax.h"

#include <gtest/gtest.h>

namespace slipway::server {
namespace {

TEST(GoSyntax, SaysWhatGoSays) {
  const std::pair<const char*, const char*> cases[] = {
      {"{nonsense", "invalid character 'n' looking for beginning of object key string"},
      {"", "unexpected end of JSON input"},
      {"{", "unexpected end of JSON input"},
      {"[1,", "unexpected end of JSON input"},
      {"x", "invalid character 'x' looking for beginning of value"},
      {"[1 2]", "invalid character '2' after array element"},
      {"{\"a\" 1}", "invalid character '1' after object key"},
      {"{\"a\":1 \"b\"}", "invalid character '\"' after object key:value pair"},
      {"{} x", "invalid character 'x' after top-level value"},
      {"tru0", "invalid character '0' in literal true (expecting 'e')"},
      {"\"\\x\"", "invalid character 'x' in string escape code"},
      {"\"\\u12g4\"", "invalid character 'g' in \\u hexadecimal character escape"},
      {"-", "unexpected end of JSON input"},
      {"-x", "invalid character 'x' in numeric literal"},
      {"1.x", "invalid character 'x' after decimal point in numeric literal"},
      {"1ex", "invalid character 'x' in exponent of numeric literal"},
      {"01", "invalid character '1' after top-level value"},
      {"'a'", "invalid character '\\'' looking for beginning of value"},
      {"\"a\nb\"", "invalid character '\\n' in string literal"},
      {"{\"a\":[1,2.5e-3,\"x\\n\",true,null]}", ""},
  };
  for (const auto& [text, expected] : cases) EXPECT_EQ(go_syntax_error(text), expected) << text;
}

}  // namespace
}  // namespace slipway::server
