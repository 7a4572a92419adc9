// conditions.hpp -- the clock conditions of a trace: which event cannot be earlier than which.
//
// A message is not received before it is sent, a barrier is not left before the last process has entered it, and so on.
// Messages stay where the replay engine matched them (for_each_message); everything else is kept here as groups.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "replay/trace.hpp"

namespace tarry {

/// What a condition comes from. kCollective: what docs/METRICS.md, "Timestamps" counts. kOtherCollective: scans,
/// creations of communicators, operations that do not block, and exchanges among neighbours or with a count for each
/// pair.
enum class ConditionKind : std::uint8_t { kPointToPoint, kCollective, kOtherCollective, kOneSided, kOpenMp, kCount };

inline constexpr std::size_t kConditionKinds = static_cast<std::size_t>(ConditionKind::kCount);

/// "point-to-point", "collective", ...
std::string_view name_of(ConditionKind kind);

/// A moment at one location.
struct ClockPoint {
  Ticks time = 0;
  LocationId location;
  CommRank order{};  // in a scan: rank of the member
};

/// No effect may be earlier than a cause; in a scan, than a cause of a rank that is not greater than its own.
struct ConditionGroup {
  std::uint64_t first = 0;  // index into Conditions::points: causes, then effects
  std::uint32_t causes = 0;
  std::uint32_t effects = 0;
  ConditionKind kind = ConditionKind::kCollective;
  bool is_scan = false;
};

struct Conditions {
  std::vector<ConditionGroup> groups;
  std::vector<ClockPoint> points;

  std::span<const ClockPoint> causes(const ConditionGroup& group) const { return {&points[group.first], group.causes}; }
  std::span<const ClockPoint> effects(const ConditionGroup& group) const {
    return {points.data() + group.first + group.causes, group.effects};
  }
};

/// All conditions but those of messages, in no particular order: each at one analysis process. Messages must have been
/// matched. Collective over the analysis processes.
Conditions find_conditions(Trace& trace);

/// Calls visit(cause, effect) for every matched message that a process (hosted) received.
template <class Visit>
void for_each_message(const Trace& trace, RankIndex rank, Visit visit) {
  const LogicalRank& receiver = trace.ranks()[rank];
  for (const ReceiveIndex i : receiver.receives.ids()) {
    const Receive& receive = receiver.receives[i];
    if (!receive.is_matched()) continue;
    const RankIndex from = receiver.sender_of(receive);
    const LogicalRank& sender = trace.ranks()[from];
    const Send& send = sender.sends[receive.send];
    visit(ClockPoint{send.time, trace.locations_of(from)[sender.calls[send.call].thread], {}},
          ClockPoint{receiver.receive_times[i], trace.locations_of(rank)[receiver.calls[receive.call].thread], {}});
  }
}

}  // namespace tarry
