// paraver_numbers.hpp -- numbers that Paraver traces use by convention of BSC's tools, so that their views work.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "defs/definitions.hpp"

namespace tarry::paraver {

/// States; colours and names are in the .pcf.
enum State : std::uint32_t {
  kIdle = 0,
  kRunning = 1,
  kNotCreated = 2,
  kWaitingMessage = 3,
  kBlockingSend = 4,
  kSynchronization = 5,
  kTestProbe = 6,
  kForkJoin = 7,
  kWaitAll = 8,
  kBlocked = 9,
  kImmediateSend = 10,
  kImmediateReceive = 11,
  kIo = 12,
  kGroupCommunication = 13,
  kTracingDisabled = 14,
  kOthers = 15,
  kSendReceive = 16,
};

/// Types of events.
inline constexpr std::uint32_t kPointToPoint = 50000001, kCollective = 50000002, kOtherMpi = 50000003, kRma = 50000004,
                               kMpiIo = 50000005;
inline constexpr std::uint32_t kUserFunction = 60000019;
inline constexpr std::uint32_t kSendSize = 50100001, kReceiveSize = 50100002, kIsRoot = 50100003,
                               kCommunicator = 50100004;
inline constexpr std::uint32_t kFlushing = 40000003;

/// Ours: wait states, who causes delays, the critical path.
inline constexpr std::uint32_t kWaitState = 71000001, kWaitMicroseconds = 71000002, kDelayCause = 71000003,
                               kCriticalPath = 71000004;
/// Of patterns: what they cost, on which call path, and who is to blame.
inline constexpr std::uint32_t kPatternSeverity = 71000005, kPatternPath = 71000006, kDelayingRank = 71000007,
                               kDelayingPath = 71000008;
/// And counters: this and the id of the counter.
inline constexpr std::uint32_t kCounters = 72000000;

/// What a region is in Paraver.
struct RegionNumbers {
  std::uint32_t type = 0;   // of the events at its ends; 0: none
  std::uint32_t value = 0;  // at its beginning; 0 at its end
  State state = kRunning;
};

/// By region. MPI functions have BSC's types and values. Those that have none there are functions as all others are.
std::vector<RegionNumbers> numbers_of(const Definitions& all);

/// Name and colour of a state.
struct StateLabel {
  const char* name;
  int red, green, blue;
};
const std::vector<StateLabel>& state_labels();

/// Name of one of the MPI event types.
const char* type_name(std::uint32_t type);

}  // namespace tarry::paraver
