// predictions.cpp -- what `tarry predict` makes of a damaged trace, on a machine that a seed chooses.
#include "predictions.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cmath>
#include <cstdio>
#include <filesystem>
#include <random>

#include "prediction/simulation/predict.hpp"
#include "prediction/simulation/program_changes.hpp"
#include "driver.hpp"
#include "prediction/gain_table.hpp"
#include "replay/matching/match_messages.hpp"
#include "report/cubex/cubex_reader.hpp"
#include "tests/unit/analysis/analysis_of.hpp"
#include "tools/predict/run_predict.hpp"

namespace tarry::fuzz {
namespace {

// What is printed is no part of the test.
class Silence {
 public:
  Silence() : stdout_(dup(STDOUT_FILENO)) {
    std::fflush(stdout);
    const int nowhere = ::open("/dev/null", O_WRONLY);
    dup2(nowhere, STDOUT_FILENO);
    close(nowhere);
  }
  ~Silence() {
    std::fflush(stdout);
    dup2(stdout_, STDOUT_FILENO);
    close(stdout_);
  }

 private:
  const int stdout_;
};

Machine random_machine(Random& random) {
  const auto one_in = [&](unsigned count) { return random() % count == 0; };
  Machine machine;
  if (one_in(2)) machine.network = one_in(2) ? Network{} : Network{.latency = 1e-3, .seconds_per_byte = 1e-6};
  if (one_in(2)) machine.collectives = CollectiveLaw::kLinear;
  if (one_in(3)) machine.cpu_speed = one_in(2) ? 1e-6 : 1e6;
  if (one_in(3)) machine.regions.push_back({"*", 0, one_in(2)});
  if (one_in(3)) machine.regions.push_back({"main", 1e6, one_in(2)});
  if (one_in(3)) machine.ranks.push_back({WorldRank(random() % 3), 0.3});
  if (one_in(4)) machine.balanced = one_in(2) ? "" : "main";
  if (one_in(4)) machine.eager_limit = random() % 3 * 8;
  machine.binds_one_sided = one_in(2);
  machine.is_like_dimemas = machine.network && one_in(4);
  return machine;
}

// A damaged trace may have no delay, no such rank, or not end.
std::string check_error(const Error& error) {
  const std::string text = error.text();
  return text.empty() || text.find('\n') != std::string::npos ? "an error of several lines: " + text : "";
}

std::string check_numbers(const Prediction& prediction) {
  for (const double seconds :
       {prediction.predicted, prediction.recorded, prediction.whole_predicted, prediction.whole_recorded,
        prediction.longest_computation, prediction.mean_computation, prediction.largest_shift})
    if (!std::isfinite(seconds) || seconds < 0) return "a prediction of " + std::to_string(seconds) + " s";
  return "";
}

// Some delay of the trace.
void remove_delay(const Trace& trace, Random& random, Machine& machine) {
  const Analysis analysis = analyse(trace, trace.copy_locks(), {.keeps_causes = true});
  const std::size_t paths = analysis.unified.tree.size();
  if (paths == 0) return;
  const std::vector<std::vector<PathIndex>> delays{{analysis.shown(PathIndex(random() % paths))}};
  machine.removed =
      std::make_shared<RemovedWork>(Changes(analysis, delays, {}), Indexed<ChangeIndex, std::vector<double>>{1});
}

std::string check_analysis(SyntheticTrace& trace, const SimulatedTimes& times) {
  AnalysisOf found(trace, AnalysisOptions{.wants_path = true}, 1, TimeSelector(), &times);
  bool is_finite = true;
  found.for_each_value(
      [&](Metric, PathIndex, const AnalysedThread&, double value) { is_finite &= std::isfinite(value); });
  return is_finite ? "" : "a value of the predicted run is not finite";
}

}  // namespace

std::string predict_file(const std::string& input, std::uint32_t seed) {
  static Exchange alone;
  Random random(seed);
  PredictOptions options;
  options.input = input;
  options.machine = random_machine(random);
  options.workers = 1 + seed % 2;
  options.is_whole = random() % 2 == 0;
  if (random() % 4 == 0) options.machine.delays.push_back({1 + static_cast<std::uint32_t>(random() % 3), 0.25});
  else if (random() % 3 == 0) options.gains = GainOptions{.most = 3, .is_whole = options.is_whole};
  if (!options.gains && random() % 2 == 0) options.output = "predicted.cubex";
  note("predicted");
  std::filesystem::remove("predicted.cubex");
  const Silence silence;
  const Result<int> status = run_predict(options, alone);
  if (!status.ok()) return check_error(status.error());
  if (options.output.empty()) return "";
  const Result<Report> report = read_cubex(options.output);
  return report.ok() ? "" : "the report of the predicted run: " + report.error().text();
}

std::string predict_in_memory(SyntheticTrace& source, std::uint32_t seed) {
  static Exchange alone;
  Random random(seed);
  note("predicted");
  std::unique_ptr<SimulatedTimes> times;
  {
    Trace trace(source, alone, 1 + seed % 2, {}, prediction_details());
    match_messages(trace, MatchOrder::kPosted);
    if (std::string wrong = check_numbers(predict(trace, {})); !wrong.empty()) return wrong;
    Machine machine = random_machine(random);
    make_gain_table(trace, machine, {.most = 3, .is_whole = seed % 2 == 0});
    if (random() % 2) remove_delay(trace, random, machine);
    if (std::string wrong = check_numbers(predict(trace, machine, &times)); !wrong.empty()) return wrong;
  }
  return times ? check_analysis(source, *times) : "";
}

}  // namespace tarry::fuzz
