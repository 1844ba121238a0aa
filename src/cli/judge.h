#pragma once

#include <string>
#include <vector>

#include "judge/answer.h"

namespace slipway::cli {

struct JudgeOptions {
  std::string control = {};  // file, or - for standard input
  std::string experiment = {};
  std::string method = {};
  std::string direction = {};
  std::vector<std::string> options = {};  // name=value
  std::string batch = {};                 // file of cases, or -
  std::string output = {};
};

// Compares two files of numbers, or answers a batch of cases. Exit: 0 pass, 1 fail, 2 inconclusive,
// 3 a file that cannot be read, 64 a method, direction or option there is none of; for a batch 0
// when every line was answered.
int judge(const JudgeOptions& options);

// The answer for people: verdict first, then what it rests on.
std::string describe(const judge::Answer& answer, bool colour);

}  // namespace slipway::cli
