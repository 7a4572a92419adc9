// main.cpp -- tarry scale: how runs scale, and which call path will dominate larger ones.
#include <iostream>

#include "base/tool/cli.hpp"
#include "base/tool/tool_main.hpp"
#include "points_file.hpp"
#include "scale_command.hpp"
#include "scale_plots.hpp"
#include "scale_text.hpp"
#include "scaling/modelled_rows.hpp"
#include "scaling/scale_data.hpp"
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

}  // namespace

static int scale_main(int argc, char** argv) {
  Cli cli("scale", "finds how runs scale, and models that predict larger ones", kFooter);
  ScaleCommand options;
  add_command_options(cli, options);
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
  if (const std::string wrong = check_command(options); !wrong.empty()) {
    std::cerr << "tarry-scale: usage: " << wrong << " (try 'tarry-scale --help')\n";
    return kExitUsage;
  }
  return cli.finish(run(options));
}

int main(int argc, char** argv) { return tarry::tool_main("scale", argc, argv, scale_main); }
