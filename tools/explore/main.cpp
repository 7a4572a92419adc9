// main.cpp -- tarry-explore: makes one self-contained page of reports, to look into them with a browser.
#include <cstdio>
#include <string>
#include <string_view>

#include "base/tool/cli.hpp"
#include "base/files/file.hpp"
#include "base/tool/log.hpp"
#include "base/tool/tool_main.hpp"
#include "command_text.hpp"
#include "explore_options.hpp"
#include "log_damage.hpp"
#include "open_inputs.hpp"
#include "page/page_template.hpp"
#include "page/study/study_page.hpp"
#include "page/write_page.hpp"

// The page of the build (tools/explore/rules.mk).
extern "C" const char _binary_page_html_start[], _binary_page_html_end[];

namespace tarry {
namespace {

constexpr char kExamples[] =
    "examples:\n"
    "  tarry explore run -o run.html                  what 'tarry replay run' found, or the summary\n"
    "  tarry explore analysis.cubex -o run.html       one report, also of Score-P or Scalasca\n"
    "  tarry explore before after -o both.html        two runs side by side, and their difference\n"
    "  tarry explore a1 a2 a3 b1 b2 b3 --repeats 3 -o ab.html   which differences exceed the spread of repeats\n"
    "  tarry explore --redact run -o mail.html        without source, arguments, hosts and paths\n"
    "  tarry explore run --window 2:2.5 -o run.html   with all single events of half a second in the timeline\n"
    "  tarry explore --store study.db -o study.html   many runs: how they scale, models, history\n"
    "  tarry explore --store study.db --where 'program = heat' --scaling weak -o heat.html\n"
    "\n"
    "The page is one file. It needs no server and no network: open it from disk with Chromium, Firefox or Safari.\n"
    "\n"
    "reads: ARCHIVE/analysis.cubex or ARCHIVE/summary.cubex, or the report named. For the timeline it also reads the\n"
    "  trace of an archive, or an OTF2 trace with the report beside it. With --store it reads the store. Writes the\n"
    "  page\n"
    "see also: tarry report, tarry cube, tarry replay, tarry store, tarry scale, tarry history";

PageTemplate page_of_build() {
  return split_page(std::string_view(_binary_page_html_start, _binary_page_html_end - _binary_page_html_start));
}

void log_written(const std::string& output) {
  if (output != "-") log_info(output + ": written; open it with a browser");
}

Result<int> explore_runs(const ExploreOptions& options) {
  TARRY_TRY_ASSIGN(runs, open_inputs(options));
  TARRY_TRY(write_page(runs, page_of_build(), options.page));
  log_written(options.page.output);
  return log_damage(runs, options.is_strict) && options.is_strict ? kExitFailed : kExitDone;
}

Result<int> explore_store(const ExploreOptions& options) {
  const PageOptions& page = options.page;
  if (is_same_file(page.output, options.scale.store))
    return Error{page.output, "is also the store", "name another output"};
  TARRY_TRY(write_study_page(page_of_build(), {options.scale, page.output, page.command, page.is_redacted}));
  log_written(page.output);
  return kExitDone;
}

Result<int> run(const ExploreOptions& options) {
  const std::string& output = options.page.output;
  if (is_directory(output)) return Error{output, "is a folder", "name a file"};
  return options.scale.store.empty() ? explore_runs(options) : explore_store(options);
}

}  // namespace
}  // namespace tarry

static int explore_main(int argc, char** argv) {
  tarry::Cli cli("explore", "makes one page of a run, or of several, to look into with a browser", tarry::kExamples);
  tarry::ExploreOptions options;
  tarry::add_explore_options(cli, options);
  if (const auto status = cli.parse(argc, argv)) return *status;
  if (const std::string wrong = tarry::check_inputs(options); !wrong.empty()) {
    std::fprintf(stderr, "tarry-explore: usage: %s (try 'tarry-explore --help')\n", wrong.c_str());
    return tarry::kExitUsage;
  }
  if (const tarry::Status completed = tarry::complete_options(options); !completed.ok()) {
    tarry::log_error(completed.error());
    return tarry::kExitUsage;
  }
  options.page.command = tarry::command_text(argc, argv, options.page.is_redacted);
  return cli.finish(tarry::run(options));
}

int main(int argc, char** argv) { return tarry::tool_main("explore", argc, argv, explore_main); }
