#pragma once

#include "runtime/workloads/jobs/job.h"

namespace slipway::runtime {

// What became of a look's actions.
struct JobEffect {
  std::int64_t created = 0;
  std::vector<const PodView*> removed = {};
  bool failed = false;  // not all of them could be done
};

struct JobVerdict {
  json::Object status = {};
  struct Event {
    bool warning = false;
    std::string reason = {};
    std::string message = {};
  };
  std::vector<Event> events = {};  // once it is written
};

// The status to be. One that ends says so when all its Pods have gone and are counted.
JobVerdict decide_job_status(const JobView& job, const JobLook& look, const JobEffect& effect,
                             Time now);

}  // namespace slipway::runtime
