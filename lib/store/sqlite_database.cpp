// sqlite_database.cpp -- the store in one file, by SQLite.
#include <sqlite3.h>

#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <map>

#include "base/files/file.hpp"
#include "store/database.hpp"
#include "store/value_codec.hpp"

namespace tarry {
namespace {

constexpr int kWaitMilliseconds = 60'000;
constexpr int kPageBytes = 4096;

Error sqlite_error(sqlite3* handle, const std::string& path) {
  const int code = handle ? sqlite3_errcode(handle) & 0xff : SQLITE_NOMEM;
  const std::string why = handle ? sqlite3_errmsg(handle) : "out of memory";
  switch (code) {
    case SQLITE_FULL: return {path, why, "free some space; the store is as it was before"};
    case SQLITE_IOERR: return {path, why + " (" + system_error() + ")", "the store is as it was before"};
    case SQLITE_BUSY: return {path, "another process has been writing for a minute", "try again"};
    case SQLITE_NOTADB: return {path, "is no store: " + why, "give a file that 'tarry store add' made"};
    case SQLITE_CORRUPT: return {path, "is damaged: " + why, "see 'tarry store verify'"};
    case SQLITE_READONLY: return {path, why, "check its permissions, and those of its folder"};
    case SQLITE_CANTOPEN: return {path, why, "check that it exists, and its folder"};
    default: return {path, why, ""};
  }
}

// A prepared statement, for one run.
class SqliteStatement : public SqlRow {
 public:
  explicit SqliteStatement(sqlite3_stmt* statement) : statement_(statement) {}
  SqliteStatement(const SqliteStatement&) = delete;
  ~SqliteStatement() {
    sqlite3_reset(statement_);
    sqlite3_clear_bindings(statement_);
  }

  bool bind(const SqlParams& params) {
    for (std::size_t i = 0; i < params.size(); ++i) {
      const int at = sqlite3_bind_parameter_index(statement_, ("$" + std::to_string(i + 1)).c_str());
      if (at > 0 && bind_value(at, params[i]) != SQLITE_OK) return false;
    }
    return true;
  }

  int bind_value(int at, const SqlParam& param) {
    if (const auto* integer = std::get_if<std::int64_t>(&param.value()))
      return sqlite3_bind_int64(statement_, at, *integer);
    if (const auto* real = std::get_if<double>(&param.value())) return sqlite3_bind_double(statement_, at, *real);
    if (const auto* text = std::get_if<std::string_view>(&param.value()))
      return sqlite3_bind_text64(statement_, at, text->data() ? text->data() : "", text->size(), SQLITE_STATIC,
                                 SQLITE_UTF8);
    if (const auto* bytes = std::get_if<std::span<const std::uint8_t>>(&param.value())) {
      if (bytes->empty()) return sqlite3_bind_zeroblob(statement_, at, 0);
      return sqlite3_bind_blob64(statement_, at, bytes->data(), bytes->size(), SQLITE_STATIC);
    }
    return sqlite3_bind_null(statement_, at);
  }

  int step() { return sqlite3_step(statement_); }

  std::size_t size() const override { return static_cast<std::size_t>(sqlite3_column_count(statement_)); }
  std::string_view name(std::size_t column) const override {
    const char* name = sqlite3_column_name(statement_, static_cast<int>(column));
    return name ? name : "";
  }
  bool is_null(std::size_t column) const override { return type_of(column) == SQLITE_NULL; }
  bool is_number(std::size_t column) const override {
    return type_of(column) == SQLITE_INTEGER || type_of(column) == SQLITE_FLOAT;
  }
  std::int64_t integer(std::size_t column) const override {
    return sqlite3_column_int64(statement_, static_cast<int>(column));
  }
  double real(std::size_t column) const override { return sqlite3_column_double(statement_, static_cast<int>(column)); }
  std::string_view text(std::size_t column) const override {
    const auto* text = reinterpret_cast<const char*>(sqlite3_column_text(statement_, static_cast<int>(column)));
    if (!text) return {};
    return {text, static_cast<std::size_t>(sqlite3_column_bytes(statement_, static_cast<int>(column)))};
  }
  std::span<const std::uint8_t> bytes(std::size_t column) const override {
    const auto* bytes = static_cast<const std::uint8_t*>(sqlite3_column_blob(statement_, static_cast<int>(column)));
    if (!bytes) return {};
    return {bytes, static_cast<std::size_t>(sqlite3_column_bytes(statement_, static_cast<int>(column)))};
  }

