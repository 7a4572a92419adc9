// postgres_database.cpp -- the store of a team, on a PostgreSQL server.
#include <algorithm>
#include <bit>
#include <cstdlib>
#include <map>

#include "base/bytes/bytes.hpp"
#include "base/text/text.hpp"
#include "store/database.hpp"
#include "store/libpq_library.hpp"

namespace tarry {
namespace {

constexpr std::size_t kCopyPiece = std::size_t{1} << 18;
constexpr const char* kReadHint = "one SELECT; docs/STORE.md lists tables and views";

// What a user can do about an error, by its SQLSTATE (PostgreSQL's documentation, Appendix A).
std::string way_out(std::string_view state) {
  if (state == "53100") return "the server's disk is full; the store is as it was before";
  if (state == "42501") return "the owner of the database can grant that to the role";
  if (state == "42P01" || state == "3F000")
    return "the owner of the database can grant the use of schema tarry to the role";
  if (state == "22P05") return "make the database with ENCODING 'UTF8'";
  if (state == "25006") return "the server or the role is set to read only";
  return "";
}

// Numbers of types, from PostgreSQL's catalogue pg_type.
constexpr Oid kBoolType = 16, kInt8Type = 20, kInt2Type = 21, kInt4Type = 23, kFloat4Type = 700, kFloat8Type = 701,
              kNumericType = 1700;

// What messages may show of "postgresql://user:password@host:port/name?options".
std::string shown_address(const std::string& address) {
  const std::size_t host = address.find("://") + 3;
  const std::size_t end = std::min(address.find('?'), address.size());
  const std::size_t at = address.rfind('@', end);
  const bool has_user = at != std::string::npos && at >= host;
  return address.substr(0, host) + address.substr(has_user ? at + 1 : host, end - (has_user ? at + 1 : host));
}

std::string first_line(std::string text) { return text.substr(0, text.find('\n')); }

// An answer of the server, freed at the end.
class PostgresResult {
 public:
  PostgresResult(const LibpqLibrary& pq, PGresult* result) : pq_(pq), result_(result) {}
  PostgresResult(const PostgresResult&) = delete;
  ~PostgresResult() { pq_.PQclear(result_); }

  PGresult* get() const { return result_; }
  ExecStatusType status() const { return pq_.PQresultStatus(result_); }

 private:
  const LibpqLibrary& pq_;
  PGresult* result_;
};

// A row of an answer in the text form, with which numbers are exact since PostgreSQL 12.
class PostgresRow : public SqlRow {
 public:
  PostgresRow(const LibpqLibrary& pq, PGresult* result) : pq_(pq), result_(result) {}
  ~PostgresRow() override {
    for (auto& [column, memory] : unescaped_) pq_.PQfreemem(memory);
  }

  std::size_t size() const override { return static_cast<std::size_t>(pq_.PQnfields(result_)); }
  std::string_view name(std::size_t column) const override { return pq_.PQfname(result_, number(column)); }
  bool is_null(std::size_t column) const override { return pq_.PQgetisnull(result_, 0, number(column)); }
  bool is_number(std::size_t column) const override {
    switch (pq_.PQftype(result_, number(column))) {
      case kInt8Type:
      case kInt2Type:
      case kInt4Type:
      case kFloat4Type:
      case kFloat8Type:
      case kNumericType: return !is_null(column);
      default: return false;
    }
  }
  std::int64_t integer(std::size_t column) const override {
    const char* text = pq_.PQgetvalue(result_, 0, number(column));
    if (pq_.PQftype(result_, number(column)) == kBoolType) return *text == 't';
    return std::strtoll(text, nullptr, 10);
  }
  double real(std::size_t column) const override {
    return std::strtod(pq_.PQgetvalue(result_, 0, number(column)), nullptr);
  }
  std::string_view text(std::size_t column) const override {
    return {pq_.PQgetvalue(result_, 0, number(column)),
            static_cast<std::size_t>(pq_.PQgetlength(result_, 0, number(column)))};
  }
  std::span<const std::uint8_t> bytes(std::size_t column) const override {
    if (is_null(column)) return {};
    std::size_t size = 0;
    const auto* text = reinterpret_cast<const unsigned char*>(pq_.PQgetvalue(result_, 0, number(column)));
    unsigned char* memory = pq_.PQunescapeBytea(text, &size);
    if (!memory) return {};
    unsigned char*& kept = unescaped_[column];
    if (kept) pq_.PQfreemem(kept);
    kept = memory;
    return {memory, size};
  }

 private:
  static int number(std::size_t column) { return static_cast<int>(column); }

