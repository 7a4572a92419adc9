// outside_causes.cpp -- compares times with accounts of the kernel and with counters.
//
// A cause fits if it takes the same process longer, by a part of what the region does. The other processes must agree.
// What was not recorded is no cause.
#include "findings/causes/outside_causes.hpp"

#include <algorithm>
#include <functional>
#include <initializer_list>
#include <string_view>

#include "report/metrics/counter_metric.hpp"

namespace tarry {
namespace {

constexpr double kLeastShare = 0.05;
constexpr double kLeastCorrelation = 0.7;
constexpr Seconds kDearestFault = 1e-3;  // what takes longer for each page fault is something else

std::size_t largest_process(const ProcessValues& values) {
  return static_cast<std::size_t>(std::max_element(values.begin(), values.end()) - values.begin());
}

double beyond_mean(const ProcessValues& values, std::size_t process) { return values[process] - mean_of(values); }

// Seconds and events of a possible cause. Empty: not recorded.
struct Evidence {
  ProcessValues seconds, events;
  bool is_of_region = true;
};

class CauseFinder {
 public:
  CauseFinder(const Report& report, const ProcessorLoad& load, const std::vector<CallPathId>& paths,
              const ImbalanceTimes& times)
      : report_(report), load_(load), paths_(paths), times_(times), worst_(largest_process(times.region)) {}

  std::vector<CauseFinding> computation() {
    const Evidence off = time_off_processor();
    if (!off.seconds.empty()) add(is_preempted() ? OutsideCause::kPreemption : OutsideCause::kBlocked, off);
    if (!load_.ranks.empty() && off.seconds.empty()) {
      add(OutsideCause::kPreemption, delay_of_process());
      add(OutsideCause::kBlocked, blocked_time_of_process());
    }
    add_page_faults();
    const auto explained = [](const CauseFinding& cause) { return std::max(cause.share, cause.least_share); };
    std::ranges::stable_sort(found_, std::ranges::greater(), explained);
    return std::move(found_);
  }

  std::vector<CauseFinding> file_io() {
    Evidence io;
    io.events = counted({"io_bytes"}, 1);
    if (io.events.empty() || beyond_mean(io.events, worst_) <= 0) return {};
    io.seconds = times_.region;
    if (correlation(io.events, io.seconds) >= kLeastCorrelation) add(OutsideCause::kFileIo, io);
    return std::move(found_);
  }

 private:
  // The sum of metrics over the region's call paths; empty unless the report has all of them. A counter that is 0
  // everywhere is not in the report.
  ProcessValues counted(std::initializer_list<std::string_view> names, double factor) const {
    ProcessValues values(report_.structure.processes.size());
    for (const std::string_view name : names) {
      const MetricId metric = report_.find_metric(name);
      if (!metric.is_valid()) return {};
      for (const CallPathId path : paths_) add_row(report_, metric, path, values, factor);
    }
    return values;
  }

  template <class ValueOf>
  ProcessValues of_process(ValueOf value_of) const {
    return by_process(report_.structure, load_, value_of);
  }

  ProcessValues processor_time() const {
    ProcessValues cpu = counted({"task-clock"}, 1e-9);
    return cpu.empty() ? counted({"ru_utime", "ru_stime"}, 1e-6) : cpu;
  }

  // In the region: its time without that on a processor.
  Evidence time_off_processor() const {
    Evidence off;
    ProcessValues cpu = processor_time();
    if (cpu.empty()) return off;
    for (std::size_t i = 0; i < cpu.size(); ++i) off.seconds.push_back(std::max(times_.region[i] - cpu[i], 0.0));
    off.events = counted({is_preempted() ? "ru_nivcsw" : "ru_nvcsw"}, 1);
    if (off.events.empty()) off.events = counted({"context-switches"}, 1);
    return off;
  }

  // Whether the process that takes longest lost its processor more often than it gave it up, beyond the average.
  bool is_preempted() const {
    ProcessValues taken = counted({"ru_nivcsw"}, 1), given = counted({"ru_nvcsw"}, 1);
    if (taken.empty() || given.empty()) {
      taken = of_process([](const ProcessorUse& use) { return static_cast<double>(use.preemptions); });
      given = of_process([](const ProcessorUse& use) { return static_cast<double>(use.waits); });
    }
    return beyond_mean(taken, worst_) > std::max(beyond_mean(given, worst_), 0.0);
  }

  Evidence delay_of_process() const {
    return {of_process([](const ProcessorUse& use) { return use.delay.value_or(0); }),
            of_process([](const ProcessorUse& use) { return static_cast<double>(use.preemptions); }), false};
  }

