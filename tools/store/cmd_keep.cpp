// cmd_keep.cpp -- tarry store tag, rm, verify and gc.
#include "base/tool/cli.hpp"
#include "base/text/format.hpp"
#include "base/text/printable.hpp"
#include "defs/run_parameters.hpp"
#include "store/keep_store.hpp"
#include "store_commands.hpp"

namespace tarry {

Result<int> tag_runs(const StoreOptions& options) {
  TARRY_TRY_ASSIGN(database, open_store_of(options, StoreAccess::kWrite));
  TARRY_TRY_ASSIGN(runs, named_runs(*database, {options.name}));
  TARRY_TRY(set_tags(*database, runs, options.tags, options.removes));
  RunParameters parameters;
  for (const std::string& text : options.parameters) {
    TARRY_TRY_ASSIGN(parameter, parse_parameter(text));
    parameters.push_back(std::move(parameter));
  }
  TARRY_TRY(set_parameters_of(*database, runs, parameters));
  return kExitDone;
}

Result<int> remove_runs(const StoreOptions& options) {
  TARRY_TRY_ASSIGN(database, open_store_of(options, StoreAccess::kWrite));
  TARRY_TRY_ASSIGN(runs, chosen_runs(*database, options));
  TARRY_TRY(remove_runs_of(*database, runs));
  print_line(format_count(runs.size(), "run") + " removed; 'tarry store gc' gives back the room");
  return kExitDone;
}

Result<int> verify_store(const StoreOptions& options) {
  TARRY_TRY_ASSIGN(database, open_store_of(options, StoreAccess::kRead));
  TARRY_TRY_ASSIGN(faults, database->check());
  TARRY_TRY_ASSIGN(runs, chosen_runs(*database, options));
  for (const std::string& fault : faults) print_line(fault);
  std::size_t damaged = 0;
  for (const StoredRun& run : runs) {
    TARRY_TRY_ASSIGN(found, check_run(*database, run.id));
    for (const std::string& fault : found) print_line("run " + std::to_string(run.id) + ": " + fault);
    damaged += !found.empty();
  }
  const bool is_good = faults.empty() && damaged == 0;
  print_line(is_good ? format_count(runs.size(), "run") + " verified"
                     : std::to_string(damaged) + " of " + format_count(runs.size(), "run") + " damaged");
  return is_good ? kExitDone : kExitFailed;
}

Result<int> collect_garbage(const StoreOptions& options) {
  TARRY_TRY_ASSIGN(database, open_store_of(options, StoreAccess::kWrite));
  TARRY_TRY_ASSIGN(removed, remove_unused(*database));
  TARRY_TRY(database->compact());
  print_line(format_count(static_cast<std::uint64_t>(removed), "row") + " removed that no run needs");
  return kExitDone;
}

}  // namespace tarry
