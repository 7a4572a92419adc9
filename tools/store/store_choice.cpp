// store_choice.cpp -- which store and which runs the user means.
#include "store/open_store.hpp"
#include "store/run_filter.hpp"
#include "store_commands.hpp"

namespace tarry {

Result<std::unique_ptr<Database>> open_store_of(const StoreOptions& options, StoreAccess access) {
  return open_store(options.store, access);
}

Result<std::vector<StoredRun>> chosen_runs(Database& database, const StoreOptions& options) {
  TARRY_TRY_ASSIGN(filter, RunFilter::parse(options.where));
  if (options.runs.empty()) return find_runs(database, &filter);
  TARRY_TRY_ASSIGN(runs, named_runs(database, options.runs));
  std::erase_if(runs, [&](const StoredRun& run) { return !filter.accepts(run); });
  return runs;
}

}  // namespace tarry
