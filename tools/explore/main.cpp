// main.cpp -- tarry-explore: makes one self-contained page of reports, to look into them with a browser.
#include <algorithm>
#include <charconv>
#include <cstdio>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "archive/archive.hpp"
#include "archive/choose_report.hpp"
#include "archive/open_source.hpp"
#include "archive/provenance.hpp"
#include "base/cli.hpp"
#include "base/file.hpp"
#include "base/log.hpp"
#include "base/tool_main.hpp"
#include "explored_run.hpp"
#include "page_template.hpp"
#include "store/run_filter.hpp"
#include "study_page.hpp"
#include "write_page.hpp"

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

constexpr std::uint64_t kMostWhatIfs = 1000;

struct Options {
  std::vector<std::string> inputs;
  PageOptions page;
  ScaleOptions scale;                // of a store
  std::vector<std::string> windows;  // as the user wrote them
  bool has_no_what_ifs = false;
  bool is_strict = false;
};

// "run" of a/run and a/run/
std::string last_part_of(const std::filesystem::path& path) {
  return (path.has_filename() ? path : path.parent_path()).filename().string();
}

// Redacted: of paths only their last parts.
std::string command_text(int argc, char** argv, bool is_redacted) {
  std::vector<std::string> words = {"tarry", "explore"};
  for (int i = 1; i < argc; ++i) words.push_back(is_redacted ? last_part_of(argv[i]) : argv[i]);
  return join_command(words);
}

Status check_output(const Options& options) {
  const std::string& output = options.page.output;
  if (is_directory(output)) return Error{output, "is a folder", "name a file"};
  return {};
}

int conclude(const std::vector<std::unique_ptr<ExploredRun>>& runs, bool is_strict) {
  int status = kExitDone;
  for (const auto& run : runs) {
    const std::vector<std::string> damage = run->values().damage();
    if (damage.empty()) continue;
    for (const std::string& line : damage) log_detail(line);
    const std::string more = damage.size() > 1 ? ", and " + std::to_string(damage.size() - 1) + " more" : "";
    if (is_strict) log_error({run->path(), "is damaged: " + damage[0] + more, "-v lists everything"});
    else log_warning(run->path() + ": is damaged: " + damage[0] + more + (more.empty() ? "" : " (-v lists them)"));
    if (is_strict) status = kExitFailed;
  }
  return status;
}

// The report of an OTF2 trace lies beside it, or where 'tarry replay' has put it: in the working folder.
Result<std::string> report_of(const std::string& input) {
  if (input == "-" || !is_otf2_anchor(input)) return report_to_read(input);
  const std::filesystem::path folder = std::filesystem::path(input).parent_path();
  for (const char* name : {"analysis.cubex", "scout.cubex", "profile.cubex"})
    if (std::string path = (folder / name).string(); path_exists(path)) return path;
  if (path_exists("analysis.cubex")) return std::string("analysis.cubex");
  return Error{input, "there is no report beside it", "run 'tarry replay " + input + "' first"};
}

// Returns what is wrong with it.
std::string read_what_ifs(const std::string& text, TraceRequest& request) {
  std::uint64_t number = 0;
  const auto [stopped, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || stopped != text.data() + text.size() || number == 0 || number > kMostWhatIfs)
    return "--what-if: '" + text + "' is no number from 1 to " + std::to_string(kMostWhatIfs);
  request.what_ifs = number;
  return "";
}

Status read_windows(Options& options) {
  for (const std::string& text : options.windows) {
    TARRY_TRY_ASSIGN(window, TimeWindow::parse(text));
    options.page.traced.windows.push_back(window);
  }
  options.page.traced.is_redacted = options.page.is_redacted;
  return {};
}

Result<std::unique_ptr<ExploredRun>> open_run(const Options& options, const std::string& input) {
  const auto path = report_of(input);
  if (!path.ok()) return path.error();
  if (input != "-" && options.page.output != "-" && is_same_file(options.page.output, path.value()))
    return Error{options.page.output, "is also an input", "name another output"};
  auto run = ExploredRun::open(input, path.value(), options.page.is_redacted);
  if (run.ok() && (is_archive(input) || is_otf2_anchor(input))) run.value()->set_trace(input);
  return run;
}

Result<int> run(const Options& options) {
  TARRY_TRY(check_output(options));
  if (!options.scale.store.empty()) {
    if (is_same_file(options.page.output, options.scale.store))
      return Error{options.page.output, "is also the store", "name another output"};
    const std::string_view page(_binary_page_html_start, _binary_page_html_end - _binary_page_html_start);
    TARRY_TRY(write_study_page(split_page(page),
                               {options.scale, options.page.output, options.page.command, options.page.is_redacted}));
    if (options.page.output != "-") log_info(options.page.output + ": written; open it with a browser");
    return kExitDone;
  }
  std::vector<std::unique_ptr<ExploredRun>> runs;
  for (const std::string& input : options.inputs) {
    TARRY_TRY_ASSIGN(report, open_run(options, input));
    runs.push_back(std::move(report));
  }
  const std::string_view page(_binary_page_html_start, _binary_page_html_end - _binary_page_html_start);
  TARRY_TRY(write_page(runs, split_page(page), options.page));
  if (options.page.output != "-") log_info(options.page.output + ": written; open it with a browser");
  return conclude(runs, options.is_strict);
}

