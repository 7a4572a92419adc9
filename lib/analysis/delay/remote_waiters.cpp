// remote_waiters.cpp -- time vectors of waiters that other analysis processes host.
#include "analysis/delay/remote_waiters.hpp"

#include "analysis/delay/interval_times.hpp"

namespace tarry {

RemoteWaiters::RemoteWaiters(const DelayContext& context, const WaitersByCause& waiters) {
  const Trace& trace = context.trace;
  if (trace.exchange().size() == 1) return;
  std::vector<MessageBuffer> buffers(static_cast<std::size_t>(trace.exchange().size()));
  IntervalScratch scratch;
  PathTimes times;
  for (const RankIndex cause : waiters.ids()) {
    if (trace.is_hosted(cause)) continue;
    MessageBuffer& buffer = buffers[static_cast<std::size_t>(trace.host_of(cause))];
    for (const Waiter& waiter : waiters[cause]) {
      if (!trace.is_hosted(waiter.ref.rank)) continue;
      buffer.put(waiter.ref);
      time_apart(context, waiter.ref, cause, scratch, scratch.times);
      scratch.times.move_to(times);
      buffer.put_all(times);
    }
  }
  for (MessageBuffer& buffer : trace.exchange().all_to_all(std::move(buffers)))
    while (!buffer.is_read()) {
      const auto waiter = buffer.get<SyncRef>();
      times_.insert(waiter) = buffer.get_all<PathTime>();
      are_there_ = true;
    }
}

}  // namespace tarry
