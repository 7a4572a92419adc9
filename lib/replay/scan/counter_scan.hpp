// counter_scan.hpp -- the part of the pass over the events that gives values of counters to call paths.
#pragma once

#include "replay/scan/scanned_thread.hpp"
#include "trace/record.hpp"

namespace tarry {

/// Takes a value of a counter. What it has gone up by since the record before happened in the call path that has been
/// open since. A level was there both times. Leaves: LogicalThread::counters.
void count_metric(ScannedThread& thread, Ticks time, const record::Metric& metric);

}  // namespace tarry
