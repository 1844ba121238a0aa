#pragma once

#include <cstddef>
#include <string>

// How the engine gives up inside, private to lang/template: thrown deep down, caught by Template.
namespace slipway::lang::go {

// The whole error text, location included.
struct Failure {
  std::string message;
};

// What a function objects to its arguments; the executor adds where and which function.
struct CallFailure {
  std::string message;
};

// A limit was reached. No Go counterpart: says which limit.
struct LimitReached {
  std::string message;
};

}  // namespace slipway::lang::go
