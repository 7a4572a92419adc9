// main.cpp -- tarry scale: how runs scale, and which call path will dominate larger ones.
#include <iostream>

#include "base/cli.hpp"
#include "base/tool_main.hpp"
#include "scaling/modelled_rows.hpp"
#include "points_file.hpp"
#include "scale_text.hpp"
#include "scaling/scale_data.hpp"
#include "scale_plots.hpp"
#include "scaling/scale_runs.hpp"
#include "scaling/speedups.hpp"

namespace {

using namespace tarry;

constexpr const char* kFooter = R"(The parameters of a run are its processes and threads, and those of
tarry measure --param. Values of call paths are exclusive, so that they add up.

Examples:
  tarry scale run-1 run-2 run-4 run-8
  tarry scale --store study.db --where 'program = heat' --at 4096
  tarry scale --points times.csv --csv
  tarry scale --points times.csv --like extra-p --csv
  tarry scale run-* --by region --svg plots --json >study.json

Files:
  reads RUN: archives or .cubex files; with --store what the store holds; --points reads a table.
  Writes to stdout, and plots to the folder of --svg.
See also: tarry store, tarry report --efficiency, docs/MODELS.md, docs/EXPERIMENTS.md)";

Result<int> run(const ScaleCommand& options) {
  std::optional<Study> study;
  std::vector<MeasuredSeries> series;
  if (!options.points.empty()) {
    TARRY_TRY_ASSIGN(read, read_points_file(options.points));
    series = std::move(read);
  } else {
    TARRY_TRY_ASSIGN(runs, read_scale_runs(options));
    study = make_study(runs, options.scaling);
    TARRY_TRY_ASSIGN(read, series_of_runs(runs));
    series = std::move(read);
  }
  if (options.wants_hypotheses) {
    std::cout << hypotheses_csv(series, options.names);
    return kExitDone;
  }
  TARRY_TRY_ASSIGN(rows, model_series(std::move(series), options));
  const Study* shown = study ? &*study : nullptr;
  if (!options.plots.empty()) TARRY_TRY(write_plots(shown, rows, options.plots));
  if (options.form == ScaleForm::kCsv) std::cout << models_csv(rows, options.names);
  else if (options.form == ScaleForm::kJson) std::cout << scale_json(shown, rows);
  else std::cout << scale_text(shown, rows, options);
  return kExitDone;
}

std::string check_options(const ScaleCommand& options) {
  const int sources = !options.points.empty() + (!options.runs.empty() || !options.store.empty());
  if (sources != 1) return "name runs, a store (--store), or a table of values (--points)";
  if (!options.points.empty() && (!options.where.empty() || !options.metrics.empty() || options.is_by_region))
    return "--where, --metric and --by are of runs, not of --points";
  return "";
}

void add_options(Cli& cli, ScaleCommand& options) {
  cli.option("RUN", options.runs, "archives or reports; with --store: numbers, tags or keys of runs");
  cli.option("--points", options.points, "read values from this table instead: callpath,metric,PARAMETER...,value");
  cli.option("--store", options.store, "take the runs of this store: FILE.db or postgresql://...");
  cli.option("--where", options.where, "only runs that meet these conditions: 'n = 512 and ranks >= 4'");
  cli.option("--metric", options.metrics, "model these metrics of runs (default: time, visits, bytes_sent, bytes_rcvd)")
      .one_at_a_time();
  const auto read_by = [&options](const std::string& word) -> std::string {
    options.is_by_region = word == "region";
    return word == "region" || word == "callpath" ? "" : "--by: '" + word + "' is neither region nor callpath";
  };
  cli.option("--by", read_by, "a row for each region or callpath (default: callpath)").value_name("WHAT");
  const auto read_value = [&options](const std::string& word) -> std::string {
    options.value = word == "sum" ? ThreadValue::kSum : word == "max" ? ThreadValue::kMaximum : ThreadValue::kMean;
    return word == "mean" || word == "sum" || word == "max" ? "" : "--value: '" + word + "' is none of mean, sum, max";
  };
  cli.option("--value", read_value, "of the values of all threads: mean, sum or max (default: mean)")
      .value_name("WHICH");
  cli.option(
         "--scaling", [&options](const std::string& word) { return read_scaling(word, options); },
         "the problem is as large in all runs, or grows with them (default: strong)")
      .value_name("strong|weak");
  const auto read_like = [&options](const std::string& word) -> std::string {
    options.is_like_reference = word == "extra-p";
    return word == "extra-p" ? "" : "--like: '" + word + "' is no tool whose choice Tarry knows, but extra-p is";
  };
  cli.option("--like", read_like, "choose models as another tool does").value_name("extra-p");
  cli.option(
         "--at", [&options](const std::string& text) { return read_places(text, options); },
         "predict for these parameters (default: 100000 processes)")
      .value_name("N|PARAMETER=N,...");
  cli.option("--top", options.top, "lines of each table; 0 for all (default: 20)");
  cli.option("--svg", options.plots, "write plots into this folder").value_name("FOLDER");
  cli.workers(options.workers, "threads (default: all processors)");
  cli.memory(options.memory,
             "keep the records of a trace below this many bytes of memory (1G), with temporary files in $TMPDIR");
}

}  // namespace

static int scale_main(int argc, char** argv) {
  Cli cli("scale", "finds how runs scale, and models that predict larger ones", kFooter);
  ScaleCommand options;
  add_options(cli, options);
  bool is_csv = false, is_json = false, is_raw = false;
  const auto csv = cli.flag("--csv", is_csv, "models as comma-separated values");
  cli.flag("--raw", is_raw, "names in CSV as they are, also what a terminal acts upon");
  cli.flag("--json", is_json, "all tables as JSON").not_with(csv);
  cli.flag("--hypotheses", options.wants_hypotheses,
           "list every model of one term that extra-p tries, as comma-separated values");
  if (auto status = cli.parse(argc, argv)) return *status;
  // The table of models has no efficiencies.
  options.reads_traces = !is_csv && !options.wants_hypotheses;
  options.names = is_raw ? CsvNames::kRaw : CsvNames::kPrintable;
  options.form = is_csv ? ScaleForm::kCsv : is_json ? ScaleForm::kJson : ScaleForm::kText;
  if (const std::string wrong = check_options(options); !wrong.empty()) {
    std::cerr << "tarry-scale: usage: " << wrong << " (try 'tarry-scale --help')\n";
    return kExitUsage;
  }
  return cli.finish(run(options));
}

int main(int argc, char** argv) { return tarry::tool_main("scale", argc, argv, scale_main); }
