#pragma once

#include <optional>
#include <string>
#include <vector>

#include "evidence/noise.h"
#include "judge/sequential/plan.h"

// Rules that judge a release look by look, ours and others'.
namespace evidence {

enum class Family {
  kPipeCd,   // Mann–Whitney of each look's window alone, six points, p <= .05
  kKayenta,  // all points so far, confidence .98, tolerance .25
  // Mann–Whitney of each look's window alone, the rate divided by the looks: what slipway does for
  // a PipeCD stage too short for its points to add up.
  kEachLook,
  kOurs,
};

struct Rule {
  std::string name;
  Family family = Family::kOurs;
  slipway::judge::Plan plan = {};
  // Take the engine that the data ask for, not the plan's.
  bool choose = true;
};

// Those in the tables for one direction; each of our planned ones comes with 6 and with 30 looks.
std::vector<Rule> rules(slipway::judge::Direction direction);

// The first look that fails, from 1; nothing when none does.
std::optional<int> first_failure(const Rule& rule, Noise noise, const Release& release, int looks);

}  // namespace evidence
