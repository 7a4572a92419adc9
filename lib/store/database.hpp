// database.hpp -- what the store needs of a database: statements with parameters, transactions, many rows at once.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "base/result.hpp"
#include "store/sql.hpp"

namespace tarry {

enum class DatabaseKind { kSqlite, kPostgres };

/// Takes rows for one table. All values of a column have one type, or are NULL.
class RowInserter {
 public:
  virtual ~RowInserter() = default;
  virtual Status add(const SqlParams& row) = 0;
  /// To be called once after the last row. Nothing else may be asked of the database before.
  virtual Status finish() = 0;
};

/// A connection. Text of statements is ours alone: whatever comes from users and files is a parameter ($1, $2, ...).
/// Not thread-safe. While an answer is read, nothing else may be asked.
class Database {
 public:
  virtual ~Database() = default;

  virtual DatabaseKind kind() const = 0;
  /// What messages call it: the file, or the address without user and password.
  virtual const std::string& name() const = 0;

  /// True once the connection is gone for good: nothing more can be asked.
  virtual bool is_lost() const { return false; }

  /// Runs one statement, which is kept prepared.
  virtual Status run(std::string_view sql, const SqlParams& params = {}) = 0;
  /// The same; hands each row of the answer to `read`, whose first error ends it.
  virtual Status query(std::string_view sql, const SqlParams& params, const SqlRowReader& read) = 0;
  /// Several statements without parameters.
  virtual Status run_script(const std::string& sql) = 0;
  /// A SELECT of the user's, which may only read. Each `read` row of the answer; `begin` sees the names of columns.
  virtual Status query_foreign(const std::string& sql, const SqlRowReader& read,
                               const std::function<void(const std::vector<std::string>&)>& begin) = 0;

  virtual Result<std::unique_ptr<RowInserter>> insert_into(std::string_view table, std::string_view columns) = 0;

  /// One writer at a time: the others wait, up to a minute.
  virtual Status begin_writing() = 0;
  virtual Status begin_reading() = 0;
  virtual Status commit() = 0;
  virtual void roll_back() = 0;

  /// Whether a table of ours is there.
  virtual Result<bool> has_table(std::string_view table) = 0;
  /// Gives back the space of what was removed.
  virtual Status compact() = 0;
  /// What is wrong with the database itself, one line each.
  virtual Result<std::vector<std::string>> check() = 0;
};

enum class StoreAccess { kRead, kWrite };

/// Opens `postgresql://...` or `postgres://...`, or an SQLite file. With kWrite a file that is not there is made.
Result<std::unique_ptr<Database>> open_database(const std::string& where, StoreAccess access);

Result<std::unique_ptr<Database>> open_sqlite(const std::string& path, StoreAccess access);
Result<std::unique_ptr<Database>> open_postgres(const std::string& address, StoreAccess access);

/// Undoes what was done since its construction unless it was committed.
class Transaction {
 public:
  explicit Transaction(Database& database) : database_(database) {}
  Transaction(const Transaction&) = delete;
  ~Transaction() {
    if (is_open_) database_.roll_back();
  }

  Status begin_writing() { return opened(database_.begin_writing()); }
  Status begin_reading() { return opened(database_.begin_reading()); }
  Status commit() {
    Status status = database_.commit();
    is_open_ = !status.ok();
    return status;
  }

 private:
  Status opened(Status status) {
    is_open_ = status.ok();
    return status;
  }

  Database& database_;
  bool is_open_ = false;
};

/// The first value of the first row of an answer; nothing if it has no row, or NULL.
Result<std::optional<std::int64_t>> find_integer(Database& database, std::string_view sql, const SqlParams& params);

}  // namespace tarry
