#include "metrics/graphql.h"

#include <fmt/format.h>

#include "metrics/http_source.h"
#include "metrics/limits.h"

namespace slipway::metrics {

Result<json::Value> read_graphql(std::string_view body) {
  auto document = read_answer(body);
  if (!document) return document;
  const json::Value* errors = json::at(*document, {"errors"});
  if (errors && errors->is_array() && !errors->get_array().empty()) {
    std::string text;
    std::size_t shown = 0;
    for (const json::Value& error : errors->get_array()) {
      if (++shown > kMaxWarnings) break;
      std::string_view message = json::string_at(error, {"message"});
      text += (text.empty() ? "" : ", ") +
              (message.empty() ? excerpt(json::write(error)) : excerpt(message));
    }
    return fail(ErrorCode::kInvalid, "graphql: " + text);
  }
  json::Value* data = json::at(*document, {"data"});
  if (!data) {
    return fail(ErrorCode::kInvalid,
                fmt::format("graphql: the answer has no data, found {}", excerpt(body)));
  }
  return std::move(*data);
}

}  // namespace slipway::metrics