 private:
  int type_of(std::size_t column) const { return sqlite3_column_type(statement_, static_cast<int>(column)); }

  sqlite3_stmt* statement_;
};

// "($1,$2,$3)" for as many columns as the list names.
std::string places_for(std::string_view columns) {
  std::string places = "($1";
  int count = 1;
  for (const char c : columns)
    if (c == ',') places += ",$" + std::to_string(++count);
  return places + ")";
}

class SqliteInserter : public RowInserter {
 public:
  SqliteInserter(sqlite3* handle, sqlite3_stmt* statement, const std::string& path)
      : handle_(handle), row_(statement), path_(path) {
    statement_ = statement;
  }

  Status add(const SqlParams& row) override {
    for (std::size_t i = 0; i < row.size(); ++i)
      if (row_.bind_value(static_cast<int>(i) + 1, row[i]) != SQLITE_OK) return sqlite_error(handle_, path_);
    const int outcome = row_.step();
    sqlite3_reset(statement_);
    if (outcome != SQLITE_DONE) return sqlite_error(handle_, path_);
    return {};
  }
  Status finish() override { return {}; }

 private:
  sqlite3* handle_;
  sqlite3_stmt* statement_;
  SqliteStatement row_;
  const std::string& path_;
};

class SqliteDatabase : public Database {
 public:
  SqliteDatabase(sqlite3* handle, std::string path) : handle_(handle), path_(std::move(path)) {}
  ~SqliteDatabase() override {
    for (auto& [sql, statement] : statements_) sqlite3_finalize(statement);
    sqlite3_close(handle_);
  }

  DatabaseKind kind() const override { return DatabaseKind::kSqlite; }
  const std::string& name() const override { return path_; }

  Status run(std::string_view sql, const SqlParams& params) override {
    return query(sql, params, [](const SqlRow&) { return Status(); });
  }

  Status query(std::string_view sql, const SqlParams& params, const SqlRowReader& read) override {
    TARRY_TRY_ASSIGN(prepared, prepare(sql));
    SqliteStatement statement(prepared);
    if (!statement.bind(params)) return sqlite_error(handle_, path_);
    return read_rows(statement, read);
  }

  Status run_script(const std::string& sql) override {
    if (sqlite3_exec(handle_, sql.c_str(), nullptr, nullptr, nullptr) != SQLITE_OK) return sqlite_error(handle_, path_);
    return {};
  }

  Status query_foreign(const std::string& sql, const SqlRowReader& read,
                       const std::function<void(const std::vector<std::string>&)>& begin) override {
    TARRY_TRY(run_script("PRAGMA query_only=1"));
    sqlite3_set_authorizer(handle_, only_reading, nullptr);
    sqlite3_stmt* prepared = nullptr;
    const char* rest = nullptr;
    const int outcome = sqlite3_prepare_v3(handle_, sql.c_str(), -1, 0, &prepared, &rest);
    if (outcome != SQLITE_OK) return Error{"query", sqlite3_errmsg(handle_), "docs/STORE.md lists tables and views"};
    if (!prepared) return Error{"query", "holds no statement", "docs/STORE.md lists tables and views"};
    struct Finalizer {
      sqlite3_stmt* statement;
      ~Finalizer() { sqlite3_finalize(statement); }
    } finalizer{prepared};
    if (std::string_view(rest).find_first_not_of(" \t\r\n;") != std::string_view::npos)
      return Error{"query", "holds several statements", "give one at a time"};
    if (!sqlite3_stmt_readonly(prepared)) return Error{"query", "would change the store", "only reading is allowed"};
    SqliteStatement statement(prepared);
    std::vector<std::string> names;
    for (std::size_t i = 0; i < statement.size(); ++i) names.emplace_back(statement.name(i));
    begin(names);
    return read_rows(statement, read);
  }

  Result<std::unique_ptr<RowInserter>> insert_into(std::string_view table, std::string_view columns) override {
    const std::string sql =
        "INSERT INTO " + std::string(table) + " (" + std::string(columns) + ") VALUES " + places_for(columns);
    TARRY_TRY_ASSIGN(statement, prepare(sql));
    return std::unique_ptr<RowInserter>(std::make_unique<SqliteInserter>(handle_, statement, path_));
  }

