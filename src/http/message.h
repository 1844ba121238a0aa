#pragma once

#include <memory>
#include <stop_token>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "async/task.h"

namespace slipway::http {

// In the order sent; names compare without case.
class Headers {
 public:
  void add(std::string name, std::string value);
  void set(std::string name, std::string value);
  void remove(std::string_view name);
  // The first value, or empty.
  std::string_view get(std::string_view name) const;
  bool has(std::string_view name) const;
  const std::vector<std::pair<std::string, std::string>>& all() const { return all_; }

 private:
  std::vector<std::pair<std::string, std::string>> all_;
};

// Equal but for the case of ASCII letters.
bool same_name(std::string_view a, std::string_view b);
// With control characters, line ends among them, as spaces: fit for one header line.
std::string printable_line(std::string_view text);

inline constexpr std::size_t kMaxQueryParameters = 1000;

// A target split and percent-decoded. Repeated parameters keep their order.
struct Target {
  std::string path;  // decoded, begins with /
  std::vector<std::pair<std::string, std::string>> query;

  // The first value, or null when absent.
  const std::string* find(std::string_view name) const;
};
// Takes "/path?query" and, from proxies, a whole URL. Errors: kBadRequest.
Result<Target> parse_target(std::string_view raw);
std::string percent_encode(std::string_view text);  // for a query value or path segment
std::string format_query(const std::vector<std::pair<std::string, std::string>>& query);

// Immutable bytes shared by the store, its watchers and answers on their way out, without copies.
using Bytes = std::shared_ptr<const std::string>;

// A body that is made while it is sent. The server calls next() again only when the previous piece
// is on its way.
class Stream {
 public:
  virtual ~Stream() = default;
  // The next piece; empty at the end. `stop` is requested when the client goes away or the server
  // stops.
  virtual Task<Result<std::string>> next(std::stop_token stop) = 0;
};

// Status and body of an answer. At most one of `body`, `parts`, `stream` is used.
struct Response {
  int status = 200;
  Headers headers = {};
  std::string body = {};
  std::vector<Bytes> parts = {};        // sent one after another
  std::unique_ptr<Stream> stream = {};  // chunked
};

}  // namespace slipway::http
