// main.cpp -- tarry score: what a trace would need, and a filter that makes it need less.
#include <iostream>

#include "base/tool/cli.hpp"
#include "base/files/file.hpp"
#include "base/tool/log.hpp"
#include "base/tool/tool_main.hpp"
#include "report/cubex/cubex_file.hpp"
#include "report/algebra/merged_sites.hpp"
#include "score/score_source.hpp"
#include "score/score_text.hpp"
#include "score/targets.hpp"

namespace {

using namespace tarry;

constexpr const char* kFooter = R"(A summary holds the number of visits of each call path. They determine the size of a
trace of the same run, in memory and on disk, and the time that recording adds.

Classes of regions: MPI, OMP (OpenMP), THR (threads), COM (functions on a path to one
of these), USR (other functions).

Examples:
  tarry score run
  tarry score run -g score.filter --max-buffer 20M --max-overhead 3%
  tarry score profile.cubex -f score.filter --by callpath --csv

Files:
  reads INPUT: an archive with a summary, or a .cubex file of tarry or Score-P (- is stdin).
  Reads the filter of -f, writes that of -g; writes to stdout.
See also: tarry measure --filter, tarry instrument, tarry cube, docs/CUBE_OPERATIONS.md)";

Status show(const ScoreView& view) {
  const ScoreOptions& options = view.options;
  if (!options.new_filter.empty())
    TARRY_TRY(write_file(options.new_filter, filter_text(view.report, view.is_dropped, filter_remark(view))));
  if (options.new_filter != "-") std::cout << (options.is_csv ? score_as_csv(view) : score_as_text(view));
  if (options.new_filter.empty()) return {};
  const TargetRemarks remarks = target_remarks(view);
  for (const std::string& note : remarks.notes) log_info(note);
  for (const std::string& failure : remarks.failures) log_warning(failure);
  return {};
}

Result<int> run(const ScoreOptions& options) {
  TARRY_TRY_ASSIGN(source, find_score_source(options.input));
  source.model.counters = options.counters;
  TARRY_TRY_ASSIGN(file, CubexFile::open(source.report));
  TARRY_TRY_ASSIGN(report, without_call_sites(std::move(file)));
  CubeValues values(*report);
  auto table = make_score_table(values, source.model);
  if (!table.ok()) return Error{options.input, table.error().why, table.error().hint};
  TARRY_TRY_ASSIGN(model, find_dilation_model(report->structure(), options));
  const Dilation dilation(table.value(), report->structure(), model);
  ScoreView view{.table = table.value(),
                 .report = report->structure(),
                 .options = options,
                 .model = model,
                 .dilation = dilation,
                 .is_dropped = std::vector<bool>(report->structure().regions.size()),
                 .filter = ""};
  if (!options.given_filter.empty()) {
    TARRY_TRY_ASSIGN(filter, RegionFilter::read(options.given_filter));
    view.is_dropped = apply_filter(filter, view.table, view.report);
    view.filter = options.given_filter;
    if (const std::string unused = unused_rules_text(filter, view.table, view.report); !unused.empty())
      log_info(options.given_filter + ": " + unused);
  }
  if (!options.new_filter.empty()) {
    FilterProposal proposal = propose_filter(view.table, view.report, dilation, options);
    view.is_dropped = std::move(proposal.is_dropped);
    view.place = proposal.place;
    view.filter = output_name(options.new_filter);
  }
  TARRY_TRY(show(view));
  return kExitDone;
}

}  // namespace

static int score_main(int argc, char** argv) {
  Cli cli("score", "estimates the size of a trace, and makes filters", kFooter);
  ScoreOptions options;
  cli.option("INPUT", options.input, "an archive, or a .cubex file; - is stdin").required();
  const auto given = cli.option("-f,--filter", options.given_filter, "show the effect of this filter");
  cli.option("-g,--generate", options.new_filter, "write a filter that meets the targets; - is stdout").not_with(given);
  cli.size("--max-buffer", options.max_buffer, "target of -g: memory of each process (default: no limit)");
  cli.share("--max-overhead", options.max_overhead,
            "target of -g: time that recording adds (default: 3% if no other target is given)");
  cli.seconds("--min-time-per-visit", options.min_time_per_visit,
              "target of -g: leave out functions that run shorter than this");
  cli.seconds("--cost-per-event", options.event_seconds,
              "time to record an event, in place of the costs that were measured where the run took place");
  std::string recording = "trace";
  cli.option("--recording", recording, "what --max-overhead is of, and the column recording: trace, summary or both")
      .one_of({"trace", "summary", "both"});
  cli.option("--by", options.by, "region or callpath (default: region)").one_of({"region", "callpath"});
  cli.option("--sort", options.sort, "buffer, time, visits or time-per-visit (default: buffer)")
      .one_of({"buffer", "time", "visits", "time-per-visit"});
  cli.option("--top", options.top, "lines to print; 0 for all (default: 20)");
  cli.option("--counters", options.counters,
             "counters to be recorded with each enter and leave, beside those that the summary has (default: 0)")
      .between(0, 100);
  const auto csv = cli.flag("--csv", options.is_csv, "comma-separated, 17 significant digits and whole names");
  cli.flag("--full-names", options.has_full_names, "show argument lists and template arguments of functions")
      .not_with(csv);
  if (auto status = cli.parse(argc, argv)) return *status;
  for (const auto mode : {RecordingMode::kTrace, RecordingMode::kSummary, RecordingMode::kBoth})
    if (recording == name_of(mode)) options.recording = mode;
  if (!options.new_filter.empty() && options.max_buffer == 0 && options.max_overhead == 0 &&
      options.min_time_per_visit == 0)
    options.max_overhead = 0.03;
  return cli.finish(run(options));
}

int main(int argc, char** argv) { return tarry::tool_main("score", argc, argv, score_main); }
