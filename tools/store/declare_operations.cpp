// declare_operations.cpp -- the operations of tarry-store as the command line has them.
#include "declare_operations.hpp"

#include <cstdlib>
#include <string>
#include <vector>

#include "defs/run_parameters.hpp"
#include "store/run_filter.hpp"
#include "store/utc_time.hpp"

namespace tarry {
namespace {

// What several operations take.
void take_runs(CliOptions& line, StoreOptions& options) {
  CliOption runs = line.option("RUN", options.runs, "a number, a tag, 'last', or digits of the report's SHA-256");
  runs.count(0, 1 << 20);
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
  if (const char* commit = std::getenv("TARRY_COMMIT")) options.commit = commit;
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

void declare_list(CliOptions& line, StoreOptions& options) {
  take_runs(line, options);
  take_where(line, options);
  take_format(line, options, {"text", "csv", "json"});
}

void declare_show(CliOptions& line, StoreOptions& options) {
  take_runs(line, options);
  take_where(line, options);
  line.option("-m,--metric", options.metric, "this metric over all runs, in place of all facts of each");
  CliOption region = line.option("--region", options.region, "with -m: of this region without its calls");
  line.option("--call-path", options.call_path, "with -m: of this call path with its calls").not_with(region);
  take_format(line, options, {"text", "csv", "json"});
}

void declare_query(CliOptions& line, StoreOptions& options) {
  line.option("SQL", options.sql, "a statement that only reads; docs/STORE.md lists tables and views").required();
  take_format(line, options, {"csv", "json"});
  line.flag("--raw", options.is_raw, "texts in CSV as they are, also what a terminal acts upon");
}

void declare_tag(CliOptions& line, StoreOptions& options) {
  line.option("RUN", options.name, "a number, a tag, 'last', or digits of the report's SHA-256").required();
  line.option("TAG", options.tags, "the words").count(0, 1 << 20);
  line.flag("--remove", options.removes, "take the tags away");
  line.option("--param", options.parameters, "set a parameter, NAME=VALUE; may be given several times").one_at_a_time();
}

void declare_rm(CliOptions& line, StoreOptions& options) {
  take_runs(line, options);
  take_where(line, options);
  line.flag("--all", options.takes_all, "all runs");
}

void declare_export(CliOptions& line, StoreOptions& options) {
  take_runs(line, options);
  take_where(line, options);
  take_format(line, options, {"jsonl", "csv", "xml", "cubex"});
  line.option("-o,--output", options.output, "the file; - is stdout (default: -)");
  line.flag("--redact", options.is_redacted,
            "leave out hosts and what they have, folders, arguments, flags and modules");
}

void declare_import(CliOptions& line, StoreOptions& options) {
  line.option("INPUT", options.inputs, "a file of 'export --format jsonl', or another store")
      .required()
      .count(1, 1 << 20);
}

void declare_verify(CliOptions& line, StoreOptions& options) {
  take_runs(line, options);
  take_where(line, options);
}

}  // namespace

std::vector<StoreOperation> declare_operations(CliOptions& cli, StoreOptions& options) {
  std::vector<StoreOperation> operations;
  const auto operation = [&](const char* name, const char* purpose, auto run) -> CliOptions& {
    operations.push_back({cli.operation(name, purpose), run});
    CliOptions& line = operations.back().line;
    line.option("--store", options.store, "FILE.db, or postgresql://... (default: $TARRY_STORE or ./tarry.db)");
    return line;
  };
  declare_add(operation("add", "put runs into the store", add_runs), options);
  declare_list(operation("list", "program, ranks, date and parameters of the runs", list_runs), options);
  declare_show(operation("show", "facts and metrics of runs, or one metric over many", show_runs), options);
  declare_query(operation("query", "the answer to a SELECT of your own", query_store), options);
  declare_tag(operation("tag", "mark runs with words, or set parameters of them", tag_runs), options);
  declare_rm(operation("rm", "remove runs", remove_runs), options);
  declare_import(operation("import", "runs from JSON Lines or from another store", import_runs), options);
  declare_export(operation("export", "runs as JSON Lines, CSV, XML or .cubex", export_runs), options);
  declare_verify(operation("verify", "check that all is there and undamaged", verify_store), options);
  operation("gc", "remove what no run needs, and give back the room", collect_garbage);
  return operations;
}

Status check_usage(const StoreOperation& chosen, const StoreOptions& options) {
  TARRY_TRY(check_parameters(options.parameters));
  // To remove everything must be said.
  const bool removes = chosen.run == remove_runs;
  if (!removes || options.takes_all || !options.runs.empty() || !options.where.empty()) return {};
  return Error{"rm", "no runs are named", "name them, or give --where or --all"};
}

}  // namespace tarry
