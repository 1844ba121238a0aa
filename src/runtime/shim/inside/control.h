#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>

#include "base/error.h"
#include "base/json.h"
#include "runtime/process/descriptor.h"
#include "runtime/shim/inside/poller.h"
#include "runtime/shim/messages.h"

namespace slipway::runtime {

// The shim's end of control.sock.
class ControlServer {
 public:
  using Connection = std::uint64_t;
  // Answers with answer(), now or later.
  using Asked = std::function<void(Connection connection, Request request)>;

  ControlServer(Poller& poller, Asked asked) : poller_(poller), asked_(std::move(asked)) {}
  ~ControlServer();
  ControlServer(const ControlServer&) = delete;
  ControlServer& operator=(const ControlServer&) = delete;

  // Makes control.sock (0600) in a folder, in place of one that is there.
  Result<> listen(int folder);

  // A connection that has gone meanwhile is passed over.
  void answer(Connection connection, const Result<json::Value>& answer);
  // From here on the connection is sent each state.
  void add_watcher(Connection connection);
  // To all watchers. One that does not read gets the newest when it does, and misses others.
  void tell(std::string state_line);

  // Something has not been read yet.
  bool has_unsent() const;

 private:
  struct Peer {
    Descriptor socket = {};
    std::string in = {};
    std::string out = {};
    bool watches = false;
    bool behind = false;  // there is a newer state than what is in `out`
  };

  void accept();
  void read(Connection connection);
  void write(Connection connection);
  void drop(Connection connection);

  Poller& poller_;
  Asked asked_;
  Descriptor listener_;
  std::map<Connection, Peer> peers_;
  Connection last_ = 0;
  std::string newest_;
};

// control.sock of an open folder, through /proc: paths of sockets end at 107 bytes, those of
// folders do not.
std::string control_path(int folder);

}  // namespace slipway::runtime
