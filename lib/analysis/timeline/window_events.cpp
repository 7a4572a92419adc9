// window_events.cpp -- messages, collective operations and the critical path of windows of a timeline.
#include "analysis/timeline/window_events.hpp"

#include <algorithm>
#include <mutex>
#include <tuple>

#include "replay/matching/match_collectives.hpp"

namespace tarry {
namespace {

// Keeps the first `most` elements of an order; counts the others.
template <class Element, class IsBefore>
void keep_first(std::vector<Element>& elements, std::size_t most, IsBefore is_before, std::uint64_t& left_out) {
  if (elements.size() <= most) return;
  const auto end = elements.begin() + static_cast<std::ptrdiff_t>(most);
  std::nth_element(elements.begin(), end, elements.end(), is_before);
  left_out += elements.size() - most;
  elements.erase(end, elements.end());
}

auto order_of(const TimelineMessage& message) {
  return std::tuple(message.sent, message.from, message.to, message.received, message.bytes);
}

bool is_slower(const TimelineMessage& a, const TimelineMessage& b) {
  const Ticks left = a.received - a.sent, right = b.received - b.sent;
  return left != right ? left > right : order_of(a) < order_of(b);
}

// When its first member entered and its last one left.
std::pair<Ticks, Ticks> span_of(const TimelineOperation& operation) {
  std::pair<Ticks, Ticks> span{operation[0].enter, operation[0].leave};
  for (const TimelineMember& member : operation) {
    span.first = std::min(span.first, member.enter);
    span.second = std::max(span.second, member.leave);
  }
  return span;
}

auto order_of(const TimelineOperation& operation) {
  const auto [begin, end] = span_of(operation);
  return std::tuple(begin, end, operation[0].row, operation[0].enter, operation.size());
}

bool is_longer_operation(const TimelineOperation& a, const TimelineOperation& b) {
  const auto [a_begin, a_end] = span_of(a);
  const auto [b_begin, b_end] = span_of(b);
  return a_end - a_begin != b_end - b_begin ? a_end - a_begin > b_end - b_begin : order_of(a) < order_of(b);
}

TimelineMessage message_of(const Trace& trace, RankIndex receiver, const Receive& receive) {
  const LogicalRank& rank = trace.ranks()[receiver];
  const RankIndex sender = rank.sender_of(receive);
  const LogicalRank& from = trace.ranks()[sender];
  const Send& send = from.sends[receive.send];
  const MpiCall& call = rank.calls[receive.call];
  return {trace.number_of(sender, from.calls[send.call].thread), trace.number_of(receiver, call.thread), send.time,
          call.leave(), send.bytes};
}

TimelineMessage launch_of(const Trace& trace, RankIndex rank, ThreadIndex queue, const Execution& work) {
  const DeviceCall& call = trace.ranks()[rank].device_calls[work.launch];
  return {trace.number_of(rank, call.thread), trace.number_of(rank, queue), call.enter.time, work.begin, work.bytes};
}

// Calls visit(message) for each that was received, and for each launch that began.
template <class Visit>
void for_each_message(const Trace& trace, Visit visit) {
  for (const RankIndex rank : trace.ranks().ids()) {
    for (const Receive& receive : trace.ranks()[rank].receives)
      if (receive.is_matched()) visit(message_of(trace, rank, receive));
    for (const ThreadIndex t : trace.ranks()[rank].threads.ids())
      for (const Execution& work : trace.ranks()[rank].threads[t].executions)
        if (work.launch.is_valid()) visit(launch_of(trace, rank, t, work));
  }
}

TimelineOperation operation_of(const Trace& trace, const CollectiveInstance& instance) {
  TimelineOperation operation;
  for (std::size_t i = 0; i < instance.size(); ++i)
    operation.push_back(
        {trace.number_of(instance.members[i].rank_index, instance[i].thread), instance[i].started, instance[i].end});
  return operation;
}

}  // namespace

void add_messages(const Trace& trace, std::size_t most, std::vector<EventWindow>& windows) {
  for_each_message(trace, [&](const TimelineMessage& message) {
    for (EventWindow& window : windows) {
      if (!window.overlaps(std::min(message.sent, message.received), std::max(message.sent, message.received)))
        continue;
      window.messages.push_back(message);
      if (window.messages.size() > 2 * most) keep_first(window.messages, most, is_slower, window.messages_left_out);
    }
  });
  for (EventWindow& window : windows) {
    keep_first(window.messages, most, is_slower, window.messages_left_out);
    std::ranges::sort(window.messages, [](const auto& a, const auto& b) { return order_of(a) < order_of(b); });
  }
}

// The operations come from several workers, in any order. Members count: an operation may have thousands of them.
void add_operations(const Trace& trace, std::size_t most, std::vector<EventWindow>& windows) {
  std::mutex mutex;
  CollectiveMatcher(trace).for_each([&](const CollectiveInstance& instance) {
    const TimelineOperation operation = operation_of(trace, instance);
    const auto [begin, end] = span_of(operation);
    const std::size_t most_here = std::max<std::size_t>(most / operation.size(), 1);
    const std::lock_guard lock(mutex);
    for (EventWindow& window : windows) {
      if (!window.overlaps(begin, end)) continue;
      window.operations.push_back(operation);
      if (window.operations.size() > 2 * most_here && window.operations.size() > 2 * most)
        keep_first(window.operations, most, is_longer_operation, window.operations_left_out);
    }
  });
  for (EventWindow& window : windows) {
    std::ranges::sort(window.operations, is_longer_operation);
    std::size_t members = 0, kept = 0;
    while (kept < window.operations.size() &&
           members + window.operations[kept].size() <= std::max<std::size_t>(most, window.operations[0].size()))
      members += window.operations[kept++].size();
    window.operations_left_out += window.operations.size() - kept;
    window.operations.resize(kept);
    std::ranges::sort(window.operations, [](const auto& a, const auto& b) { return order_of(a) < order_of(b); });
  }
}

void add_critical_path(const PathStretches& stretches, std::vector<EventWindow>& windows) {
  for (EventWindow& window : windows)
    for (const PathStretch& stretch : stretches)
      if (stretch.begin < stretch.end && window.overlaps(stretch.begin, stretch.end))
        window.critical.push_back(stretch);
}

}  // namespace tarry
