#include "lang/expr/sort.h"

#include <algorithm>
#include <numeric>

#include "lang/expr/operate.h"

namespace slipway::lang::expr {

namespace {

// Up to here Go sorts by insertion. Doing the same makes the same pair the first that cannot be
// compared, and leaves NaN at the same place.
constexpr std::size_t kSortedByInsertion = 12;

template <class Less>
void insertion_sort(std::vector<std::size_t>& order, Less less_than) {
  for (std::size_t i = 1; i < order.size(); ++i)
    for (std::size_t j = i; j > 0 && less_than(order[j], order[j - 1]); --j)
      std::swap(order[j], order[j - 1]);
}

// Keeps equal ones in their order, and its bounds whatever NaN compares like.
template <class Less>
void merge_sort(std::vector<std::size_t>& order, Less less_than) {
  std::vector<std::size_t> merged(order.size());
  for (std::size_t width = 1; width < order.size(); width *= 2) {
    for (std::size_t start = 0; start < order.size(); start += 2 * width) {
      const std::size_t middle = std::min(start + width, order.size());
      const std::size_t end = std::min(start + 2 * width, order.size());
      std::size_t left = start;
      std::size_t right = middle;
      for (std::size_t i = start; i < end; ++i) {
        const bool take_right =
            left == middle || (right < end && less_than(order[right], order[left]));
        merged[i] = order[take_right ? right++ : left++];
      }
    }
    order.swap(merged);
  }
}

std::vector<Value> picked(const std::vector<Value>& from, const std::vector<std::size_t>& order) {
  std::vector<Value> out;
  out.reserve(order.size());
  for (const std::size_t at : order) out.push_back(from[at]);
  return out;
}

}  // namespace

void sort_values(std::vector<Value>& items, std::vector<Value>& keys, bool descending,
                 Budget& budget) {
  std::vector<std::size_t> order(items.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  const auto less_than = [&](std::size_t a, std::size_t b) {
    budget.step();
    if (keys[a].has(Kind::kString)) budget.read(keys[a].text().size());
    return descending ? less(keys[b], keys[a]) : less(keys[a], keys[b]);
  };
  if (order.size() <= kSortedByInsertion)
    insertion_sort(order, less_than);
  else
    merge_sort(order, less_than);
  items = picked(items, order);
}

}  // namespace slipway::lang::expr
