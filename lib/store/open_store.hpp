// open_store.hpp -- opens the store that a user means, for reading or for writing.
#pragma once

#include <memory>
#include <string>

#include "base/result.hpp"
#include "store/database.hpp"

namespace tarry {

/// What the user named, else $TARRY_STORE, else "./tarry.db".
std::string store_name(const std::string& named);

/// Opens it; with kWrite it is made, and older tables become those of today. Fails where the tables are others.
Result<std::unique_ptr<Database>> open_store(const std::string& named, StoreAccess access);

}  // namespace tarry
