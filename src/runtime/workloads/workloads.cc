#include "runtime/workloads/workloads.h"

namespace slipway::runtime {

Workloads::Workloads(control::Manager& manager, Random& random)
    : set_events_(manager.loop(), manager.store(), random, "replicaset-controller"),
      deployment_events_(manager.loop(), manager.store(), random, "deployment-controller"),
      job_events_(manager.loop(), manager.store(), random, "job-controller"),
      service_events_(manager.loop(), manager.store(), random, "service-controller"),
      pods_(manager),
      sets_(manager, set_events_, pods_),
      deployments_(manager, deployment_events_, pods_),
      jobs_(manager, job_events_, pods_),
      services_(manager, service_events_, pods_) {
  manager.add(sets_.options(), sets_);
  manager.add(deployments_.options(), deployments_);
  manager.add(jobs_.options(), jobs_);
  manager.add(services_.options(), services_);
}

Task<> Workloads::stop() {
  co_await set_events_.stop();
  co_await deployment_events_.stop();
  co_await job_events_.stop();
  co_await service_events_.stop();
}

}  // namespace slipway::runtime
