// queue_scan.hpp -- the pass over the events of the queues of accelerators.
#pragma once

#include "replay/scan/process_scan.hpp"

namespace tarry {

/// Reads the queues of a process behind its threads, and finds which calls have started what they executed. Leaves:
/// LogicalThread::executions, and what every thread has: visits, the time log, the place where it begins. In that log
/// the time between two executions belongs to the later one.
void scan_queues(ProcessScan& process);

}  // namespace tarry
