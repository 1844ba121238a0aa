#pragma once

#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "async/blocking.h"
#include "async/loop.h"
#include "base/json.h"
#include "cli/served_kind.h"
#include "store/kube/connection.h"

namespace slipway::cli {

// Flags of every command that talks to a server.
struct ServerFlags {
  std::string kubeconfig = {};
  std::string context = {};
  std::string ns = {};  // -n
};

// Where the address and the credentials of a server are from.
struct Contact {
  std::string server;  // https://127.0.0.1:8080
  std::string source;  // the kubeconfig's path
};

// `error` with what to do about it, for those that say nothing of it themselves.
Error with_advice(Error error, const Contact& contact);
// The same for one that no answer came with: nobody could be asked (kUnavailable), be it that
// nobody was there in time, or that we and the server do not trust each other.
Error unanswered(Error error, const Contact& contact);

// A connection to the server that flags, $KUBECONFIG or the default data folder lead to, and what
// is served there.
class Session {
 public:
  // On a loop of its own, or on one that outlives it. kNotFound: no kubeconfig anywhere; the
  // message says how to get one.
  static Result<std::unique_ptr<Session>> open(const ServerFlags& flags, Loop* loop = nullptr);
  // Whether anything leads to a server: without, open() has nothing to try.
  static bool is_any_named(const ServerFlags& flags);
  ~Session();

  const std::string& ns() const { return ns_; }
  Loop& loop() { return *loop_; }
  store::kube::Connection& connection() { return *connection_; }

  // Here and below: kBadRequest for a name with a slash, which no object has.
  // The decoded body; an answer of 400 and above is an error. When nobody answers (kUnavailable) or
  // the answer is kUnauthorized, the message says what to do.
  Task<Result<json::Value>> send(store::kube::Call call, std::stop_token stop = {});

  // The same for an answer that comes piece by piece; its status may be any.
  Task<Result<std::unique_ptr<http::ResponseStream>>> open_stream(store::kube::Call call);

  // What is said of a stream that has_broken_off(): kUnavailable, and what to do.
  Error stream_ended() const;

  // By plural, singular, short name or kind, any case, with or without group. kNotFound names what
  // was asked for.
  Task<Result<ServedKind>> find_kind(std::string word);
  Task<Result<ServedKind>> find_kind(std::string api_version, std::string kind);
  // Several words with commas; "all" and other categories stand for their members.
  Task<Result<std::vector<ServedKind>>> find_kinds(std::string words);
  // Asks again next time: a CRD was added.
  void forget_kinds() { kinds_.clear(); }

 private:
  Session() = default;
  Task<Result<>> load_kinds();

  std::unique_ptr<Loop> own_loop_;
  Loop* loop_ = nullptr;
  std::unique_ptr<Pool> pool_;
  std::unique_ptr<store::kube::Connection> connection_;
  std::string ns_ = "default";
  Contact contact_;
  std::vector<ServedKind> kinds_;
};

}  // namespace slipway::cli
