#pragma once

#include "async/loop.h"
#include "http/message.h"

namespace slipway::server {

// Indented (?pretty=true) and YAML forms of a finished JSON answer; others are left alone.
//
// A list whose parts are `head , item , … , tail` (present_list) is dressed an item at a time, with
// a turn of the loop for others in between. Answers over the limits stay JSON as they are, and say
// so in their Content-Type.
Task<http::Response> dress(Loop& loop, http::Response response, bool pretty, bool yaml);

}  // namespace slipway::server
