// schema.hpp -- the tables of a store, and how older ones become those of today (docs/STORE.md).
#pragma once

#include "base/result.hpp"
#include "store/database.hpp"

namespace tarry {

/// The version of the tables that this tool makes.
int schema_version();

/// Makes the tables that are missing, up to a version. Fails if the store is of a newer version than this tool's.
Status migrate_schema(Database& database, int version);

/// Fails unless the store has the tables of this version: none at all, older ones, or newer ones.
Status check_schema(Database& database);

}  // namespace tarry
