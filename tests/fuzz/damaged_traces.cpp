// damaged_traces.cpp -- damaged traces: whatever is dropped, doubled, swapped or garbled, `replay` ends, says where,
// and makes a report of the rest. `predict` ends, too, on a machine of any kind.
//
// usage: damaged_traces FIRST COUNT       seeds, each a damaged trace of its own
//
// Works in the current folder. Half of the traces are analysed in memory, the others as archives and OTF2 traces, from
// the file to the report.
#include <algorithm>
#include <cmath>
#include <filesystem>

#include "archive/reading/open_source.hpp"
#include "base/tool/log.hpp"
#include "driver.hpp"
#include "predictions.hpp"
#include "report/cubex/cubex_reader.hpp"
#include "tests/unit/analysis/analysis_of.hpp"
#include "tests/unit/analysis/golden_traces.hpp"
#include "tests/unit/replay/mutated_trace.hpp"
#include "tools/replay/run.hpp"
#include "analysis/writing/write_report.hpp"
#include "trace_files.hpp"

namespace tarry::fuzz {
namespace {

struct Form {
  const char* name;
  void (*write)(SyntheticTrace&);
  std::uint32_t ranks, threads;
};

const Form kForms[] = {{"mixture", add_mixture, 3, 1},
                       {"windows", add_windows, 3, 1},
                       {"chain", add_chain, 3, 1},
                       {"team", add_team_of_three, 1, 3},
                       {"hybrid", add_hybrid, 2, 2}};

// Each fault has a place: a thread and the number of its record.
std::string check_places(const FaultLog& faults) {
  if (faults.total() == 0) return "";
  if (faults.places().empty() || faults.summary().find("first: ") == std::string::npos)
    return "damage without a place: " + faults.summary();
  for (const FaultLog::Place& place : faults.places())
    if (place.location.empty()) return "damage without a location: " + std::string(explain(place.fault));
  return "";
}

std::string analyse_in_memory(SyntheticTrace& trace, std::uint32_t seed) {
  AnalysisOf found(trace, seed % 3 ? Compatibility::none() : Compatibility::reference(), 1 + seed % 2);
  bool is_finite = true;
  found.for_each_value(
      [&](Metric, PathIndex, const AnalysedThread&, double value) { is_finite &= std::isfinite(value); });
  if (!is_finite) return "a value is not finite";
  const Report report = make_report(found.trace().definitions(), found.trace().regions(), found.take_result(),
                                    trace.faults().summary(), 2);
  if (report.structure.locations.size() != trace.definitions().locations.size()) return "a location is not reported";
  return check_places(trace.faults());
}

// As `tarry replay INPUT -o case.cubex` does, and `tarry predict` after it.
std::string analyse_file(const std::string& input, std::uint32_t seed) {
  static Exchange alone;
  ReplayOptions options;
  options.input = input;
  options.output = "case.cubex";
  options.workers = 1 + seed % 2;
  options.is_compat = seed % 3 == 0;
  options.is_strict = true;
  std::filesystem::remove(options.output);
  const Result<int> status = run_replay(options, alone);
  if (!status.ok()) return status.error().text();
  const Result<Report> report = read_cubex(options.output);
  if (!report.ok()) return report.error().text();
  if (report.value().structure.locations.empty()) return "the report has no location";
  return predict_file(input, seed);
}

bool has_events(SyntheticTrace& trace) {
  return std::any_of(trace.streams().begin(), trace.streams().end(),
                     [](const SyntheticStream& stream) { return !stream.events().empty(); });
}

std::string damage_one(std::uint32_t seed) {
  const Form& form = kForms[seed / 4 % std::size(kForms)];
  SyntheticTrace trace(form.ranks, form.threads);
  form.write(trace);
  Mutator mutator(trace, seed);
  for (std::size_t n = mutator.pick(4); n < 4; ++n) mutator.mutate();
  note(form.name);
  if (seed % 4 < 2 || !has_events(trace)) {
    note("in memory");
    const std::string wrong = analyse_in_memory(trace, seed);
    return wrong.empty() ? predict_in_memory(trace, seed) : wrong;
  }
  std::filesystem::remove_all("case");
  if (seed % 4 == 2 || form.threads > 1) {
    note("as archive");
    if (const Status written = write_archive(trace, "case"); !written.ok()) return written.error().text();
    return analyse_file("case", seed);
  }
  note("as OTF2 trace");
  return analyse_file(write_otf2(trace, "case"), seed);
}

int run(int argc, char** argv) {
  log_setup("fuzz", Verbosity::kQuiet);
  if (argc != 3) return std::fputs("usage: damaged_traces FIRST COUNT\n", stderr), 2;
  return run_seeds("damaged_traces", static_cast<std::uint32_t>(std::strtoul(argv[1], nullptr, 10)),
                   static_cast<std::uint32_t>(std::strtoul(argv[2], nullptr, 10)), damage_one);
}

}  // namespace
}  // namespace tarry::fuzz

int main(int argc, char** argv) { return tarry::fuzz::run(argc, argv); }
