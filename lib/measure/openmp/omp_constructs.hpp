// omp_constructs.hpp -- the OpenMP constructs that are recorded, and their regions by place in the program.
//
// Calls: may block.
#pragma once

#include <cstdint>
#include <string_view>

#include "defs/definitions.hpp"

namespace tarry::measure {

enum class Construct : std::uint8_t {
  kParallel,
  kTeams,
  kLoop,
  kSections,
  kSection,
  kSingle,
  kSingleBlock,
  kMaster,
  kCritical,
  kCriticalBlock,
  kOrdered,
  kOrderedBlock,
  kWorkshare,
  kDistribute,
  kTaskloop,
  kBarrier,
  kImplicitBarrier,
  kTaskwait,
  kTaskgroup,
  kReduction,
  kTaskCreate,
  kTask,
  kFlush,
  kAtomic,
  kTarget,
  kTargetEnterData,
  kTargetExitData,
  kTargetUpdate,
  kTargetLaunch,
  kTargetWait,
  kTargetCopy,
  kTargetKernel,
  kSetLock,
  kUnsetLock,
  kTestLock,
  kSetNestLock,
  kUnsetNestLock,
  kTestNestLock,
};
inline constexpr int kConstructCount = 38;

/// Functions of the runtime are known by their names, not by places.
constexpr bool is_function(Construct construct) { return construct >= Construct::kSetLock; }

/// The program's own code is in it, beside constructs and calls; threads do not wait there for each other.
bool holds_code(Construct construct);

/// Not recorded, by groups of events or by the filter; that it was met is noted. Parallel regions are recorded always.
/// Calls: handler-safe.
bool is_construct_left_out(Construct construct);

/// The hook of an adapter: finds out what is left out.
void choose_constructs();

/// As in region names ("!$omp parallel"), with its role.
std::string_view name_of(Construct construct);
RegionRole role_of(Construct construct);

/// Region of a construct at a return address of the program; defined when it is first met. Takes no lock but then. Not
/// valid if it is left out.
RegionId region_at(Construct construct, const void* address);

/// Region of a construct at a line of a source file.
RegionId region_in_source(Construct construct, std::string_view file, std::uint32_t line);

/// Looks up the lines of all constructs that came as addresses. At the end of the recording.
void describe_constructs();

}  // namespace tarry::measure
