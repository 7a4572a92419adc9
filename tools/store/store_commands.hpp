// store_commands.hpp -- the operations of tarry-store; each is in the file of its name, cmd_NAME.cpp of this folder.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "store/database.hpp"
#include "store/runs.hpp"

namespace tarry {

/// Values of the command line.
struct StoreOptions {
  std::string store;  // empty: $TARRY_STORE, or ./tarry.db
  std::vector<std::string> runs, inputs, tags, parameters;
  std::string where;
  std::string parameter_file, commit, flags, modules, date, program, machine, network, mpi;
  std::string metric, region, call_path, sql, name;
  std::string format = "text", output = "-";
  bool is_redacted = false, removes = false, is_quick = false, is_new = false, takes_all = false;
  bool wants_efficiency = false, is_raw = false;
};

Result<int> add_runs(const StoreOptions& options);
Result<int> list_runs(const StoreOptions& options);
Result<int> show_runs(const StoreOptions& options);
Result<int> query_store(const StoreOptions& options);
Result<int> tag_runs(const StoreOptions& options);
Result<int> remove_runs(const StoreOptions& options);
Result<int> export_runs(const StoreOptions& options);
Result<int> import_runs(const StoreOptions& options);
Result<int> verify_store(const StoreOptions& options);
Result<int> collect_garbage(const StoreOptions& options);

/// The store that the user means, with the tables of today.
Result<std::unique_ptr<Database>> open_store_of(const StoreOptions& options, StoreAccess access);

/// The runs named, else those of --where, else all.
Result<std::vector<StoredRun>> chosen_runs(Database& database, const StoreOptions& options);

}  // namespace tarry