  // Neither on a processor nor waiting for one; of processes with one thread. Recorded file I/O has regions of its own.
  Evidence blocked_time_of_process() const {
    if (report_.structure.thread_count() != report_.structure.processes.size()) return {};
    Evidence blocked{
        of_process([](const ProcessorUse& use) { return use.delay ? use.wall - use.cpu - *use.delay : 0; }),
        of_process([](const ProcessorUse& use) { return static_cast<double>(use.waits); }), false};
    for (std::size_t i = 0; i < blocked.seconds.size(); ++i)
      blocked.seconds[i] = std::max(blocked.seconds[i] - times_.file_io[i], 0.0);
    return blocked;
  }

  // The kernel's time, where there are more page faults.
  void add_page_faults() {
    Evidence faults{counted({"ru_stime"}, 1e-6), counted({"page-faults"}, 1), true};
    if (faults.events.empty()) faults.events = counted({"ru_minflt"}, 1);
    if (faults.seconds.empty() || faults.events.empty()) {
      faults = {of_process([](const ProcessorUse& use) { return use.system; }), of_process([](const ProcessorUse& use) {
                  return static_cast<double>(use.minor_faults) + static_cast<double>(use.major_faults);
                }),
                false};
    }
    const double more = beyond_mean(faults.events, worst_);
    if (more <= 0 || beyond_mean(faults.seconds, worst_) > more * kDearestFault) return;
    if (correlation(faults.events, times_.region) >= kLeastCorrelation) add(OutsideCause::kPageFaults, faults);
  }

  // What the process as a whole did is compared with all that it computed beyond the average.
  Seconds base_of(const Evidence& evidence) const {
    return evidence.is_of_region ? beyond_mean(times_.region, worst_) : times_.excess[worst_];
  }

  // The part of the excess that must be due to what took each process so long in the whole run. In the region that is
  // at most all of the time there, and at least what does not fit into the rest of the run. Of processes with one
  // thread.
  double least_share(const ProcessValues& seconds) const {
    const ProcessValues walls = of_process([](const ProcessorUse& use) { return use.wall; });
    const Seconds excess = beyond_mean(times_.region, worst_);
    if (report_.structure.thread_count() != walls.size() || excess <= 0 || load_.ranks.size() != walls.size()) return 0;
    ProcessValues bounds;
    for (std::size_t i = 0; i < walls.size(); ++i) bounds.push_back(std::min(seconds[i], times_.region[i]));
    bounds[worst_] = std::clamp(seconds[worst_] - (walls[worst_] - times_.region[worst_]), 0.0, bounds[worst_]);
    return std::clamp(beyond_mean(bounds, worst_) / excess, 0.0, 1.0);
  }

  void add(OutsideCause cause, const Evidence& evidence) {
    const Seconds base = base_of(evidence);
    if (evidence.seconds.empty() || base <= 0) return;
    CauseFinding finding;
    finding.cause = cause;
    finding.rank = ReportRank(report_.structure.processes[worst_].rank);
    finding.seconds = beyond_mean(evidence.seconds, worst_);
    finding.share = std::min(1.0, finding.seconds / base);
    finding.correlation = correlation(evidence.seconds, times_.region);
    finding.is_of_region = evidence.is_of_region;
    if (!evidence.is_of_region) finding.least_share = least_share(evidence.seconds);
    if (!evidence.events.empty()) finding.events = std::max(beyond_mean(evidence.events, worst_), 0.0);
    const double explained = std::max(finding.share, finding.least_share);
    if (explained >= kLeastShare && finding.correlation >= kLeastCorrelation) found_.push_back(finding);
  }

  const Report& report_;
  const ProcessorLoad& load_;
  const std::vector<CallPathId>& paths_;
  const ImbalanceTimes& times_;
  std::size_t worst_;
  std::vector<CauseFinding> found_;
};

}  // namespace

std::string_view name_of(OutsideCause cause) {
  static constexpr std::string_view kNames[] = {"preemption", "blocked", "page_faults", "file_io"};
  return kNames[static_cast<std::size_t>(cause)];
}

std::vector<CauseFinding> find_outside_causes(const Report& report, const ProcessorLoad& load, TimeClass time_class,
                                              const std::vector<CallPathId>& paths, const ImbalanceTimes& times) {
  CauseFinder finder(report, load, paths, times);
  return time_class == TimeClass::kComputation ? finder.computation() : finder.file_io();
}

}  // namespace tarry
