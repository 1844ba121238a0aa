#include "runtime/node/addresses.h"

#include <fmt/format.h>

#include <charconv>

#include "base/hash.h"

namespace slipway::runtime {

namespace {

// Some programs take a last octet of 0 or 255 for a network or a broadcast address.
bool is_usable(std::uint32_t address) {
  const std::uint32_t last = address & 0xFF;
  return last != 0 && last != 0xFF;
}

}  // namespace

std::string format_address(std::uint32_t address) {
  return fmt::format("{}.{}.{}.{}", address >> 24, (address >> 16) & 0xFF, (address >> 8) & 0xFF,
                     address & 0xFF);
}

std::optional<std::uint32_t> parse_address(std::string_view text) {
  std::uint32_t address = 0;
  const char* at = text.data();
  const char* const end = at + text.size();
  for (int i = 0; i < 4; ++i) {
    std::uint32_t part = 0;
    if (i > 0 && (at == end || *at++ != '.')) return std::nullopt;
    const auto read = std::from_chars(at, end, part);
    if (read.ec != std::errc() || part > 0xFF) return std::nullopt;
    at = read.ptr;
    address = address << 8 | part;
  }
  if (at != end) return std::nullopt;
  return address;
}

std::string Addresses::take(const std::string& uid) {
  if (const auto known = by_uid_.find(uid); known != by_uid_.end())
    return format_address(known->second);
  const auto start = static_cast<std::uint32_t>(fnv1a64(uid) % range_.count);
  for (std::uint32_t i = 0; i < range_.count; ++i) {
    const std::uint32_t address = range_.first + (start + i) % range_.count;
    if (!is_usable(address) || taken_.contains(address)) continue;
    by_uid_[uid] = address;
    taken_[address] = uid;
    return format_address(address);
  }
  return {};
}

bool Addresses::hold(const std::string& uid, std::string_view address) {
  const auto number = parse_address(address);
  if (!number || !range_.contains(*number)) return false;
  const auto taken = taken_.find(*number);
  if (taken != taken_.end()) return taken->second == uid;
  release(uid);
  by_uid_[uid] = *number;
  taken_[*number] = uid;
  return true;
}

void Addresses::release(const std::string& uid) {
  const auto known = by_uid_.find(uid);
  if (known == by_uid_.end()) return;
  taken_.erase(known->second);
  by_uid_.erase(known);
}

}  // namespace slipway::runtime
