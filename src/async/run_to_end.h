#pragma once

#include <optional>
#include <type_traits>

#include "async/loop.h"

namespace slipway {

namespace detail {
template <class T>
Task<> keep_result(Loop& loop, Task<T> task, std::optional<T>& result) {
  result.emplace(co_await std::move(task));
  loop.stop();
}
inline Task<> stop_after(Loop& loop, Task<> task) {
  co_await std::move(task);
  loop.stop();
}
}  // namespace detail

template <class T>
T run_to_end(Loop& loop, Task<T> task) {
  if constexpr (std::is_void_v<T>) {
    spawn(loop, detail::stop_after(loop, std::move(task)));
    loop.run();
  } else {
    std::optional<T> result;
    spawn(loop, detail::keep_result(loop, std::move(task), result));
    loop.run();
    SLIPWAY_ASSERT(result.has_value());
    return std::move(*result);
  }
}

}  // namespace slipway
