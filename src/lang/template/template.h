#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>

#include "base/error.h"
#include "base/json.h"
#include "lang/template/functions.h"
#include "lang/template/value.h"

// Go's text/template over JSON data. The same text, or Go's own error text.
namespace slipway::lang {

// What {{ .x }} is when the data has no x.
enum class MissingKey {
  kDefault,  // prints <no value>
  kZero,     // the zero of the map's element type
  kError,
};

struct TemplateLimits {
  std::size_t max_source = 256 * 1024;   // bytes
  std::size_t max_output = 1024 * 1024;  // bytes, of the result and of what functions make
  std::size_t max_steps = 1'000'000;     // nodes evaluated, loops included
  int max_calls = 250;                   // of {{template}} within each other
  int max_depth = 1000;                  // all of those, branches and functions within each other
};

struct TemplateOptions {
  std::string name = "tmpl";  // in errors: template: tmpl:1:3: …
  MissingKey missing_key = MissingKey::kDefault;
  bool ints = false;  // numbers of the data without point or exponent are ints, not float64
  TemplateLimits limits = {};
};

// A parsed template; execute it as often as you like.
class Template {
 public:
  // `functions` come on top of Go's own. Errors: kInvalid with Go's text; kTooLarge for a limit.
  static Result<Template> parse(std::string text, TemplateOptions options = {},
                                go::Functions functions = {});
  Template(Template&&) noexcept;
  Template& operator=(Template&&) noexcept;
  ~Template();

  // `dot` is what {{ . }} stands for; it only has to live through the call. Errors as above.
  Result<std::string> execute(const go::Value& dot) const;
  Result<std::string> execute(const json::Value& dot) const;

 private:
  struct Parsed;
  explicit Template(std::unique_ptr<Parsed> parsed);

  std::unique_ptr<Parsed> parsed_;
};

// Parses and executes.
Result<std::string> render_go(std::string_view text, const json::Value& dot,
                              TemplateOptions options = {});

}  // namespace slipway::lang
