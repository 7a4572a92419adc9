// open_store.cpp -- opens the store that a user means.
#include "store/open_store.hpp"

#include <cstdlib>

#include "store/schema.hpp"

namespace tarry {

std::string store_name(const std::string& named) {
  if (!named.empty()) return named;
  const char* variable = std::getenv("TARRY_STORE");
  return variable && *variable ? variable : "./tarry.db";
}

Result<std::unique_ptr<Database>> open_store(const std::string& named, StoreAccess access) {
  TARRY_TRY_ASSIGN(database, open_database(store_name(named), access));
  if (access == StoreAccess::kWrite) TARRY_TRY(migrate_schema(*database, schema_version()));
  else TARRY_TRY(check_schema(*database));
  return database;
}

}  // namespace tarry
