#pragma once

#include "api/object.h"
#include "store/store.h"

namespace slipway::store {

// What a document says it is called.
inline Key key_of(const json::Object& object) {
  return {std::string(api::namespace_of(object)), std::string(api::name_of(object))};
}

}  // namespace slipway::store