  const LibpqLibrary& pq_;
  PGresult* result_;
  mutable std::map<std::size_t, unsigned char*> unescaped_;
};

// Parameters in the forms that the library takes: bytes as they are, all else as text.
class PostgresParams {
 public:
  explicit PostgresParams(const SqlParams& params) {
    texts_.reserve(params.size());
    for (const SqlParam& param : params) add(param.value());
  }

  int count() const { return static_cast<int>(values_.size()); }
  const char* const* values() const { return values_.data(); }
  const int* lengths() const { return lengths_.data(); }
  const int* formats() const { return formats_.data(); }

 private:
  void add(const SqlParam::Value& value) {
    if (const auto* bytes = std::get_if<std::span<const std::uint8_t>>(&value)) {
      values_.push_back(bytes->data() ? reinterpret_cast<const char*>(bytes->data()) : "");
      lengths_.push_back(static_cast<int>(bytes->size()));
      formats_.push_back(1);
      return;
    }
    std::string text;
    if (const auto* integer = std::get_if<std::int64_t>(&value)) text = std::to_string(*integer);
    if (const auto* real = std::get_if<double>(&value)) text = exact_number(*real);
    if (const auto* view = std::get_if<std::string_view>(&value)) text = *view;
    texts_.push_back(std::move(text));
    values_.push_back(std::holds_alternative<std::monostate>(value) ? nullptr : texts_.back().c_str());
    lengths_.push_back(0);
    formats_.push_back(0);
  }

  std::vector<std::string> texts_;
  std::vector<const char*> values_;
  std::vector<int> lengths_, formats_;
};

class PostgresDatabase : public Database {
 public:
  PostgresDatabase(const LibpqLibrary& pq, PGconn* connection, std::string name)
      : pq_(pq), connection_(connection), name_(std::move(name)) {}
  ~PostgresDatabase() override { pq_.PQfinish(connection_); }

  DatabaseKind kind() const override { return DatabaseKind::kPostgres; }
  const std::string& name() const override { return name_; }
  bool is_lost() const override { return pq_.PQstatus(connection_) == CONNECTION_BAD; }

  Error connection_error() const {
    std::string why = first_line(pq_.PQerrorMessage(connection_));
    return {name_, why.empty() ? "the connection is lost" : why, "check the address, and that the server runs"};
  }

  Error result_error(PGresult* result) const {
    const char* why = pq_.PQresultErrorField(result, PG_DIAG_MESSAGE_PRIMARY);
    if (!why) return connection_error();
    const char* state = pq_.PQresultErrorField(result, PG_DIAG_SQLSTATE);
    const std::string_view code = state ? state : "";
    if (code == "55P03") return {name_, "another process has been writing for a minute", "try again"};
    return {name_, first_line(why), way_out(code)};
  }

  Status run(std::string_view sql, const SqlParams& params) override {
    return query(sql, params, [](const SqlRow&) { return Status(); });
  }

  Status query(std::string_view sql, const SqlParams& params, const SqlRowReader& read) override {
    TARRY_TRY_ASSIGN(statement, prepare(sql));
    const PostgresParams given(params);
    if (!pq_.PQsendQueryPrepared(connection_, statement.c_str(), given.count(), given.values(), given.lengths(),
                                 given.formats(), 0))
      return connection_error();
    return read_rows(read, {});
  }

  Status run_script(const std::string& sql) override {
    const PostgresResult result(pq_, pq_.PQexec(connection_, sql.c_str()));
    if (result.status() == PGRES_COMMAND_OK || result.status() == PGRES_TUPLES_OK) return {};
    return result_error(result.get());
  }

  // A cursor takes one SELECT and nothing else: statements like COPY would run programs for a superuser.
  Status query_foreign(const std::string& sql, const SqlRowReader& read,
                       const std::function<void(const std::vector<std::string>&)>& begin) override {
    if (sql.find_first_not_of(" \t\r\n;") == std::string::npos) return Error{"query", "holds no statement", kReadHint};
    TARRY_TRY(run_script("SET cursor_tuple_fraction = 1; BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"));
    const std::string declaration = "DECLARE answer NO SCROLL CURSOR FOR " + sql;
    // As a prepared one, it can be no more than one statement.
    const PostgresResult prepared(pq_, pq_.PQprepare(connection_, "foreign", declaration.c_str(), 0, nullptr));
    if (prepared.status() != PGRES_COMMAND_OK) return Error{"query", result_error(prepared.get()).why, kReadHint};
    if (!pq_.PQsendQueryPrepared(connection_, "foreign", 0, nullptr, nullptr, nullptr, 0)) return connection_error();
    TARRY_TRY(read_rows([](const SqlRow&) { return Status(); }, {}));
    return fetch_all(read, begin);
  }

  Result<std::unique_ptr<RowInserter>> insert_into(std::string_view table, std::string_view columns) override;

