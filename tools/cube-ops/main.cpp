// main.cpp -- tarry cube: inspects, compares and combines reports.
#include <algorithm>

#include "base/cli.hpp"
#include "base/log.hpp"
#include "base/tool_main.hpp"
#include "ops.hpp"
#include "report_input.hpp"

namespace {

using namespace tarry;

constexpr const char* kFooter = R"(Examples:
  tarry cube info run/analysis.cubex
  tarry cube dump --csv -m time,mpi_latesender run/analysis.cubex > values.csv
  tarry cube diff after.cubex before.cubex -o - | tarry cube stat -

Files:
  REPORT is a .cubex file as tarry, Score-P and Scalasca write them; - is stdin, and stdout with -o. Of an
  archive the analysis is taken, else the summary.

Exit status: 0 done, 1 failed (or moved, with cmp and test; or damaged, with --strict), 2 wrong usage.
See also: tarry cube OP --help, tarry report, tarry score, docs/CUBE_OPERATIONS.md)";

// What --help says of an operation behind its options.
struct Help {
  const char* notes;
  const char* examples;
  const char* see_also;
};

enum class Takes { kReport, kReports };
enum class Gives { kText, kReport };

using Run = Result<int> (*)(const CubeOptions&);

// The command line and the operation it chose.
class CommandLine {
 public:
  CommandLine() : cli_("cube", "inspects, compares and combines reports", kFooter) {
    cli_.app().require_subcommand(1);
    cli_.app().fallthrough();
    cli_.app().add_flag("--strict", options.is_strict, "exit status 1 if parts of a report are damaged");
  }

  Cli& cli() { return cli_; }

  CLI::App* add(const char* name, const char* purpose, Run run, Takes takes, Gives gives, const Help& help) {
    CLI::App* op = cli_.app().add_subcommand(name, purpose);
    op->callback([this, run, name] {
      run_ = run;
      options.operation = name;
    });
    auto* inputs = op->add_option("REPORT", options.inputs, "a .cubex file, an archive, or - for stdin")->required();
    inputs->expected(1, takes == Takes::kReport ? 1 : 1 << 20);
    if (gives == Gives::kReport)
      op->add_option("-o,--output", options.output,
                     std::string("the result (default: ") + name + ".cubex); - is stdout");
    const char* files =
        gives == Gives::kReport ? "reads REPORT; writes the report named by -o." : "reads REPORT; writes to stdout.";
    op->footer(std::string(help.notes) + "Examples:\n" + help.examples + "\nFiles:\n  " + files +
               "\nSee also: " + help.see_also);
    return op;
  }

  CLI::Option* percent(CLI::App* op, const char* names, double& fraction, const char* text, double most = 1e6) {
    return op
        ->add_option_function<std::string>(
            names,
            [&fraction, most](const std::string& value) {
              const auto parsed = parse_fraction(value);
              if (!parsed.ok()) throw CLI::ValidationError(parsed.error().text());
              if (parsed.value() > most) throw CLI::ValidationError("'" + value + "' is too much");
              fraction = parsed.value();
            },
            text)
        ->type_name("PERCENT");
  }

  void add_system_options(CLI::App* op) {
    auto* reduce = op->add_flag("-c,--reduce", options.is_reduced, "keep only machines and nodes above the processes");
    op->add_flag("-C,--collapse", options.is_collapsed, "put all processes on one virtual node")->excludes(reduce);
    op->add_flag("--by-name", options.is_by_name, "regions match by name, whatever their files and lines");
  }

  void add_items(CLI::App* op) {
    op->add_option("--by", options.by, "region or callpath (default: region)")
        ->check(CLI::IsMember({"region", "callpath"}));
  }

  Result<int> run() {
    TARRY_TRY(name_reports(options));
    return run_(options);
  }

