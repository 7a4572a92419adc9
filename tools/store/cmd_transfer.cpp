// cmd_transfer.cpp -- tarry store export and import.
#include <unistd.h>

#include <algorithm>
#include <memory>

#include "base/tool/cli.hpp"
#include "base/files/file.hpp"
#include "base/tool/log.hpp"
#include "base/text/printable.hpp"
#include "export_forms.hpp"
#include "read_jsonl.hpp"
#include "report/cubex/cubex_writer.hpp"
#include "report/algebra/merged_sites.hpp"
#include "report/algebra/redacted_cube.hpp"
#include "run_tables.hpp"
#include "store/add_run.hpp"
#include "store/open_store.hpp"
#include "store/stored_cube.hpp"
#include "store/stored_facts.hpp"
#include "store_commands.hpp"

namespace tarry {
namespace {

// What tells of machines, users and folders.
void redact_facts(RunFacts& facts) {
  facts.source = without_folders(facts.source);
  facts.command = "";
  facts.modules = "";
  facts.flags = "";
  facts.incomplete = facts.incomplete.empty() ? "" : "parts of the run are missing";
  for (std::size_t i = 0; i < facts.machine.nodes.size(); ++i) {
    NodeFacts& node = facts.machine.nodes[i];
    node = NodeFacts();
    node.name = "node " + std::to_string(i);
  }
  facts.machine.network = "";
  facts.machine.clocks = "";
  facts.machine.mpi = "";
  facts.machine.name = "machine";
  for (auto& [name, value] : facts.parameters) value = without_folders(value);
}

Status export_run(Database& database, const StoredRun& run, const StoreOptions& options, const TextSink& sink) {
  TARRY_TRY_ASSIGN(facts, facts_of_stored(database, run));
  TARRY_TRY_ASSIGN(cube, StoredCube::open(database, run.id));
  std::unique_ptr<CubeSource> report = std::move(cube);
  if (options.is_redacted) {
    redact_facts(facts);
    report = std::make_unique<RedactedCube>(std::move(report));
  }
  // As `tarry cube dump --csv` has them: whatever the lines they are called from.
  if (options.format == "csv") {
    TARRY_TRY_ASSIGN(merged, without_call_sites(std::move(report)));
    report = std::move(merged);
  }
  const ExportedRun exported{run, facts, *report};
  if (options.format == "csv") TARRY_TRY(export_csv(exported, sink));
  else if (options.format == "xml") TARRY_TRY(export_xml(exported, sink));
  else TARRY_TRY(export_jsonl(exported, sink));
  for (const std::string& damage : report->damage()) log_warning("run " + std::to_string(run.id) + ": " + damage);
  return {};
}

Status export_cubex(Database& database, const std::vector<StoredRun>& runs, const StoreOptions& options) {
  if (runs.size() != 1)
    return Error{"export --format cubex", "writes one run, and " + std::to_string(runs.size()) + " are chosen",
                 "name a run"};
  TARRY_TRY_ASSIGN(cube, StoredCube::open(database, runs[0].id));
  std::unique_ptr<CubeSource> report = std::move(cube);
  if (options.is_redacted) report = std::make_unique<RedactedCube>(std::move(report));
  return write_cubex(*report, options.output);
}

Status export_text(Database& database, const std::vector<StoredRun>& runs, const StoreOptions& options,
                   const TextSink& sink) {
  if (options.format == "csv") TARRY_TRY(sink(kCsvHeader));
  if (options.format == "xml") TARRY_TRY(sink(kXmlBegin));
  for (const StoredRun& run : runs) TARRY_TRY(export_run(database, run, options, sink));
  if (options.format == "xml") TARRY_TRY(sink(kXmlEnd));
  return {};
}

// Adds runs to the store, and tells of each.
class Importer {
 public:
  explicit Importer(Database& database) : database_(database) {}

  Status add(const CubeSource& report, const RunFacts& facts, std::span<const std::uint8_t> key, std::uint64_t bytes) {
    TARRY_TRY_ASSIGN(added, add_run(database_, report, facts, key, bytes));
    print_line("run " + std::to_string(added.id) + ": " + facts.program +
               (added.is_new ? "" : " is in the store already, and is not added again"));
    return {};
  }

 private:
  Database& database_;
};

Status import_store(const std::string& name, Importer& importer) {
  TARRY_TRY_ASSIGN(source, open_store(name, StoreAccess::kRead));
  TARRY_TRY_ASSIGN(runs, find_runs(*source));
  for (const StoredRun& run : runs) {
    TARRY_TRY_ASSIGN(facts, facts_of_stored(*source, run));
    TARRY_TRY_ASSIGN(report, StoredCube::open(*source, run.id));
    TARRY_TRY(importer.add(*report, facts, key_of_text(run.key), static_cast<std::uint64_t>(run.report_bytes)));
    if (!report->damage().empty()) return Error{name, report->damage()[0], "see 'tarry store verify'"};
  }
  return {};
}

bool is_store_name(const std::string& name) {
  if (name.starts_with("postgresql://") || name.starts_with("postgres://")) return true;
  const auto file = MappedFile::open(name);
  static constexpr std::string_view kMagic = "SQLite format 3";
  return file.ok() && file.value().bytes().size() > kMagic.size() &&
         std::equal(kMagic.begin(), kMagic.end(), file.value().bytes().begin());
}

}  // namespace

Result<int> export_runs(const StoreOptions& options) {
  TARRY_TRY_ASSIGN(database, open_store_of(options, StoreAccess::kRead));
  TARRY_TRY_ASSIGN(runs, chosen_runs(*database, options));
  if (options.output != "-" && path_exists(options.output) && is_same_file(options.output, store_name(options.store)))
    return Error{options.output, "is the store itself", "name another output"};
  if (options.format == "cubex") {
    TARRY_TRY(export_cubex(*database, runs, options));
  } else if (options.output == "-") {
    TARRY_TRY(export_text(*database, runs, options, print_text));
  } else {
    TARRY_TRY(write_file_with(options.output, [&](const File& file) {
      return export_text(*database, runs, options, [&](std::string_view text) {
        return write_all(file, text.data(), text.size(), options.output);
      });
    }));
  }
  return kExitDone;
}

Result<int> import_runs(const StoreOptions& options) {
  TARRY_TRY_ASSIGN(database, open_store_of(options, StoreAccess::kWrite));
  Importer importer(*database);
  for (const std::string& input : options.inputs) {
    if (is_store_name(input)) {
      TARRY_TRY(import_store(input, importer));
      continue;
    }
    TARRY_TRY(read_jsonl(input, [&](const ReadRun& run) {
      return importer.add(ReportCube(run.report), run.facts, run.key, run.report_bytes);
    }));
  }
  return kExitDone;
}

}  // namespace tarry
