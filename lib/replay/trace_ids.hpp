// trace_ids.hpp -- what the analysis numbers: processes, threads, calls and records. Each number has a type of its own.
#pragma once

#include <cstdint>

#include "base/arrays/ids.hpp"
#include "defs/definitions.hpp"

namespace tarry {

/// Position of a process in Trace::ranks().
using RankIndex = StrongId<struct RankIndexTag>;
/// Number of an MPI_COMM_WORLD in a WorldTable.
using WorldIndex = StrongId<struct WorldIndexTag>;

// Positions within one LogicalRank.
using ThreadIndex = StrongId<struct ThreadIndexTag, std::uint16_t>;  // in threads
inline constexpr ThreadIndex kMaster{0};
using CallIndex = StrongId<struct CallIndexTag>;
using SendIndex = StrongId<struct SendIndexTag>;
using ReceiveIndex = StrongId<struct ReceiveIndexTag>;
using ProbeIndex = StrongId<struct ProbeIndexTag>;
using PollIndex = StrongId<struct PollIndexTag>;
using PollRunIndex = StrongId<struct PollRunIndexTag>;
using CollectiveIndex = StrongId<struct CollectiveIndexTag>;
using MaskIndex = StrongId<struct MaskIndexTag>;  // in partner_masks
using ForkIndex = StrongId<struct ForkIndexTag>;
using SpawnIndex = StrongId<struct SpawnIndexTag>;
using WindowRecordIndex = StrongId<struct WindowRecordIndexTag>;
using DeviceCallIndex = StrongId<struct DeviceCallTag>;  // in device_calls

/// Number of a channel in a ChannelTable.
using ChannelIndex = StrongId<struct ChannelIndexTag>;
/// Position of a receive among those of its process, in the order of posting.
using PostingIndex = StrongId<struct PostingIndexTag>;

// Positions within one LogicalThread.
using ExecutionIndex = StrongId<struct ExecutionTag>;           // in executions
using BarrierIndex = StrongId<struct BarrierIndexTag>;          // in barriers
using LockIndex = StrongId<struct LockIndexTag>;                // number of an acquisition in its LockLog
using ThreadStartIndex = StrongId<struct ThreadStartIndexTag>;  // in starts

}  // namespace tarry
