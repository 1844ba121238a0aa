#pragma once

#include "http/certificate.h"
#include "http/server.h"

namespace slipway::http {

// Gives a server that listen() made with a certificate another one. Connections that are open go on
// with the old one. Errors: kInvalid when it cannot be read, or certificate and key are no pair;
// nothing has changed then.
Result<> set_certificate(Server& server, const KeyPair& pair);

}  // namespace slipway::http
