// What nearly every file reads of the standard library and of Boost (see precompiled.cmake).
#include <fmt/format.h>

#include <algorithm>
#include <boost/describe.hpp>
#include <boost/json.hpp>
#include <charconv>
#include <chrono>
#include <cmath>
#include <coroutine>
#include <expected>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <unordered_map>
#include <variant>
#include <vector>
