// database.cpp -- what the store needs of a database.
#include "store/database.hpp"

namespace tarry {

Result<std::unique_ptr<Database>> open_database(const std::string& where, StoreAccess access) {
  if (where.starts_with("postgresql://") || where.starts_with("postgres://")) return open_postgres(where, access);
  return open_sqlite(where, access);
}

Result<std::optional<std::int64_t>> find_integer(Database& database, std::string_view sql, const SqlParams& params) {
  std::optional<std::int64_t> found;
  TARRY_TRY(database.query(sql, params, [&](const SqlRow& row) -> Status {
    if (!found && !row.is_null(0)) found = row.integer(0);
    return {};
  }));
  return found;
}

}  // namespace tarry
