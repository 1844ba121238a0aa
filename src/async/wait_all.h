#pragma once

#include <optional>
#include <variant>
#include <vector>

#include "async/completion.h"
#include "async/loop.h"

namespace slipway {

namespace detail {
template <class T>
struct WaitAll {
  std::vector<std::optional<T>> values;
  std::size_t left = 0;
};
// `all` lives in the frame of wait_all, which ends after the last of these.
template <class T>
Task<> keep_one(Task<T> task, WaitAll<T>& all, std::size_t index, Completion<std::monostate> done) {
  all.values[index].emplace(co_await std::move(task));
  if (--all.left == 0) done.set({});
}
}  // namespace detail

// Runs the tasks side by side and gives their values, in the order of the tasks, when all have
// ended.
template <class T>
Task<std::vector<T>> wait_all(Loop& loop, std::vector<Task<T>> tasks) {
  detail::WaitAll<T> all{.values = std::vector<std::optional<T>>(tasks.size()),
                         .left = tasks.size()};
  Completion<std::monostate> done(loop);
  if (tasks.empty()) done.set({});
  for (std::size_t i = 0; i < tasks.size(); ++i) {
    spawn(loop, detail::keep_one<T>(std::move(tasks[i]), all, i, done));
  }
  co_await done;
  std::vector<T> values;
  values.reserve(all.values.size());
  for (std::optional<T>& value : all.values) values.push_back(std::move(*value));
  co_return values;
}

}  // namespace slipway