  Status begin_writing() override { return run("BEGIN IMMEDIATE", {}); }
  Status begin_reading() override { return run("BEGIN", {}); }
  Status commit() override { return run("COMMIT", {}); }
  void roll_back() override { sqlite3_exec(handle_, "ROLLBACK", nullptr, nullptr, nullptr); }

  Result<bool> has_table(std::string_view table) override {
    TARRY_TRY_ASSIGN(found,
                     find_integer(*this, "SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = $1", {table}));
    return found.has_value();
  }

  Status compact() override { return run_script("VACUUM; PRAGMA wal_checkpoint(TRUNCATE)"); }

  Result<std::vector<std::string>> check() override {
    std::vector<std::string> faults;
    TARRY_TRY(query("PRAGMA integrity_check(20)", {}, [&](const SqlRow& row) -> Status {
      if (row.text(0) != "ok") faults.emplace_back(row.text(0));
      return {};
    }));
    if (!faults.empty()) return faults;
    TARRY_TRY(query("PRAGMA foreign_key_check", {}, [&](const SqlRow& row) -> Status {
      faults.push_back("a row of " + std::string(row.text(0)) + " refers to what is not in " +
                       std::string(row.text(2)));
      return {};
    }));
    return faults;
  }

 private:
  static int only_reading(void*, int action, const char*, const char*, const char*, const char*) {
    return action == SQLITE_ATTACH || action == SQLITE_DETACH || action == SQLITE_PRAGMA ? SQLITE_DENY : SQLITE_OK;
  }

  Result<sqlite3_stmt*> prepare(std::string_view sql) {
    if (const auto found = statements_.find(sql); found != statements_.end()) return found->second;
    sqlite3_stmt* statement = nullptr;
    if (sqlite3_prepare_v3(handle_, sql.data(), static_cast<int>(sql.size()), SQLITE_PREPARE_PERSISTENT, &statement,
                           nullptr) != SQLITE_OK)
      return sqlite_error(handle_, path_);
    statements_.emplace(sql, statement);
    return statement;
  }

  Status read_rows(SqliteStatement& statement, const SqlRowReader& read) {
    for (;;) {
      const int outcome = statement.step();
      if (outcome == SQLITE_DONE) return {};
      if (outcome != SQLITE_ROW) return sqlite_error(handle_, path_);
      TARRY_TRY(read(statement));
    }
  }

