// root_causes.hpp -- what made the processes of a run wait, as its delay analysis has found it.
//
// Everything here is computed from delay costs (cause_costs.hpp). Source: docs/METRICS.md, "Delay costs" and
// "Findings".
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/units.hpp"
#include "findings/imbalance/region_imbalance.hpp"
#include "findings/report_rank.hpp"
#include "report/tree/report.hpp"
#include "report/tables/wait_causes.hpp"

namespace tarry {

/// Why others had to wait for what was done on a call path.
enum class CauseNature : std::uint8_t {
  kLoad,          // some processes spend more time there than the others
  kSequence,      // all spend the same time there, but one after another
  kShiftingLoad,  // so do all, but each at another time
  kNoise,         // the same, by little
  kOperation,     // an operation of MPI or OpenMP takes its time
  kFiles,         // reading or writing files
  kFileMetadata,  // opening, naming or looking up files, for more than half of the costs
  kLock,          // a lock is held
  kDevice,        // an accelerator works longer than the host has other work
};

/// Whether a cause is the time of the file functions that a call path calls.
constexpr bool is_of_files(CauseNature nature) {
  return nature == CauseNature::kFiles || nature == CauseNature::kFileMetadata;
}

/// Machine name ("shifting_load").
std::string_view name_of(CauseNature nature);

/// One thread's part.
struct CausingThread {
  ReportRank rank{0};
  ReportThread thread{0};
  Seconds seconds = 0;  // of waiting elsewhere
};

/// The location of a thread or queue; nullptr if there is none.
const ReportLocation* location_of(const ReportStructure& structure, const CausingThread& of);

/// Whether it is the queue of an accelerator.
bool is_queue(const ReportStructure& structure, const CausingThread& of);

/// What a cause has led to: waits of one kind, at one call path where the report tells them apart.
struct CauseEffect {
  std::string kind;                  // display name of the costs: "Late Sender"
  CallPathId path;                   // of the waits; none: those that the report does not tell apart
  Seconds direct = 0, indirect = 0;  // of waiting
  Seconds waiting = 0;               // of all waits there, whatever caused them

  Seconds seconds() const { return direct + indirect; }
  double share() const { return waiting > 0 ? seconds() / waiting : 0; }
};

/// A call path on which some spent more time than those who waited for them.
struct RootCause {
  std::uint64_t number = 0;  // 1: the one with most waiting. 'tarry predict --without-delay' takes it
  CallPathId path;
  CauseNature nature = CauseNature::kLoad;
  Seconds direct = 0;                   // waiting without other waits in between,
  Seconds indirect = 0;                 // and with them
  double share = 0;                     // of all waiting of the report
  std::uint64_t threads = 0;            // how many have a part in it
  std::vector<CausingThread> who;       // those with three quarters of it, if they are few; else the first ones
  bool are_all_named = true;            // they are few
  Seconds excess = 0;                   // how much longer the first of them takes there than the average; 0: no longer
  double excess_share = 0;              // the waiting as a part of the time of all on that path
  double blocked_share = 0;             // of the time of the first of them there
  std::optional<CauseFinding> outside;  // what goes along with the excess and is no work of the program
  std::vector<CauseEffect> effects;     // largest first
  std::vector<CausingThread> through;   // whose waits passed it on, most first

  Seconds seconds() const { return direct + indirect; }
};

/// What one sentence tells: a cause, or several in the same function.
struct ToldCause {
  RootCause cause;                     // of all together; `number` and `path` of the largest
  std::vector<std::uint64_t> numbers;  // of each, largest first
  std::vector<CallPathId> separators;  // the nearest callers that no other cause in this function has
  std::vector<CallPathId> callers;     // where they part: the next callers of each; empty if they do not
};

struct RootCauses {
  std::vector<RootCause> causes;  // largest first
  std::vector<ToldCause> told;    // the same in sentences, largest first
  Seconds waiting = 0;            // all waiting of the report
  Seconds explained = 0;          // of it, by all causes together
};

/// The report's table of causes. One that is damaged counts as none.
std::vector<WaitCauses> table_of_causes(const Report& report);

/// The causes of all waits of a report; none if there are no delay costs. `table` tells their effects apart.
RootCauses find_root_causes(const Report& report, const std::vector<WaitCauses>& table);

/// Keeps those with three quarters of `whole`, if they are few among so many processes: then true. Else the first ones
/// stay. `who`: most first.
bool keep_few(std::vector<CausingThread>& who, Seconds whole, std::size_t processes);

/// Those of one wait state at one call path, largest first, from the table of causes: `metric` is its unique name.
/// nullptr if they are not told apart.
const WaitCauses* causes_of(const std::vector<WaitCauses>& all, std::string_view metric, CallPathId path);

}  // namespace tarry
