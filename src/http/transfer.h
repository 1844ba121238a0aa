#pragma once

#include <curl/curl.h>

#include <memory>
#include <optional>
#include <string>

#include "async/signal.h"
#include "http/client.h"

namespace slipway::http {

struct FreeEasy {
  void operator()(CURL* easy) const { curl_easy_cleanup(easy); }
};
struct FreeList {
  void operator()(curl_slist* list) const { curl_slist_free_all(list); }
};
using Easy = std::unique_ptr<CURL, FreeEasy>;
using List = std::unique_ptr<curl_slist, FreeList>;

// One request on its way through libcurl, and what has come back. Stays where it is: libcurl holds
// its address. Nobody is resumed inside libcurl: waiting is by a Signal.
class Transfer {
 public:
  enum class Kind { kWhole, kStream };

  // `tls` outlives this.
  Transfer(Loop& loop, Easy easy, ClientRequest request, const Tls& tls, Kind kind);
  Transfer(const Transfer&) = delete;

  // Sets up the handle. Errors: kInvalid for a URL that cannot be used.
  Result<void> prepare();
  CURL* easy() const { return easy_.get(); }
  // For the next transfer; this one has ended.
  Easy give_back() { return std::move(easy_); }
  static Transfer* of(CURL* easy);

  // From the multi handle: nothing more will come.
  void finish(CURLcode code);

  bool head_arrived() const { return head_arrived_; }
  bool done() const { return code_.has_value(); }
  // Once done. The failure names method and URL, without user, password and query.
  Result<void> result() const;
  std::unexpected<Error> failure(ErrorCode code, std::string_view why) const;

  Response& response() { return response_; }
  // Takes what has arrived, and lets more come.
  std::string take_body();

  // Notified when the head, more of the body, or the end has come.
  Signal& changed() { return changed_; }

 private:
  static std::size_t on_header(char* data, std::size_t size, std::size_t count, void* self);
  static std::size_t on_body(char* data, std::size_t size, std::size_t count, void* self);
  std::size_t take_header_line(std::string_view line);
  std::size_t take_bytes(std::string_view bytes);

  Result<void> set_url();
  void set_server_name(CURLU* url);
  void connect_elsewhere(CURLU* url, const std::string& place);
  void set_method();
  void set_headers();
  void set_tls();
  void set_limits();

  ClientRequest request_;
  const Tls& tls_;
  Kind kind_;
  Easy easy_;
  List header_list_;
  List connect_to_;
  std::string shown_url_;
  char error_text_[CURL_ERROR_SIZE] = {};
  Response response_;
  bool head_arrived_ = false;
  bool too_large_ = false;
  bool paused_ = false;
  std::optional<CURLcode> code_;
  Signal changed_;
};

}  // namespace slipway::http
