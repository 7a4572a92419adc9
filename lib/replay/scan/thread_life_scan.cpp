// thread_life_scan.cpp -- records of threads that create others, begin, end and join.
#include "replay/scan/thread_life_scan.hpp"

#include <memory>

namespace tarry {

void ThreadLifeScan::create(Ticks time, const record::ThreadCreate& create) {
  add_start(time, {.contingent = create.contingent.value, .sequence = create.sequence, .moment = {}});
}

void ThreadLifeScan::begin(Ticks time, const record::ThreadBegin& begin) {
  add_start(time, {.contingent = begin.contingent.value, .sequence = begin.sequence, .is_begin = true, .moment = {}});
}

void ThreadLifeScan::add_start(Ticks time, ThreadStart start) {
  if (!thread_.keeps_moments()) return;
  thread_.credit(time);
  start.moment = thread_.moment(time, thread_.logical.log.mark());
  thread_.logical.starts.push_back(start);
}

ThreadEnds& ThreadLifeScan::ends() {
  if (!thread_.logical.ends) thread_.logical.ends = std::make_unique<ThreadEnds>(thread_.logical.starts.budget());
  return *thread_.logical.ends;
}

void ThreadLifeScan::end(Ticks time, const record::ThreadEnd& end) {
  if (!thread_.keeps_moments() || !thread_.process.keeps.thread_ends) return;
  ends().ends.push_back({.contingent = end.contingent.value,
                         .sequence = end.sequence,
                         .moment = thread_.moment(time, thread_.logical.log.mark()),
                         .time = time});
}

void ThreadLifeScan::join(Ticks time, const record::ThreadWait& join) {
  if (!thread_.keeps_moments() || !thread_.process.keeps.thread_ends || thread_.open.is_empty()) return;
  ends().ends.push_back({.contingent = join.contingent.value,
                         .sequence = join.sequence,
                         .is_join = true,
                         .moment = thread_.moment(thread_.open.innermost().enter, thread_.logical.log.mark()),
                         .time = time});
}

void ThreadLifeScan::signal() {
  if (!thread_.process.keeps.thread_ends || thread_.times.is_moving()) return;
  ends().signals.push_back(thread_.moment(thread_.open.innermost().enter, thread_.logical.log.mark()));
}

}  // namespace tarry
