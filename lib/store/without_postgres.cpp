// without_postgres.cpp -- takes the place of postgres_database.cpp where the header of PostgreSQL's client library was
// missing when this was built.
#include "store/database.hpp"

namespace tarry {

Result<std::unique_ptr<Database>> open_postgres(const std::string&, StoreAccess) {
  return Error{"stores on PostgreSQL", "Tarry was built without them",
               "install libpq-fe.h (libpq-dev), and build again"};
}

}  // namespace tarry