  // What CLI11 does not see.
  Status check() const {
    const auto is_stdin = [](const std::string& input) { return input == "-" || input.ends_with("=-"); };
    if (std::count_if(options.inputs.begin(), options.inputs.end(), is_stdin) > 1)
      return Error{"usage", "only one report can come from stdin", "try 'tarry-cube --help'"};
    if (options.operation == "cut" && options.roots.empty() && options.pruned.empty())
      return Error{"usage", "nothing to cut", "name a region with --root or --prune"};
    if (options.operation == "part" && options.ranks.empty() && options.threads.empty())
      return Error{"usage", "no part is named", "name it with --ranks or --threads"};
    return options.operation == "test" ? check_test(options) : Status();
  }

  CubeOptions options;

 private:
  Cli cli_;
  Run run_ = nullptr;
};

// ---- operations that print ------------------------------------------------------------------------------------------

void add_readers(CommandLine& line) {
  CubeOptions& options = line.options;
  line.add("info", "what is in a report: sizes, attributes, metrics with totals", run_info, Takes::kReport,
           Gives::kText,
           {"", R"(  tarry cube info run/analysis.cubex
  tarry cube info -v damaged.cubex
  ssh cluster cat run/summary.cubex | tarry cube info -
)",
            "tarry cube calltree, tarry cube dump, tarry report"});

  CLI::App* dump = line.add("dump", "every value, one per line", run_dump, Takes::kReport, Gives::kText,
                            {R"(Values are inclusive along the metric tree and exclusive along the call tree;
zeros, and minima and maxima without a value, are left out. A call path is
the names of its regions from the root, joined by '/'; inside a name '/' is
written \/ and '\' is written \\.

)",
                             R"(  tarry cube dump --csv run/analysis.cubex > values.csv
  tarry cube dump -m visits,time run/summary.cubex
  tarry cube dump --json - < run/analysis.cubex
)",
                             "tarry cube info, tarry cube calltree"});
  dump->add_option("-m,--metrics", options.metrics, "only these, a comma list of names (default: all)");
  CLI::Option* csv = dump->add_flag("--csv", options.is_csv, "comma-separated, 17 significant digits");
  dump->add_flag("--json", options.is_json, "JSON, 17 significant digits")->excludes(csv);

  CLI::App* tree = line.add("calltree", "the call tree with one metric", run_calltree, Takes::kReport, Gives::kText,
                            {"", R"(  tarry cube calltree run/summary.cubex
  tarry cube calltree -m mpi_latesender run/analysis.cubex
  tarry cube calltree -m time -i -t 1% run/analysis.cubex
)",
                             "tarry cube info, tarry report"});
  tree->add_option("-m,--metric", options.metrics, "the metric (default: time)");
  tree->add_flag("-i,--inclusive", options.is_inclusive, "values include the calls below");
  line.percent(tree, "-t,--threshold", options.threshold, "hide what is below this percentage of the total", 1);

  CLI::App* stat = line.add("stat", "how values are distributed over threads", run_stat, Takes::kReport, Gives::kText,
                            {"A thread without a value counts as zero; `on` is the number of threads with one.\n\n",
                             R"(  tarry cube stat run/analysis.cubex
  tarry cube stat -m time,visits --by callpath --csv run/summary.cubex
  tarry cube diff after.cubex before.cubex -o - | tarry cube stat -r solve -
)",
                             "tarry cube topn, tarry cube calltree"});
  stat->add_option("-m,--metrics", options.metrics, "comma list of metrics (default: time)");
  stat->add_option("-r,--region", options.regions, "only this region; may be repeated")->allow_extra_args(false);
  stat->add_flag("-i,--inclusive", options.is_inclusive, "values include the calls below");
  stat->add_flag("--csv", options.is_csv, "comma-separated, 17 significant digits");
  CLI::App* top =
      line.add("topn", "the regions or call paths with the largest values", run_topn, Takes::kReport, Gives::kText,
               {"", R"(  tarry cube topn run/summary.cubex
  tarry cube topn -n 5 -m mpi_latesender --by callpath run/analysis.cubex
  tarry cube diff after.cubex before.cubex -o - | tarry cube topn -
)",
                "tarry cube stat, tarry cube regioninfo"});
  top->add_option("-m,--metric", options.metrics, "the metric (default: time)");
  top->add_option("-n,--number", options.count, "how many (default: 10)");
  top->add_flag("-i,--inclusive", options.is_inclusive, "values include the calls below");
  for (CLI::App* op : {stat, top}) line.add_items(op);
  line.add("regioninfo", "a flat profile with the class of each region", run_regioninfo, Takes::kReport, Gives::kText,
           {"Classes: MPI, OMP (OpenMP), THR (threads), COM (on a path to one of these), USR.\n\n",
            R"(  tarry cube regioninfo run/summary.cubex
  tarry cube regioninfo profile.cubex | grep USR
  tarry cube cut --root solve run/summary.cubex -o - | tarry cube regioninfo -
)",
            "tarry score, tarry cube topn"});
  line.add("sanity", "checks names and values: status 1 if they are wrong", run_sanity, Takes::kReport, Gives::kText,
           {"", R"(  tarry cube sanity run/analysis.cubex
  tarry cube sanity --strict damaged.cubex
  tarry cube diff a.cubex a.cubex -o - | tarry cube sanity -
)",
            "tarry cube info, tarry archive verify"});
}

