// region_imbalance.hpp -- imbalances by region: their kinds, what they cost, what goes along with them, and how they
// interfere. Source: docs/METRICS.md, "Kinds of imbalance".
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "findings/imbalance/imbalance_kind.hpp"
#include "findings/imbalance/processor_load.hpp"
#include "findings/report_rank.hpp"
#include "report/tree/report.hpp"
#include "report/metrics/time_classes.hpp"

namespace tarry {

/// What happens outside of the program's own work, on the process that takes longest.
enum class OutsideCause : std::uint8_t {
  kPreemption,  // it was ready to run, and had no processor
  kBlocked,     // it gave its processor up: files, locks, sleep
  kPageFaults,  // the kernel worked on its pages
  kFileIo,      // it transferred more bytes
};

/// "preemption", "blocked", ...
std::string_view name_of(OutsideCause cause);

struct CauseFinding {
  OutsideCause cause = OutsideCause::kPreemption;
  ReportRank rank{0};         // that takes longest in the region
  Seconds seconds = 0;        // that the cause took on this rank, beyond the average of all
  double share = 0;           // of what the rank takes beyond the average; at most 1
  double least_share = 0;     // if counted in the process: what of the region's excess must be due to it
  double correlation = 0;     // of cause and time, over all processes
  bool is_of_region = false;  // counted in the region; else in the whole process
  double events = 0;          // beyond the average: preemptions, waits, faults or bytes; 0 if not counted

  double known_share() const { return is_of_region ? share : least_share; }
};

struct RegionImbalance {
  std::uint32_t region = 0;
  CallPathId call_path;     // of the region: where the rank that takes longest spends most
  bool is_of_path = false;  // it is of this call path alone: those of the region differ in their imbalance
  TimeClass time_class = TimeClass::kComputation;
  Seconds seconds = 0;       // of all processes
  std::size_t visitors = 0;  // processes that spend time there
  ReportRank worst{0};       // takes longest
  ImbalanceKind kind;        // of the seconds by process; its members are indices of processes
  std::vector<ReportRank> minority;
  std::vector<ReportRank> highest;   // of clusters: the group that takes longest
  Seconds excess = 0;                // of the worst beyond the average
  Seconds impact = 0;                // excess x processes: what is lost where all wait for the worst
  std::optional<Seconds> cost;       // delay costs of the region, where the report is an analysis
  std::vector<CauseFinding> causes;  // largest share first
};

enum class Interference : std::uint8_t { kCancelling, kAggravating };

/// Two regions whose imbalances meet on the same processes.
struct ImbalancePair {
  std::size_t first = 0, second = 0;  // of Imbalances::regions
  Interference kind = Interference::kCancelling;
  double correlation = 0;  // of what each process takes beyond the average
  Seconds apart = 0;       // the impacts of both
  Seconds together = 0;    // the impact of the sum of both
  // Delay costs of both; more than a part of `apart` means that processes do wait between the two.
  std::optional<Seconds> cost;
  bool is_synchronised = false;  // they would cancel, but do not
};

struct Imbalances {
  std::optional<RegionImbalance> all;    // the computation as a whole; `region` and `call_path` mean nothing
  std::vector<RegionImbalance> regions;  // largest impact first
  std::vector<ImbalancePair> pairs;      // of the largest ones
};

/// Of regions whose impact is at least `least` of the allocation time: computation and file I/O. Where imbalances of a
/// region's call paths hide each other, of these. Nothing for a run of one process.
Imbalances find_imbalances(const Report& report, const ProcessorLoad& load, double least);

}  // namespace tarry
