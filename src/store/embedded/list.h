#pragma once

#include "store/embedded/selection.h"
#include "store/embedded/state.h"

namespace slipway::store {

// One page of a table. A continue token names the version of the first page and the last key given:
// later pages show the table as it was then, put together from the history; kExpired when that is
// forgotten (see expired_list.h for how to go on), kBadRequest when it is no token.
// Items are given in the version of `resource`.
Result<Page> list_page(const Table& table, Version committed, const Selection& selection,
                       const ListOptions& options, const api::Resource& resource);

struct ContinueToken {
  Version version = 0;  // 0: go on with the table as it is
  Key after;
};
std::string write_token(const ContinueToken& token);
Result<ContinueToken> read_token(std::string_view text);

}  // namespace slipway::store