// ---- operations that make a report ----------------------------------------------------------------------------------

constexpr const char* kUnionNotes = R"(Reports that differ are unified: a metric, call path, process or thread that only
some of them have is in the result. Processes are the same if type and rank are,
call paths if their regions (name, file, lines) and call sites are.

)";

void add_algebra(CommandLine& line) {
  CubeOptions& options = line.options;
  CLI::App* diff =
      line.add("diff", "NEW minus OLD: the first report minus the others", run_diff, Takes::kReports, Gives::kReport,
               {R"(The order is NEW OLD, as in a subtraction: a positive value has grown. On a terminal
the largest changes per call path are printed, too.

Reports that differ are unified: a metric, call path, process or thread that only
some of them have is in the result. Processes are the same if type and rank are,
call paths if their regions (name, file, lines) and call sites are.

)",
                R"(  tarry cube diff after.cubex before.cubex -o change.cubex
  tarry cube diff after/ before/ -o - | tarry cube calltree -i -
  tarry cube diff --by-name -n 20 new_version.cubex old_version.cubex
)",
                "tarry cube cmp, tarry cube merge"});
  diff->get_option("REPORT")->description("NEW, then OLD: .cubex files or archives; - is stdin");
  diff->add_option("-m,--metric", options.metrics, "the metric of the changes that are printed (default: time)");
  diff->add_option("-n,--number", options.changes,
                   "how many changes to print (default: 10 on a terminal, elsewhere none)");
  CLI::App* merge = line.add("merge", "the union of reports; where several have a value, the last one counts",
                             run_merge, Takes::kReports, Gives::kReport,
                             {kUnionNotes, R"(  tarry cube merge time.cubex counters.cubex -o both.cubex
  tarry cube merge - counters.cubex < time.cubex -o both.cubex
  tarry cube merge -C part1.cubex part2.cubex -o whole.cubex
)",
                              "tarry cube mean, tarry cube diff"});
  CLI::App* mean = line.add("mean", "the average of reports", run_mean, Takes::kReports, Gives::kReport,
                            {R"(A value that a report does not have counts as zero. Whole numbers (visits, bytes)
stay whole: each share drops its fraction, as Cube's tools do it; --exact does not.

)",
                             R"(  tarry cube mean run1.cubex run2.cubex run3.cubex -o typical.cubex
  tarry cube mean --exact run?.cubex -o typical.cubex
  tarry cube mean run?.cubex -o - | tarry cube topn -
)",
                             "tarry cube min, tarry cube max, tarry cube cmp"});
  mean->add_flag("--exact", options.is_exact, "averages of whole numbers keep their fraction");
  const Help least{R"(The operation takes exclusive values, from the reports that have them. Inclusive
values follow from these.

)",
                   R"(  tarry cube min run1.cubex run2.cubex run3.cubex -o least.cubex
  tarry cube min run?.cubex -o - | tarry cube topn -
  tarry cube diff run1.cubex least.cubex -o noise.cubex
)",
                   "tarry cube max, tarry cube mean"};
  const Help most{least.notes, R"(  tarry cube max run1.cubex run2.cubex run3.cubex -o most.cubex
  tarry cube max run?.cubex -o - | tarry cube topn -
  tarry cube diff most.cubex run1.cubex -o room.cubex
)",
                  "tarry cube min, tarry cube mean"};
  CLI::App* min = line.add("min", "the smallest value of reports", run_min, Takes::kReports, Gives::kReport, least);
  CLI::App* max = line.add("max", "the largest value of reports", run_max, Takes::kReports, Gives::kReport, most);
  CLI::App* clean = line.add("clean", "a report without what nothing refers to, numbered anew", run_clean,
                             Takes::kReport, Gives::kReport,
                             {"", R"(  tarry cube clean profile.cubex -o small.cubex
  tarry cube clean -C profile.cubex -o flat.cubex
  tarry cube clean --by-name profile.cubex -o -
)",
                              "tarry cube cut, tarry cube part"});
  for (CLI::App* op : {diff, merge, mean, min, max, clean}) line.add_system_options(op);
}

