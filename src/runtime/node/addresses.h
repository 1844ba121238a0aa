#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>

namespace slipway::runtime {

// A share of the loopback network, 2^22 addresses of 127.0.0.0/8 each.
struct AddressRange {
  std::uint32_t first;  // as a number, host order
  std::uint32_t count;
  constexpr bool contains(std::uint32_t address) const {
    return address >= first && address - first < count;
  }
};
inline constexpr AddressRange kPodAddresses{0x7F400000, 1U << 22};      // 127.64.0.0/10
inline constexpr AddressRange kServiceAddresses{0x7F800000, 1U << 22};  // 127.128.0.0/10
inline constexpr AddressRange kGatewayAddresses{0x7FC00000, 1U << 22};  // 127.192.0.0/10

std::string format_address(std::uint32_t address);  // 127.64.0.1
std::optional<std::uint32_t> parse_address(std::string_view text);

// Gives each uid an address of its own out of a range.
//
// Where a uid begins to look depends on the uid alone, so that it tends to get the same address
// again and one that was given up is not soon given to another. What is in use is learnt from the
// objects, which keep the addresses: hold() them before the first take().
class Addresses {
 public:
  explicit Addresses(AddressRange range) : range_(range) {}

  // The uid's address, taken now when it has none. Empty when all are taken.
  std::string take(const std::string& uid);
  // `address` belongs to `uid`. False when another has it, or it is not in the range.
  bool hold(const std::string& uid, std::string_view address);
  void release(const std::string& uid);
  std::size_t size() const { return by_uid_.size(); }

 private:
  AddressRange range_;
  std::map<std::string, std::uint32_t> by_uid_;
  std::map<std::uint32_t, std::string> taken_;
};

}  // namespace slipway::runtime
