// unify.hpp -- merges the definitions of processes into global ones, with a translation table for each process.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/bytes/bytes.hpp"
#include "base/result.hpp"
#include "defs/cut_stacks.hpp"
#include "defs/definitions.hpp"
#include "defs/lost_samples.hpp"

namespace tarry {

/// Properties in which a process states its clock. Processes with equal domain share one clock. The other two hold
/// "ticks monotonic_ns realtime_ns", three decimal numbers read at the same moment. The rate follows from them.
inline constexpr std::string_view kClockDomainKey = "clock_domain";
inline constexpr std::string_view kClockStartKey = "clock_start";
inline constexpr std::string_view kClockEndKey = "clock_end";

/// Number of events a process could not record, and why. In the global definitions: of all processes.
inline constexpr std::string_view kLostKey = "lost";
/// What call paths have cost: stacks that were looked at, those without their outermost functions, and nanoseconds.
inline constexpr std::string_view kCallPathStacksKey = "call_path_stacks";
inline constexpr std::string_view kCallPathsTruncatedKey = "call_paths_truncated";
inline constexpr std::string_view kCallPathTimeKey = "call_path_nanoseconds";
// Samples of the stacks of threads: recorded; left out inside recorded calls; lost; and what they took.
inline constexpr std::string_view kSamplesKey = "samples";
inline constexpr std::string_view kSamplesInsideKey = "samples_inside_calls";
inline constexpr std::string_view kSamplesLostKey = "samples_lost";
inline constexpr std::string_view kSampleTimeKey = "sample_nanoseconds";

// Calls that are not recorded: nested too deep; made while their thread was in the recorder, as in signal handlers.
inline constexpr std::string_view kCallsTooDeepKey = "calls_too_deep";
inline constexpr std::string_view kCallsMissedKey = "calls_missed";
inline constexpr std::string_view kCallsBehindEndKey = "calls_behind_end";

/// Which calls of MPI are left out, for people.
inline constexpr std::string_view kLeftOutKey = "mpi_left_out";

/// Key of a process's throttled functions, with its rank behind it: "CALLS NAME;" for each.
inline constexpr char kThrottledKey[] = "throttled.";

/// Which calls of OpenMP, POSIX threads and files are left out, for people.
inline constexpr std::string_view kCallsLeftOutKey = "calls_left_out";

/// Processes with threads of an OpenMP runtime that tells nothing of its teams.
inline constexpr std::string_view kUnseenOpenMpKey = "openmp_not_recorded";

/// Blocks of the heap whose call paths or frees are not known.
inline constexpr std::string_view kBlocksNotFollowedKey = "heap_blocks_not_followed";

/// Numbers that are added up over all processes.
inline constexpr std::string_view kSummedKeys[] = {kLostKey,
                                                   kCallPathStacksKey,
                                                   kCallPathsTruncatedKey,
                                                   kCallPathTimeKey,
                                                   kSamplesKey,
                                                   kSamplesInsideKey,
                                                   kSamplesLostKey,
                                                   kSampleTimeKey,
                                                   kCallsTooDeepKey,
                                                   kCallsMissedKey,
                                                   kCallsBehindEndKey,
                                                   kLostSamples[0].key,
                                                   kLostSamples[1].key,
                                                   kLostSamples[2].key,
                                                   kLostSamples[3].key,
                                                   kLostSamples[4].key,
                                                   kCutStacks[0].key,
                                                   kCutStacks[1].key,
                                                   kCutStacks[2].key,
                                                   kCutStacks[3].key,
                                                   kNoLibdwKey,
                                                   kUnseenOpenMpKey,
                                                   kBlocksNotFollowedKey};

inline constexpr std::string_view kLostReasonKey = "lost_reason";
inline constexpr std::string_view kEndedEarlyKey = "ended_early";  // why a process was not recorded to its end

/// Dimension of a grid of the hardware that unification numbers: a process does not know how many nodes there are.
inline constexpr std::string_view kNodeDimension = "node";
/// Counters that were asked for and cannot be had, and why.
inline constexpr std::string_view kNotCountedKey = "not_counted";

/// Translates the ids in one process's events to global ids. An empty table is the identity.
struct IdMap {
  std::vector<RegionId> regions;
  std::vector<CommId> comms;
  std::vector<WindowId> windows;
  std::vector<GroupId> groups;
  std::vector<IoHandleId> io_handles;
  std::vector<CounterId> counters;
};

/// Global definitions and, for each process in the order of `Definitions::processes`, its map.
struct UnifiedDefinitions {
  Definitions global;
  std::vector<IdMap> maps;
};

/// Regions as they are called from one place become their bases, in the definitions and in the maps.
void forget_call_sites(UnifiedDefinitions& unified);

/// Regions that have got equal fields since they were unified become the first of them, in the definitions and in the
/// maps. So a function has one name, whoever has looked it up.
void merge_equal_regions(UnifiedDefinitions& unified);

/// Merges the definitions of all processes (each with exactly one entry in `processes`), in any order. Global processes
/// are sorted by rank, and locations by (rank, thread). Regions, communicators and nodes follow by first appearance in
/// that order.
///
/// - Regions, counters and system nodes are one if all their fields are equal, groups if they have the same members.
/// - Windows are one if they are the k-th one of a process on the same communicator. Files are one if they are the k-th
///   one of that name.
/// - Of properties the first value of each key is kept, without those that state clocks. Numbers of lost events are
///   added up.
/// - Grids are one if they are those of one communicator; positions in a grid of the hardware are put together.
/// - Communicators with equal uid become one. Its group is assembled from the members that are there. A member that is
///   missing is kept as rank 0xffffffff. The two sides of an inter-communicator differ by the parent.
/// - The global clock is that of the process with the lowest rank; processes that share it have no clock offsets. The
///   others have at least two (measured, or derived from rates and wall-clock times where measurements are missing).
///   The origin is the earliest clock_start of the global clock (set_clock_origin() moves it).
/// - A reference to something that is not defined becomes "none". Deterministic.
UnifiedDefinitions unify(std::vector<Definitions> processes);

/// Makes `origin` (ticks of the global clock) the time that published times are relative to, and moves the epoch.
void set_clock_origin(Clock& clock, Ticks origin);

void encode_id_maps(ByteWriter& out, std::span<const IdMap> maps);
Result<std::vector<IdMap>> decode_id_maps(std::span<const std::uint8_t> bytes);

}  // namespace tarry