void add_parts(CommandLine& line) {
  CubeOptions& options = line.options;
  CLI::App* cut = line.add("cut", "parts of the call tree: as new roots, or added to their parents", run_cut,
                           Takes::kReport, Gives::kReport,
                           {"", R"(  tarry cube cut --root solve run/analysis.cubex -o solve.cubex
  tarry cube cut --prune log_message --prune assert run/summary.cubex -o short.cubex
  tarry cube cut --root solve run/analysis.cubex -o - | tarry cube calltree -
)",
                            "tarry cube part, tarry cube clean"});
  cut->add_option("-r,--root", options.roots, "call paths of this region become roots; may be repeated")
      ->allow_extra_args(false);
  cut->add_option("-p,--prune", options.pruned, "call paths of this region are added to their parents; may be repeated")
      ->allow_extra_args(false);
  CLI::App* part = line.add("part", "some processes or threads", run_part, Takes::kReport, Gives::kReport,
                            {"", R"(  tarry cube part --ranks 0-3 run/analysis.cubex -o first.cubex
  tarry cube part --threads 0 run/analysis.cubex -o masters.cubex
  tarry cube part --ranks 7 --invert run/analysis.cubex -o - | tarry cube stat -
)",
                             "tarry cube cut, tarry cube clean"});
  part->add_option("-R,--ranks", options.ranks, "ranks to keep, as 0,4-7 (default: all)");
  part->add_option("-T,--threads", options.threads, "threads of each process to keep, as 0,4-7 (default: all)");
  part->add_flag("-I,--invert", options.is_inverted, "keep the others");
  CLI::App* remap =
      line.add("remap", "the metrics in the hierarchy of a specification", run_remap, Takes::kReport, Gives::kReport,
               {"", R"(  tarry cube remap profile.cubex -o trace.cubex
  tarry cube remap -r my.spec run/summary.cubex -o -
  tarry cube remap --store-derived scout.cubex -o plain.cubex
)",
                "tarry cube info, tarry cube dump, docs/CUBE_OPERATIONS.md"});
  auto* specification = remap->add_option("-r,--specification", options.specification,
                                          "file with the metrics (default: remapping.spec inside the report)");
  remap->add_flag("-d,--store-derived", options.stores_derived, "store the values of derived metrics");
  remap->add_flag("-k,--keep", options.keeps_structure, "keep the metrics as they are; for -d")
      ->excludes(specification);
  line.add("convert", "between .cubex files and .cube files of version 3", run_convert, Takes::kReport, Gives::kReport,
           {"The format of the input determines that of the output. Version 3 has only numbers.\n\n",
            R"(  tarry cube convert old.cube -o new.cubex
  tarry cube convert run/summary.cubex -o old.cube
  tarry cube convert - -o - < old.cube | tarry cube info -
)",
            "tarry cube info, docs/CUBE_OPERATIONS.md"});
}