// What belongs to a page of many runs.
void add_study_options(Cli& cli, ScaleOptions& scale) {
  cli.option("--store", scale.store, "a page of many runs instead, those of this store: FILE.db or postgresql://...");
  cli.option("--where", scale.where, "only runs that meet these conditions: 'n = 512 and ranks >= 4'");
  cli.option("--metric", scale.metrics, "models and histories of these metrics (default: as tarry scale; all of time)")
      .one_at_a_time();
  cli.option(
         "--scaling", [&scale](const std::string& word) { return read_scaling(word, scale); },
         "what the page shows first: the problem is as large in all runs, or grows with them (default: strong)")
      .value_name("strong|weak");
  cli.option(
         "--at", [&scale](const std::string& text) { return read_places(text, scale); },
         "predict for these parameters (default: 100000 processes)")
      .value_name("N|PARAMETER=N,...");
}

// Returns what is wrong with the inputs.
std::string check_inputs(const Options& options) {
  const bool has_store = !options.scale.store.empty();
  if (!has_store && options.inputs.empty()) return "INPUT is required, or --store";
  if (has_store && !options.inputs.empty()) return "--store excludes INPUT";
  if (std::count(options.inputs.begin(), options.inputs.end(), "-") > 1) return "only one report can come from stdin";
  const ScaleOptions& scale = options.scale;
  if (!has_store && (!scale.where.empty() || !scale.metrics.empty() || !scale.at.empty()))
    return "--where, --metric and --at are of runs of a --store";
  const auto filter = RunFilter::parse(scale.where);
  return filter.ok() ? "" : filter.error().text();
}

}  // namespace
}  // namespace tarry

static int explore_main(int argc, char** argv) {
  tarry::Cli cli("explore", "makes one page of a run, or of several, to look into with a browser", tarry::kExamples);
  tarry::Options options;
  cli.option("INPUT", options.inputs, "archive or report (.cubex); - is stdin").value_name("INPUT");
  cli.option("-o,--output", options.page.output, "the page; - is stdout").required().value_name("OUT.html");
  cli.option("--source-path", options.page.source_path, "look for source files in this folder, too; may be repeated")
      .value_name("DIR")
      .one_at_a_time();
  cli.flag("--redact", options.page.is_redacted, "leave out source, arguments, hosts and paths, for a page to mail");
  cli.option("--window", options.windows,
             "in the timeline, single events from second A to second B after the start of the trace; may be repeated")
      .one_at_a_time()
      .value_name("A:B");
  auto what_ifs = cli.option(
      "--what-if", [&](const std::string& text) { return tarry::read_what_ifs(text, options.page.traced); },
      "predict what N delays and N regions would gain. Default: 10 of up to 100,000 events, 2 of up to 500,000");
  what_ifs.value_name("N");
  cli.flag("--no-what-if", options.has_no_what_ifs, "leave out these predictions").not_with(what_ifs);
  cli.option("--repeats", options.page.repeats,
             "the last N inputs are repeats of the new run, those before of the old one (default: 1)")
      .between(1u, 1000u)
      .value_name("N");
  cli.flag("!--no-timeline", options.page.traced.wants_timeline, "leave out what happened when");
  cli.workers(options.page.traced.workers, "threads (default: all processors)");
  tarry::add_study_options(cli, options.scale);
  cli.flag("--strict", options.is_strict, "exit status 1 if parts of a report are damaged");
  if (const auto status = cli.parse(argc, argv)) return *status;
  if (const std::string wrong = tarry::check_inputs(options); !wrong.empty()) {
    std::fprintf(stderr, "tarry-explore: usage: %s (try 'tarry-explore --help')\n", wrong.c_str());
    return tarry::kExitUsage;
  }
  if (const tarry::Status status = tarry::read_windows(options); !status.ok()) {
    tarry::log_error(status.error());
    return tarry::kExitUsage;
  }
  if (options.page.repeats > 1 && options.page.repeats >= options.inputs.size()) {
    tarry::log_error({"usage", "--repeats " + std::to_string(options.page.repeats) + " leaves no old run",
                      "give more inputs, the old ones first"});
    return tarry::kExitUsage;
  }
  if (options.has_no_what_ifs) options.page.traced.what_ifs = 0;
  options.scale.workers = options.page.traced.workers;
  options.page.command = tarry::command_text(argc, argv, options.page.is_redacted);
  return cli.finish(tarry::run(options));
}

int main(int argc, char** argv) { return tarry::tool_main("explore", argc, argv, explore_main); }
