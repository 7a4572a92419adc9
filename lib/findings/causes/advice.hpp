// advice.hpp -- one sentence in plain words for each cause of waiting: who, where, and how much waiting it causes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "findings/findings.hpp"
#include "report/algebra/shown_regions.hpp"

namespace tarry {

/// What to look at.
struct Advice {
  std::string sentence;
  std::string detail;  // what the sentence rests on; may be empty
  // Of a sentence on causes:
  double share = 0;                   // of all waiting
  std::vector<std::uint64_t> causes;  // RootCause::number, largest first
};

/// The sentence on root causes. `names` has the regions of all their call paths (mentioned_paths).
Advice describe_cause(const Report& report, const Findings& findings, const ToldCause& told, const ShownRegions& names);

/// "compute (heat.c:45), rank 4": where a root cause is, and whose it is. `names` has the regions of its call path.
std::string name_cause(const ReportStructure& structure, const RootCause& cause, const ShownRegions& names);

/// "96.3% of it due to rank 2 in compute"; empty where no cause has a quarter of the wait. `names` has the cause's
/// regions.
std::string describe_main_cause(const Report& report, const Findings& findings, const WaitFinding& wait,
                                const ShownRegions& names);

/// Of the largest causes and waits, most important first; at most `most`. Empty if hardly anything is waited for.
std::vector<Advice> give_advice(const Report& report, const Findings& findings, std::size_t most);

/// The call paths that advice may mention.
std::vector<CallPathId> mentioned_paths(const Findings& findings);

}  // namespace tarry