  sqlite3* handle_;
  std::string path_;
  std::map<std::string, sqlite3_stmt*, std::less<>> statements_;
};

// values(vector): the values of all locations as a JSON array, for json_each.
void values_function(sqlite3_context* context, int, sqlite3_value** arguments) {
  if (sqlite3_value_type(arguments[0]) == SQLITE_NULL) return sqlite3_result_null(context);
  const auto* bytes = static_cast<const std::uint8_t*>(sqlite3_value_blob(arguments[0]));
  const auto size = static_cast<std::size_t>(sqlite3_value_bytes(arguments[0]));
  const auto values = decode_vector({bytes, size});
  if (!values.ok()) return sqlite3_result_error(context, "the vector is damaged", -1);
  const std::string text = vector_as_json(values.value());
  sqlite3_result_text64(context, text.data(), text.size(), SQLITE_TRANSIENT, SQLITE_UTF8);
}

constexpr std::int64_t kApplication = 0x54617279;  // "Tary": what the header of our files says they are

// Refuses the database of another program before anything of it is changed.
Status check_is_ours(SqliteDatabase& database) {
  TARRY_TRY_ASSIGN(application, find_integer(database, "PRAGMA application_id", {}));
  if (application == kApplication) return {};
  return Error{database.name(), "is a database, but no store of Tarry", "name another file"};
}

// True if nobody has put anything into the file.
bool is_new_file(const std::string& path) {
  struct stat facts;
  return ::stat(path.c_str(), &facts) != 0 || (S_ISREG(facts.st_mode) && facts.st_size == 0);
}

Status check_path(const std::string& path, StoreAccess access) {
  if (path.empty()) return Error{"store", "has no name", "give --store FILE.db"};
  if (is_directory(path)) return Error{path, "is a folder, not a store", "name a file"};
  struct stat facts;
  if (::stat(path.c_str(), &facts) == 0) {
    if (!S_ISREG(facts.st_mode)) return Error{path, "is no regular file", "name another one"};
    return {};
  }
  if (access == StoreAccess::kRead) return Error{path, "there is no such store", "'tarry store add' makes one"};
  return {};
}

// "file:..." is a name like any other.
std::string sqlite_name(const std::string& path) { return path.starts_with('/') ? path : "./" + path; }

// The address of a file that does not change while it is read (SQLite's documentation of URI filenames).
std::string unchanging_name(const std::string& path) {
  std::string address = "file:";
  for (const char c : sqlite_name(path)) {
    if (c == '%') address += "%25";
    else if (c == '?') address += "%3f";
    else if (c == '#') address += "%23";
    else address.push_back(c);
  }
  return address + "?immutable=1";
}

Result<std::unique_ptr<SqliteDatabase>> open_file(const std::string& path, const std::string& name, int flags) {
  sqlite3* handle = nullptr;
  const int outcome = sqlite3_open_v2(name.c_str(), &handle, flags, nullptr);
  auto database = std::make_unique<SqliteDatabase>(handle, path);
  if (outcome != SQLITE_OK) return sqlite_error(handle, path);
  sqlite3_busy_timeout(handle, kWaitMilliseconds);
  sqlite3_db_config(handle, SQLITE_DBCONFIG_DEFENSIVE, 1, nullptr);
  sqlite3_db_config(handle, SQLITE_DBCONFIG_ENABLE_TRIGGER, 0, nullptr);
  sqlite3_db_config(handle, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, nullptr);
  sqlite3_create_function(handle, "vector_values", 1, SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_DIRECTONLY, nullptr,
                          values_function, nullptr, nullptr);
  // The first look at the file: what is no database is told here.
  TARRY_TRY(database->run("SELECT count(*) FROM sqlite_schema", {}));
  return database;
}

// What a writer that was killed has left is in the file beside it.
bool has_unmerged_changes(const std::filesystem::path& path) {
  std::error_code error;
  const auto size = std::filesystem::file_size(path.string() + "-wal", error);
  return !error && size > 0;
}

// A reader, too, puts files beside the store. Where it may not, the store is read as it is.
Result<std::unique_ptr<SqliteDatabase>> open_for(const std::string& path, StoreAccess access) {
  const bool writes = access == StoreAccess::kWrite;
  auto database = open_file(path, sqlite_name(path), SQLITE_OPEN_READWRITE | (writes ? SQLITE_OPEN_CREATE : 0));
  if (database.ok() || writes) return database;
  std::error_code error;
  const std::filesystem::path real = std::filesystem::canonical(path, error);
  const bool may_write = ::access(real.c_str(), W_OK) == 0 && ::access(real.parent_path().c_str(), W_OK) == 0;
  if (error || may_write) return database;
  if (has_unmerged_changes(real))
    return Error{path, "a writer was killed, and what it left cannot be read in a folder that cannot be written",
                 "copy the store and '" + real.filename().string() + "-wal' to another folder"};
  return open_file(path, unchanging_name(path), SQLITE_OPEN_READONLY | SQLITE_OPEN_URI);
}

}  // namespace

Result<std::unique_ptr<Database>> open_sqlite(const std::string& path, StoreAccess access) {
  TARRY_TRY(check_path(path, access));
  const bool is_new = is_new_file(path);
  TARRY_TRY_ASSIGN(database, open_for(path, access));
  if (is_new && access == StoreAccess::kWrite)
    TARRY_TRY(database->run_script("PRAGMA page_size=" + std::to_string(kPageBytes) +
                                   "; PRAGMA application_id=" + std::to_string(kApplication)));
  TARRY_TRY(check_is_ours(*database));
  // Where the file cannot be written, it keeps the mode that it has.
  const Status logged = database->run("PRAGMA journal_mode=WAL", {});
  if (!logged.ok() && access == StoreAccess::kWrite) return logged.error();
  TARRY_TRY(
      database->run_script("PRAGMA synchronous=FULL; PRAGMA foreign_keys=1; PRAGMA cell_size_check=1; "
                           "PRAGMA cache_size=-65536; PRAGMA temp_store=MEMORY"));
  return std::unique_ptr<Database>(std::move(database));
}

}  // namespace tarry