  Status begin_writing() override { return run_script("BEGIN; LOCK TABLE store_version IN SHARE ROW EXCLUSIVE MODE"); }
  Status begin_reading() override { return run_script("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"); }
  Status commit() override {
    const PostgresResult result(pq_, pq_.PQexec(connection_, "COMMIT"));
    if (result.status() != PGRES_COMMAND_OK) return result_error(result.get());
    return {};
  }
  void roll_back() override { const PostgresResult ignored(pq_, pq_.PQexec(connection_, "ROLLBACK")); }

  Result<bool> has_table(std::string_view table) override {
    TARRY_TRY_ASSIGN(
        found, find_integer(*this, "SELECT 1 FROM pg_tables WHERE schemaname = 'tarry' AND tablename = $1", {table}));
    return found.has_value();
  }

  Status compact() override { return run_script("VACUUM (FULL)"); }

  // The server checks its files itself.
  Result<std::vector<std::string>> check() override { return std::vector<std::string>(); }

 private:
  friend class PostgresInserter;

  // Of columns, in the order of the list.
  Result<std::vector<Oid>> types_of(std::string_view table, std::string_view columns) {
    const std::string sql = "SELECT " + std::string(columns) + " FROM " + std::string(table) + " WHERE false";
    if (const auto found = types_.find(sql); found != types_.end()) return found->second;
    const PostgresResult result(pq_, pq_.PQexec(connection_, sql.c_str()));
    if (result.status() != PGRES_TUPLES_OK) return result_error(result.get());
    std::vector<Oid> types;
    for (int i = 0; i < pq_.PQnfields(result.get()); ++i) types.push_back(pq_.PQftype(result.get(), i));
    return types_.emplace(sql, std::move(types)).first->second;
  }

  Result<std::string> prepare(std::string_view sql) {
    if (const auto found = statements_.find(sql); found != statements_.end()) return found->second;
    std::string statement = "s" + std::to_string(statements_.size());
    const PostgresResult result(pq_,
                                pq_.PQprepare(connection_, statement.c_str(), std::string(sql).c_str(), 0, nullptr));
    if (result.status() != PGRES_COMMAND_OK) return result_error(result.get());
    statements_.emplace(sql, statement);
    return statement;
  }

  Status read_rows(const SqlRowReader& read, const std::function<void(const std::vector<std::string>&)>& begin) {
    pq_.PQsetSingleRowMode(connection_);
    Status outcome;
    bool has_begun = !begin;
    for (;;) {
      const PostgresResult result(pq_, pq_.PQgetResult(connection_));
      if (!result.get()) return outcome;
      if (!outcome.ok()) continue;
      const ExecStatusType status = result.status();
      if (status != PGRES_SINGLE_TUPLE && status != PGRES_TUPLES_OK && status != PGRES_COMMAND_OK) {
        outcome = result_error(result.get());
        continue;
      }
      const PostgresRow row(pq_, result.get());
      if (!has_begun) {
        std::vector<std::string> names;
        for (std::size_t i = 0; i < row.size(); ++i) names.emplace_back(row.name(i));
        begin(names);
        has_begun = true;
      }
      if (status == PGRES_SINGLE_TUPLE) outcome = read(row);
      if (!outcome.ok()) cancel();
    }
  }

  // The rows of the cursor `answer`, some at a time.
  Status fetch_all(const SqlRowReader& read, const std::function<void(const std::vector<std::string>&)>& begin) {
    TARRY_TRY_ASSIGN(statement, prepare("FETCH FORWARD 5000 FROM answer"));
    std::size_t rows = 1;
    for (bool is_first = true; rows > 0; is_first = false) {
      rows = 0;
      if (!pq_.PQsendQueryPrepared(connection_, statement.c_str(), 0, nullptr, nullptr, nullptr, 0))
        return connection_error();
      const auto counted = [&](const SqlRow& row) {
        ++rows;
        return read(row);
      };
      if (is_first) TARRY_TRY(read_rows(counted, begin));
      else TARRY_TRY(read_rows(counted, {}));
    }
    return {};
  }

  // The rest of the answer is not wanted.
  void cancel() {
    PGcancel* handle = pq_.PQgetCancel(connection_);
    char why[256];
    pq_.PQcancel(handle, why, sizeof why);
    pq_.PQfreeCancel(handle);
  }

  const LibpqLibrary& pq_;
  PGconn* connection_;
  std::string name_;
  std::map<std::string, std::string, std::less<>> statements_;
  std::map<std::string, std::vector<Oid>> types_;
};

// Rows in the binary form of COPY (PostgreSQL's documentation of COPY, "Binary Format").
class PostgresInserter : public RowInserter {
 public:
  /// `types`: of the columns.
  PostgresInserter(PostgresDatabase& database, std::vector<Oid> types) : database_(database), types_(std::move(types)) {
    static constexpr char kHeader[] = "PGCOPY\n\377\r\n\0\0\0\0\0\0\0\0";
    buffer_.assign(kHeader, kHeader + 19);
  }
  ~PostgresInserter() override {
    if (!is_finished_) (void)end("the rows are not complete");
  }