// ---- operations that judge ------------------------------------------------------------------------------------------

void add_format(CommandLine& line, CLI::App* op) {
  op->add_option("--format", line.options.format, "text, github (annotations) or junit (default: text)")
      ->check(CLI::IsMember({"text", "github", "junit"}));
}

void add_judges(CommandLine& line) {
  CubeOptions& options = line.options;
  CLI::App* cmp = line.add("cmp", "the values that moved: status 1 if one did", run_cmp, Takes::kReports, Gives::kText,
                           {R"(The last report is the new one, those before are old. A value has moved if it lies
outside the spread of the old ones and differs from their mean by more than the
tolerance. What only some reports have counts as zero in the others.

)",
                            R"(  tarry cube cmp --tolerance 5% before.cubex after.cubex
  tarry cube cmp -m time --per callpath --ignore-below 1% run1.cubex run2.cubex new.cubex
  tarry cube cmp --per callpath --only increase --format github old.cubex new.cubex
)",
                            "tarry cube test, tarry cube diff, docs/CUBE_OPERATIONS.md"});
  cmp->add_option("-m,--metric", options.metrics, "the metrics to compare, a comma list (default: time)");
  line.percent(cmp, "-t,--tolerance", options.tolerance, "what may differ (default: 5%)");
  cmp->add_option("--per", options.per, "metric, region or callpath (default: metric)")
      ->check(CLI::IsMember({"metric", "region", "callpath"}));
  cmp->add_flag("-i,--inclusive", options.is_inclusive, "values include the calls below");
  cmp->add_option("--only", options.only, "increase or decrease: the other direction is no fault")
      ->check(CLI::IsMember({"increase", "decrease"}));
  line.percent(cmp, "--ignore-below", options.floor, "pass over what is below this share of the metric's total", 1);
  cmp->get_option("REPORT")->expected(2, 1 << 20);
  add_format(line, cmp);

  CLI::App* test =
      line.add("test", "tests a condition: status 1 if it does not hold", run_test, Takes::kReports, Gives::kText,
               {R"(EXPRESSION compares (< <= > >= == !=) terms of numbers, + - * / ( ), min, max, abs and
  incl(METRIC), excl(METRIC, "CALL/PATH")   of the report without a name
  base.incl(METRIC)                         of the report base=...
  base                                      the other side of the comparison, in base
joined by `and` and `or`. A call path is written as by dump, or its end is.

)",
                R"(  tarry cube test 'incl(time,"main/solve") < 1.1*base' base=old.cubex new.cubex
  tarry cube test 'excl(mpi_latesender) < 10% * incl(time)' run/analysis.cubex
  tarry cube test --format junit 'incl(time) < 1.05*base' base=old.cubex - < new.cubex
)",
                "tarry cube cmp, docs/CUBE_OPERATIONS.md"});
  test->remove_option(test->get_option("REPORT"));
  test->add_option("EXPRESSION", options.expression, "what must hold")->required();
  test->add_option("REPORT", options.inputs, "NAME=REPORT, and one without a name")->required()->expected(1, 1 << 20);
  add_format(line, test);
}

}  // namespace

static int cube_main(int argc, char** argv) {
  CommandLine line;
  add_readers(line);
  add_algebra(line);
  add_parts(line);
  add_judges(line);
  if (auto status = line.cli().parse(argc, argv)) return *status;
  if (const Status usage = line.check(); !usage.ok()) {
    log_error(usage.error());
    return kExitUsage;
  }
  return line.cli().finish(line.run());
}

int main(int argc, char** argv) { return tarry::tool_main("cube", argc, argv, cube_main); }
