// cmd_add.cpp -- tarry store add.
#include "archive/reading/choose_report.hpp"
#include "base/tool/cli.hpp"
#include "base/files/file.hpp"
#include "base/text/format.hpp"
#include "base/files/input_file.hpp"
#include "base/tool/log.hpp"
#include "base/text/printable.hpp"
#include "collected_facts.hpp"
#include "efficiency/efficiency_runs.hpp"
#include "report/cubex/cubex_file.hpp"
#include "store/add_run.hpp"
#include "store/content_key.hpp"
#include "store_commands.hpp"

namespace tarry {
namespace {

Result<MappedFile> map_report(const std::string& path) {
  if (path != "-" && !is_pipe(path)) return MappedFile::open(path);
  const std::string name = path == "-" ? "standard input" : path;
  return MappedFile::from_stream(path, [&](std::span<const std::uint8_t> bytes) { return check_is_tar(bytes, name); });
}

Status add_one(Database& database, const std::string& input, const StoreOptions& options) {
  TARRY_TRY_ASSIGN(path, report_to_read(input));
  TARRY_TRY_ASSIGN(file, map_report(path));
  TARRY_TRY_ASSIGN(report, CubexFile::open(file.bytes(), path));
  TARRY_TRY_ASSIGN(facts, collect_facts(input, path, *report, options));
  if (options.wants_efficiency) {
    TARRY_TRY_ASSIGN(transfer, transfer_efficiency(input, {}));
    facts.transfer = transfer;
  }
  const ContentKey key = content_key(file.bytes());
  TARRY_TRY_ASSIGN(added, add_run(database, *report, facts, key, file.bytes().size()));
  const std::string run = "run " + std::to_string(added.id);
  if (!added.is_new) {
    print_line(run + ": " + input + " is in the store already, and is not added again");
    return {};
  }
  print_line(run + ": " + facts.program + ", " + format_count(report->structure().processes.size(), "rank") + ", " +
             facts.kind);
  for (const std::string& damage : report->damage()) log_warning(input + ": " + damage);
  return {};
}

}  // namespace

Result<int> add_runs(const StoreOptions& options) {
  TARRY_TRY_ASSIGN(database, open_store_of(options, StoreAccess::kWrite));
  int status = kExitDone;
  for (const std::string& input : options.inputs) {
    const Status added = add_one(*database, input, options);
    if (added.ok()) continue;
    log_error(added.error());
    status = kExitFailed;
    if (database->is_lost()) break;
  }
  return status;
}

}  // namespace tarry
