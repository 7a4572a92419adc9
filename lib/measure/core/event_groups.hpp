// event_groups.hpp -- which classes of calls TARRY_EVENTS knows, and their groups.
//
// Calls: handler-safe.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace tarry::measure {

/// Functions of MPI that are recorded or left out together.
enum MpiEventGroup : std::uint8_t {
  kMpiPointToPointEvents = 1,
  kMpiCollectiveEvents = 2,
  kMpiOneSidedEvents = 4,
  kMpiFileEvents = 8,
  kMpiOtherEvents = 16,
  kAllMpiEvents = 31,
};

/// Constructs and functions of OpenMP. Parallel regions are recorded always.
enum OpenMpEventGroup : std::uint8_t {
  kOpenMpTeamEvents = 1,  // worksharing and barriers
  kOpenMpTaskEvents = 2,
  kOpenMpLockEvents = 4,  // critical, ordered and atomic, too
  kOpenMpTargetEvents = 8,
};

/// Functions of POSIX threads.
enum ThreadEventGroup : std::uint8_t {
  kThreadCreateEvents = 1,
  kThreadLockEvents = 2,
  kThreadWaitEvents = 4,  // conditions, barriers and semaphores
};

/// Functions of files. Those that open and close them are recorded always.
enum FileEventGroup : std::uint8_t {
  kFileDataEvents = 1,
  kFileMetadataEvents = 2,
};

inline constexpr std::uint8_t kAllEvents = 255;  // of a class

struct NamedEventGroup {
  std::string_view name;
  std::uint8_t group;
};
inline constexpr NamedEventGroup kMpiEventGroups[] = {{"p2p", kMpiPointToPointEvents},
                                                      {"coll", kMpiCollectiveEvents},
                                                      {"rma", kMpiOneSidedEvents},
                                                      {"io", kMpiFileEvents},
                                                      {"other", kMpiOtherEvents}};
inline constexpr NamedEventGroup kOpenMpEventGroups[] = {{"teams", kOpenMpTeamEvents},
                                                         {"tasks", kOpenMpTaskEvents},
                                                         {"locks", kOpenMpLockEvents},
                                                         {"target", kOpenMpTargetEvents}};
inline constexpr NamedEventGroup kThreadEventGroups[] = {
    {"create", kThreadCreateEvents}, {"locks", kThreadLockEvents}, {"waits", kThreadWaitEvents}};
inline constexpr NamedEventGroup kFileEventGroups[] = {{"data", kFileDataEvents}, {"metadata", kFileMetadataEvents}};

struct Settings;

/// Calls that come from one library.
struct EventClass {
  std::string_view name;
  std::span<const NamedEventGroup> groups;
  std::uint8_t Settings::*chosen;  // sum of groups
};

}  // namespace tarry::measure
