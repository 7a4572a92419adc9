// main.cpp -- tarry-store: a repository of runs, in a file or on a server.
#include <cstdlib>
#include <utility>
#include <vector>

#include "base/cli.hpp"
#include "base/log.hpp"
#include "base/tool_main.hpp"
#include "defs/run_parameters.hpp"
#include "store/run_filter.hpp"
#include "store/utc_time.hpp"
#include "store_commands.hpp"

using namespace tarry;

static const char kFooter[] = R"(
Examples:
  tarry store add run1 run2 --param n=512 --tag baseline
  tarry store list --where "n >= 512 and program = cg"
  tarry store show -m time --region solve
  tarry store query "SELECT run, metric, total FROM run_metrics WHERE total > 100"

A store is an SQLite file or a PostgreSQL database. Without --store it is $TARRY_STORE, or ./tarry.db.

Files:
  reads archives and reports (.cubex) of tarry, Score-P and Scalasca; reads and writes the store.
See also: tarry history, tarry scale, docs/STORE.md)";

namespace {

using Operation = Result<int> (*)(const StoreOptions&);

// What several operations take.
void take_runs(CliOptions& line, StoreOptions& options, bool is_needed) {
  CliOption runs = line.option("RUN", options.runs, "a number, a tag, 'last', or digits of the report's SHA-256");
  runs.count(0, 1 << 20);
  if (is_needed) runs.required();
}

std::string check_where(const std::string& text) {
  const auto filter = RunFilter::parse(text);
  return filter.ok() ? "" : "'" + text + "' " + filter.error().why;
}

void take_where(CliOptions& line, StoreOptions& options) {
  line.option(
      "--where",
      [&options](const std::string& text) {
        options.where = text;
        return check_where(text);
      },
      "only these runs: NAME OPERATOR VALUE, joined by 'and'");
}

void take_format(CliOptions& line, StoreOptions& options, const std::vector<std::string>& formats) {
  line.option("--format", options.format, "how it is printed (default: " + formats[0] + ")").one_of(formats);
}

void declare_add(CliOptions& line, StoreOptions& options) {
  line.option("INPUT", options.inputs, "an archive, or a .cubex file; - is stdin").required().count(1, 1 << 20);
  line.option("--param", options.parameters, "a parameter of the runs, NAME=VALUE; may be given several times")
      .one_at_a_time();
  line.option("--param-file", options.parameter_file, "a file with a line NAME = VALUE for each parameter");
  line.option("--tag", options.tags, "a tag of the runs; may be given several times").one_at_a_time();
  line.flag("--efficiency", options.wants_efficiency,
            "read traces, too: they tell serialisation efficiency from transfer efficiency");
  line.option("--commit", options.commit, "revision of the program's source (default: $TARRY_COMMIT)");
  line.option("--flags", options.flags, "how the program was built (default: as its debug information says)");
  line.option("--modules", options.modules,
              "environment modules that were loaded (default: $LOADEDMODULES, as recorded)");
  line.option("--program", options.program, "name of the program (default: as recorded)");
  line.option("--machine", options.machine, "name of the machine (default: $SLURM_CLUSTER_NAME, if it was recorded)");
  line.option("--network", options.network, "network of the machine (default: as recorded)");
  line.option("--mpi", options.mpi, "MPI library of the runs (default: as recorded)");
  line.option(
      "--date",
      [&options](const std::string& text) {
        options.date = text;
        return read_utc_time(text) ? "" : "'" + text + "' is no date like 2026-01-31T12:00:00Z";
      },
      "when the runs started, UTC (default: as recorded)");
}

void declare_show(CliOptions& line, StoreOptions& options) {
  take_runs(line, options, false);
  take_where(line, options);
  line.option("-m,--metric", options.metric, "this metric over all runs, in place of all facts of each");
  CliOption region = line.option("--region", options.region, "with -m: of this region without its calls");
  line.option("--call-path", options.call_path, "with -m: of this call path with its calls").not_with(region);
  take_format(line, options, {"text", "csv", "json"});
}

void declare_tag(CliOptions& line, StoreOptions& options) {
  line.option("RUN", options.name, "a number, a tag, 'last', or digits of the report's SHA-256").required();
  line.option("TAG", options.tags, "the words").count(0, 1 << 20);
  line.flag("--remove", options.removes, "take the tags away");
  line.option("--param", options.parameters, "set a parameter, NAME=VALUE; may be given several times").one_at_a_time();
}

void declare_transfer(CliOptions& exporting, CliOptions& importing, StoreOptions& options) {
  take_runs(exporting, options, false);
  take_where(exporting, options);
  take_format(exporting, options, {"jsonl", "csv", "xml", "cubex"});
  exporting.option("-o,--output", options.output, "the file; - is stdout (default: -)");
  exporting.flag("--redact", options.is_redacted,
                 "leave out hosts and what they have, folders, arguments, flags and modules");
  importing.option("INPUT", options.inputs, "a file of 'export --format jsonl', or another store")
      .required()
      .count(1, 1 << 20);
}

// To remove everything must be said.
Status check_usage(bool removes, const StoreOptions& options) {
  TARRY_TRY(check_parameters(options.parameters));
  if (!removes || options.takes_all || !options.runs.empty() || !options.where.empty()) return {};
  return Error{"rm", "no runs are named", "name them, or give --where or --all"};
}

}  // namespace

