// otf2_definition_writer.hpp -- writes global definitions of an OTF2 trace: ours, or those of the trace that was read.
#pragma once

#include <otf2/otf2.h>

#include <cstdint>
#include <set>
#include <span>
#include <vector>

#include "base/result.hpp"
#include "defs/definitions.hpp"
#include "trace/otf2/otf2_event_writer.hpp"
#include "trace/otf2/otf2_facts.hpp"

namespace tarry {

/// What is known only when all events are written.
struct Otf2Totals {
  std::vector<std::uint64_t> event_counts;  // by LocationId
  std::uint64_t first_time = 0;
  std::uint64_t last_time = 0;
};

/// Our definitions, and those that events without a record of OTF2 need. References are our indices, but for groups:
/// theirs follow the list of processes and those of paradigms_with_locations().
Status write_own_definitions(OTF2_GlobalDefWriter* writer, const Otf2WriteModel& model, const Otf2Totals& totals);

/// The definitions of `facts`; numbers of events and the length of the trace are those of `totals`.
Status copy_definitions(OTF2_GlobalDefWriter* writer, const Otf2Facts& facts, const Otf2Totals& totals);

/// The paradigms whose groups have locations as members. Each has a list of them, numbered behind that of the processes
/// and in front of all groups.
std::set<Paradigm> paradigms_with_locations(const Definitions& definitions);

}  // namespace tarry
