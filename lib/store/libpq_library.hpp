// libpq_library.hpp -- the client library of PostgreSQL, loaded when a store is on a server: few tools need it, and few
// machines have it.
#pragma once

#include <libpq-fe.h>

#include "base/result.hpp"

namespace tarry {

/// Its functions, by their names there.
struct LibpqLibrary {
// Each run of the formatter would lay out this list anew.
// clang-format off
#define TARRY_LIBPQ_FUNCTIONS(FUNCTION) \
  FUNCTION(PQconnectdbParams) FUNCTION(PQfinish) FUNCTION(PQstatus) FUNCTION(PQerrorMessage) \
  FUNCTION(PQsetNoticeProcessor) FUNCTION(PQexec) FUNCTION(PQprepare) FUNCTION(PQsendQueryPrepared) \
  FUNCTION(PQsendQuery) FUNCTION(PQsetSingleRowMode) FUNCTION(PQgetResult) FUNCTION(PQclear) \
  FUNCTION(PQresultStatus) FUNCTION(PQresultErrorField) FUNCTION(PQresultErrorMessage) FUNCTION(PQnfields) \
  FUNCTION(PQfname) FUNCTION(PQftype) FUNCTION(PQntuples) FUNCTION(PQgetvalue) FUNCTION(PQgetlength) \
  FUNCTION(PQgetisnull) FUNCTION(PQputCopyData) FUNCTION(PQputCopyEnd) FUNCTION(PQunescapeBytea) \
  FUNCTION(PQfreemem) FUNCTION(PQgetCancel) FUNCTION(PQcancel) FUNCTION(PQfreeCancel) FUNCTION(PQdb) \
  FUNCTION(PQhost)
// clang-format on
#define TARRY_LIBPQ_MEMBER(name) decltype(&::name) name = nullptr;
  TARRY_LIBPQ_FUNCTIONS(TARRY_LIBPQ_MEMBER)
#undef TARRY_LIBPQ_MEMBER

  /// Loads it once for all.
  static Result<const LibpqLibrary*> load();
};

}  // namespace tarry