  Status add(const SqlParams& row) override {
    append(static_cast<std::uint16_t>(row.size()));
    for (std::size_t i = 0; i < row.size(); ++i)
      if (!append_value(row[i].value(), i < types_.size() ? types_[i] : 0))
        return Error{database_.name(), "a number is too large for its column", "the report has too many call paths"};
    return buffer_.size() < kCopyPiece ? Status() : flush();
  }

  Status finish() override {
    append(std::uint16_t{0xffff});
    TARRY_TRY(flush());
    return end(nullptr);
  }

 private:
  template <class T>
  void append(T number) {
    for (int shift = 8 * (sizeof(T) - 1); shift >= 0; shift -= 8) buffer_.push_back(static_cast<char>(number >> shift));
  }
  void append_bytes(const void* data, std::size_t size) {
    append(static_cast<std::uint32_t>(size));
    buffer_.append(static_cast<const char*>(data), size);
  }
  // False if the number is none of its column's type.
  bool append_value(const SqlParam::Value& value, Oid type) {
    if (const auto* integer = std::get_if<std::int64_t>(&value)) {
      if (type == kInt4Type) {
        append(std::uint32_t{4});
        append(static_cast<std::uint32_t>(*integer));
        return *integer == static_cast<std::int32_t>(*integer);
      }
      append(std::uint32_t{8});
      append(static_cast<std::uint64_t>(*integer));
    } else if (const auto* real = std::get_if<double>(&value)) {
      append(std::uint32_t{8});
      append(std::bit_cast<std::uint64_t>(*real));
    } else if (const auto* text = std::get_if<std::string_view>(&value)) {
      append_bytes(text->data(), text->size());
    } else if (const auto* bytes = std::get_if<std::span<const std::uint8_t>>(&value)) {
      append_bytes(bytes->data(), bytes->size());
    } else {
      append(~std::uint32_t{0});
    }
    return true;
  }

  Status flush() {
    const int outcome =
        database_.pq_.PQputCopyData(database_.connection_, buffer_.data(), static_cast<int>(buffer_.size()));
    buffer_.clear();
    return outcome == 1 ? Status() : Status(database_.connection_error());
  }

  Status end(const char* why) {
    is_finished_ = true;
    database_.pq_.PQputCopyEnd(database_.connection_, why);
    return database_.read_rows([](const SqlRow&) { return Status(); }, {});
  }

  PostgresDatabase& database_;
  std::vector<Oid> types_;
  std::string buffer_;
  bool is_finished_ = false;
};

Result<std::unique_ptr<RowInserter>> PostgresDatabase::insert_into(std::string_view table, std::string_view columns) {
  TARRY_TRY_ASSIGN(types, types_of(table, columns));
  const std::string sql = "COPY " + std::string(table) + " (" + std::string(columns) + ") FROM STDIN (FORMAT binary)";
  const PostgresResult result(pq_, pq_.PQexec(connection_, sql.c_str()));
  if (result.status() != PGRES_COPY_IN) return result_error(result.get());
  return std::unique_ptr<RowInserter>(std::make_unique<PostgresInserter>(*this, std::move(types)));
}

void no_notice(void*, const char*) {}

}  // namespace

Result<std::unique_ptr<Database>> open_postgres(const std::string& address, StoreAccess access) {
  TARRY_TRY_ASSIGN(pq, LibpqLibrary::load());
  // What the address says of these wins, being the last.
  const char* const keywords[] = {"connect_timeout", "application_name", "dbname", "client_encoding", nullptr};
  const char* const values[] = {"20", "tarry", address.c_str(), "UTF8", nullptr};
  PGconn* connection = pq->PQconnectdbParams(keywords, values, 1);
  if (!connection) return Error{shown_address(address), "out of memory", ""};
  auto database = std::make_unique<PostgresDatabase>(*pq, connection, shown_address(address));
  if (pq->PQstatus(connection) != CONNECTION_OK) return database->connection_error();
  pq->PQsetNoticeProcessor(connection, no_notice, nullptr);
  TARRY_TRY(
      database->run_script("SET search_path TO tarry; SET lock_timeout = '60s'; "
                           "SET standard_conforming_strings = on; SET bytea_output = 'hex'"));
  if (access == StoreAccess::kRead) TARRY_TRY(database->run_script("SET default_transaction_read_only = on"));
  return std::unique_ptr<Database>(std::move(database));
}

}  // namespace tarry
