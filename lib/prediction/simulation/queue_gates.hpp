// queue_gates.hpp -- gates between the threads of a process and the queues of its accelerators.
//
//   thread   [launch]...........[launch]..........[ synchronise ......]
//            v signal           v                                     ^ await
//   queue    .[ kernel ]........[ copy ][ kernel ].........           |
//                                               v ---------------------
#pragma once

#include <vector>

#include "base/arrays/rows.hpp"
#include "prediction/simulation/machine.hpp"
#include "replay/trace.hpp"

namespace tarry {

class Gates;
using GateIndex = StrongId<struct GateTag>;

/// Work of a queue, one after another. Works of a queue that overlap are in different rows.
struct QueueRow {
  QueueRow(ThreadIndex of, MemoryBudget* budget) : queue(of), executions(budget) {}

  ThreadIndex queue;
  Rows<ExecutionIndex> executions;
};

/// A gate that a call of the accelerator's library causes or awaits.
struct DeviceCallGate {
  DeviceCallIndex call{};
  GateIndex gate{};
};

/// A gate that the end of an execution causes.
struct ExecutionGate {
  ExecutionIndex execution{};
  GateIndex gate{};
};

/// Those of one process; nothing without queues.
struct QueueGates {
  struct OfQueue {
    explicit OfQueue(MemoryBudget* budget) : begins(budget), ends(budget) {}

    Indexed<ExecutionIndex, Rows<GateIndex>> begins;  // what each execution awaits; none: the one before it in its row
    Rows<ExecutionGate> ends;                         // by execution
  };

  std::vector<QueueRow> rows;
  Indexed<ThreadIndex, std::vector<OfQueue>> queues;  // nothing of threads
  std::vector<DeviceCallGate> launches, waits;        // by call
};

/// `begins`, by thread: the gate with which a queue begins whose first launch is not known; none: it is not known
/// either. The mutex of the gates is held. Time: executions x log, and calls that wait x queues.
QueueGates plan_queues(const LogicalRank& rank, const Machine& machine, double ticks_per_second,
                       const Indexed<ThreadIndex, std::vector<GateIndex>>& begins, Gates& gates);

}  // namespace tarry
