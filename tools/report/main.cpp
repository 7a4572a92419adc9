// main.cpp -- tarry-report: prints the findings of an analysis, or of a summary, within a screenful.
#include <cstdio>
#include <string>

#include "base/tool/cli.hpp"
#include "base/tool/tool_main.hpp"
#include "report_options.hpp"
#include "run_report.hpp"

namespace tarry {
namespace {

constexpr char kExamples[] =
    "examples:\n"
    "  tarry report run                 what 'tarry replay run' found, or the summary if there is no analysis\n"
    "  tarry report analysis.cubex      the findings of one report\n"
    "  tarry report --json run | jq .waits\n"
    "  tarry report --files run         what the program has done with each file ('tarry measure --io')\n"
    "  tarry report --overheads run     computation and overheads; --overhead OSYN shows where they are\n"
    "  tarry report --overheads --reference serial run   what was lost against a run with fewer processors\n"
    "  tarry report --efficiency run-2 run-4 run-8   what auditors look at: efficiencies of runs side by side\n"
    "  tarry report --iterations step --metric time,mpi_latesender run   values by iteration and process\n"
    "  tarry report --source-path ~/heat/src run   also shows the lines of the source\n"
    "\n"
    "Lines are as wide as COLUMNS or the terminal says, and whole in a pipe or file without COLUMNS.\n"
    "\n"
    "reads: ARCHIVE/analysis.cubex or ARCHIVE/summary.cubex, or the report named; writes nothing but its output.\n"
    "  --efficiency also reads the events of archives and OTF2 traces\n"
    "see also: tarry replay, tarry cube";

}  // namespace
}  // namespace tarry

static int report_main(int argc, char** argv) {
  tarry::Cli cli("report", "prints where a run spends and waits its time, within a screenful", tarry::kExamples);
  tarry::ReportOptions options;
  tarry::add_report_options(cli, options);
  if (const auto status = cli.parse(argc, argv)) return *status;
  if (const std::string wrong = tarry::check_report_options(options); !wrong.empty()) {
    std::fprintf(stderr, "tarry-report: usage: %s (try 'tarry-report --help')\n", wrong.c_str());
    return tarry::kExitUsage;
  }
  return cli.finish(tarry::run_report(options));
}

int main(int argc, char** argv) { return tarry::tool_main("report", argc, argv, report_main); }
