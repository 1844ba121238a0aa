#pragma once

#include "server/call.h"

namespace slipway::server {

// Answers the virtual kinds a user asks about themselves with: SelfSubjectAccessReview,
// SelfSubjectRulesReview and SelfSubjectReview. They are created and answered at once; nothing is
// stored.
http::Response answer_review(const Services& services, const Call& call);

}  // namespace slipway::server