static int store_main(int argc, char** argv) {
  Cli cli("store", "Keeps runs in a database, and answers questions about them.", kFooter);
  cli.needs_operation();
  StoreOptions options;
  if (const char* commit = std::getenv("TARRY_COMMIT")) options.commit = commit;
  std::vector<std::pair<CliOptions, Operation>> lines;
  lines.reserve(16);
  const auto operation = [&](const char* name, const char* purpose, Operation run) -> CliOptions& {
    lines.emplace_back(cli.operation(name, purpose), run);
    CliOptions& line = lines.back().first;
    line.option("--store", options.store, "FILE.db, or postgresql://... (default: $TARRY_STORE or ./tarry.db)");
    return line;
  };
  declare_add(operation("add", "put runs into the store", add_runs), options);
  CliOptions& list = operation("list", "program, ranks, date and parameters of the runs", list_runs);
  take_runs(list, options, false);
  take_where(list, options);
  take_format(list, options, {"text", "csv", "json"});
  declare_show(operation("show", "facts and metrics of runs, or one metric over many", show_runs), options);
  CliOptions& query = operation("query", "the answer to a SELECT of your own", query_store);
  query.option("SQL", options.sql, "a statement that only reads; docs/STORE.md lists tables and views").required();
  take_format(query, options, {"csv", "json"});
  query.flag("--raw", options.is_raw, "texts in CSV as they are, also what a terminal acts upon");
  declare_tag(operation("tag", "mark runs with words, or set parameters of them", tag_runs), options);
  CliOptions& rm = operation("rm", "remove runs", remove_runs);
  take_runs(rm, options, false);
  take_where(rm, options);
  rm.flag("--all", options.takes_all, "all runs");
  declare_transfer(operation("export", "runs as JSON Lines, CSV, XML or .cubex", export_runs),
                   operation("import", "runs from JSON Lines or from another store", import_runs), options);
  CliOptions& verify = operation("verify", "check that all is there and undamaged", verify_store);
  take_runs(verify, options, false);
  take_where(verify, options);
  operation("gc", "remove what no run needs, and give back the room", collect_garbage);
  if (const auto status = cli.parse(argc, argv)) return *status;
  if (const Status usage = check_usage(rm.is_chosen(), options); !usage.ok()) {
    log_error(usage.error());
    return kExitUsage;
  }

  for (const auto& [line, run] : lines)
    if (line.is_chosen()) return cli.finish(run(options));
  return kExitUsage;
}

int main(int argc, char** argv) { return tool_main("store", argc, argv, store_main); }
