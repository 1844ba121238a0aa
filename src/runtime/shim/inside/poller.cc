#include "runtime/shim/inside/poller.h"

#include <poll.h>
#include <time.h>

#include <algorithm>
#include <vector>

namespace slipway::runtime {

namespace {

Duration read_clock(clockid_t clock) {
  timespec now{};
  ::clock_gettime(clock, &now);
  return std::chrono::seconds(now.tv_sec) + std::chrono::nanoseconds(now.tv_nsec);
}

}  // namespace

void Poller::when_readable(int descriptor, std::function<void()> work) {
  entries_[descriptor].readable = std::move(work);
}

void Poller::when_writable(int descriptor, std::function<void()> work) {
  entries_[descriptor].writable = std::move(work);
}

void Poller::stop_writing(int descriptor) {
  if (const auto entry = entries_.find(descriptor); entry != entries_.end())
    entry->second.writable = nullptr;
}

void Poller::forget(int descriptor) { entries_.erase(descriptor); }

void Poller::turn(Duration most) {
  std::vector<pollfd> waits;
  waits.reserve(entries_.size());
  for (const auto& [descriptor, entry] : entries_)
    waits.push_back({.fd = descriptor,
                     .events = static_cast<short>((entry.readable ? POLLIN : 0) |
                                                  (entry.writable ? POLLOUT : 0)),
                     .revents = 0});
  // Rounded up: a deadline that has not passed must not make the loop spin.
  const auto wait = std::clamp<Duration>(most, Duration::zero(), std::chrono::hours(1));
  const auto milliseconds = std::chrono::ceil<std::chrono::milliseconds>(wait).count();
  if (::poll(waits.data(), waits.size(), static_cast<int>(milliseconds)) <= 0) return;
  for (const auto& ready : waits) {
    const auto call = [&](short events, std::function<void()> Entry::* member) {
      if (!(ready.revents & events)) return;
      const auto entry = entries_.find(ready.fd);
      if (entry == entries_.end() || !(entry->second.*member)) return;
      const auto work = entry->second.*member;  // a copy: it may forget itself
      work();
    };
    call(POLLIN | POLLHUP | POLLERR, &Entry::readable);
    call(POLLOUT | POLLERR, &Entry::writable);
  }
}

Time clock_now() { return Time(read_clock(CLOCK_REALTIME)); }
Duration clock_uptime() { return read_clock(CLOCK_BOOTTIME); }

}  // namespace slipway::runtime
