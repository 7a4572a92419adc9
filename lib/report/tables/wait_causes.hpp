// wait_causes.hpp -- what caused the waits at the call paths where most time is waited, as an extra file of a report
// (docs/CUBEX.md, "Causes of waits").
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "base/units.hpp"
#include "report/tree/report.hpp"

namespace tarry {

/// The part of one thread.
struct CauseOfThread {
  std::uint32_t process = 0;  // number in the report
  std::uint32_t thread = 0;   // within its process
  Seconds seconds = 0;

  bool operator==(const CauseOfThread&) const = default;
};

/// What all threads have to do with the waits on one of their call paths. Seconds of waiting.
struct CauseAtPath {
  CallPathId path;                   // none: several that are not told apart
  Seconds direct = 0;                // without other waits in between,
  Seconds indirect = 0;              // and with them
  std::uint64_t threads = 0;         // how many have a part in it
  std::vector<CauseOfThread> worst;  // of both together; most first

  Seconds seconds() const { return direct + indirect; }
  bool operator==(const CauseAtPath&) const = default;
};

/// Waits of one kind at one call path, and their causes.
struct WaitCauses {
  std::string kind;  // the metric of the costs: "delay_latesender_aggregate"
  CallPathId path;
  Seconds waiting = 0;                 // of all threads
  std::vector<CauseAtPath> delays;     // where others spent more time than those who waited; most costly first
  std::vector<CauseAtPath> passed_on;  // waits in between: how much of the waiting came through them (`direct`)

  bool operator==(const WaitCauses&) const = default;
};

/// How many call paths of causes are told apart, and threads of each.
inline constexpr std::size_t kMostCausePaths = 16, kMostCauseThreads = 8;

/// Sums of causes by call path, in memory that does not grow with the number of threads.
class CauseSums {
 public:
  void add(const CauseAtPath& cause);

  /// Most costly first. What is beyond the bounds is one entry without a call path. Forgets all.
  std::vector<CauseAtPath> take();

 private:
  std::map<CallPathId, CauseAtPath> of_path_;
};

/// Adds the table to a report; nothing if it is empty.
void add_causes(const std::vector<WaitCauses>& causes, std::vector<ReportFile>& files);

/// The same in place of the table that is there.
void replace_causes(const std::vector<WaitCauses>& causes, std::vector<ReportFile>& files);

/// The table of a report, in which call paths and processes are checked; empty if it has none.
Result<std::vector<WaitCauses>> read_causes(const ReportStructure& structure, const std::vector<ReportFile>& files);

/// The same table where call paths have other numbers: `places[path]` is the new one. Those that become one are added
/// up.
std::vector<WaitCauses> renumber_causes(const std::vector<WaitCauses>& causes, const std::vector<CallPathId>& places);

}  // namespace tarry
