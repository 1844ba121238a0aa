#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace slipway::runtime {

// $(NAME) replaced by what `find` gives for NAME, as Kubernetes does in command, args and env:
// "$$" is a dollar sign, and a reference to what is not there stays as it is written.
std::string expand(std::string_view text,
                   const std::function<std::optional<std::string>(std::string_view)>& find);

}  // namespace slipway::runtime
