// root_causes.hpp -- what made the processes of a run wait, as its delay analysis has found it.
//
// Everything here is computed from delay costs: of single call paths where the report has a table of causes, else of
// whole kinds of waits. Source: docs/METRICS.md, "Delay costs" and "Findings".
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/units.hpp"
#include "findings/region_imbalance.hpp"
#include "findings/report_rank.hpp"
#include "report/report.hpp"
#include "report/wait_causes.hpp"

namespace tarry {

/// Why others had to wait for what was done on a call path.
enum class CauseNature : std::uint8_t {
  kLoad,          // some processes spend more time there than the others
  kSequence,      // all spend the same time there, but one after another
  kShiftingLoad,  // so do all, but each at another time
  kNoise,         // the same, by little
  kOperation,     // an operation of MPI or OpenMP takes its time
  kFiles,         // reading or writing files
  kLock,          // a lock is held
};

/// Machine name ("shifting_load").
std::string_view name_of(CauseNature nature);

/// One thread's part.
struct CausingThread {
  ReportRank rank{0};
  ReportThread thread{0};
  Seconds seconds = 0;  // of waiting elsewhere
};

/// What a cause has led to: waits of one kind, at one call path where the report tells them apart.
struct CauseEffect {
  std::string kind;                  // display name of the costs: "Late Sender"
  CallPathId path;                   // of the waits; none: all of that kind
  Seconds direct = 0, indirect = 0;  // of waiting
  double share = 0;                  // of all waiting there

  Seconds seconds() const { return direct + indirect; }
};

/// A call path on which some spent more time than those who waited for them.
struct RootCause {
  std::uint64_t number = 0;  // 1: the one with most waiting. 'tarry predict --without-delay' takes it
  CallPathId path;
  CauseNature nature = CauseNature::kLoad;
  Seconds direct = 0;                   // waiting without other waits in between,
  Seconds indirect = 0;                 // and with them
  double share = 0;                     // of all waiting
  std::uint64_t threads = 0;            // how many have a part in it
  std::vector<CausingThread> who;       // those with three quarters of it, if they are few; else the first ones
  bool are_all_named = true;            // they are few
  Seconds excess = 0;                   // how much longer the first of them takes there than the average; 0: no longer
  double excess_share = 0;              // the waiting as a part of the time of all on that path
  std::optional<CauseFinding> outside;  // what goes along with the excess and is no work of the program
  std::vector<CauseEffect> effects;     // largest first
  std::vector<CausingThread> through;   // whose waits passed it on, most first

  Seconds seconds() const { return direct + indirect; }
};

struct RootCauses {
  std::vector<RootCause> causes;  // largest first
  Seconds waiting = 0;            // all waiting that the analysis looks for causes of
  Seconds explained = 0;          // by all causes together
};

/// The report's table of causes. One that is damaged counts as none.
std::vector<WaitCauses> table_of_causes(const Report& report);

/// The causes of all waits of a report, by its table. Without a table by the sums of kinds; none if there are no delay
/// costs.
RootCauses find_root_causes(const Report& report, const std::vector<WaitCauses>& table);

/// Keeps those with three quarters of `whole`, if they are few among so many processes: then true. Else the first ones
/// stay. `who`: most first.
bool keep_few(std::vector<CausingThread>& who, Seconds whole, std::size_t processes);

/// Those of one wait state at one call path, largest first, from the table of causes: `metric` is its unique name.
/// nullptr if they are not told apart.
const WaitCauses* causes_of(const std::vector<WaitCauses>& all, std::string_view metric, CallPathId path);

}  // namespace tarry
