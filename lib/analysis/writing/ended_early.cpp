// ended_early.cpp -- which processes were killed or left, in words for people.
#include "analysis/writing/ended_early.hpp"

#include <algorithm>
#include <limits>

#include "base/text/format.hpp"
#include "defs/early_ends.hpp"

namespace tarry {
namespace {

constexpr std::size_t kRangesNamed = 5;

struct EarlyEnd {
  std::int64_t rank = 0;
  Ticks last = 0;  // time of the last event
};

// Of the processes that are hosted here.
std::vector<EarlyEnd> own_early_ends(const Trace& trace) {
  std::vector<EarlyEnd> ends;
  for (const Process& process : trace.definitions().processes) {
    const RankIndex index = trace.index_of(WorldRank(process.rank));
    if (process.is_complete || !index.is_valid() || !trace.is_hosted(index)) continue;
    EarlyEnd end{process.rank, std::numeric_limits<Ticks>::min()};
    for (const LogicalThread& thread : trace.ranks()[index].threads) end.last = std::max(end.last, thread.last_time);
    ends.push_back(end);
  }
  return ends;
}

std::vector<EarlyEnd> all_early_ends(const Trace& trace) {
  MessageBuffer own;
  own.put_all(own_early_ends(trace));
  std::vector<EarlyEnd> ends;
  for (MessageBuffer& arrived : trace.exchange().share(std::move(own))) {
    const auto of_process = arrived.get_all<EarlyEnd>();
    ends.insert(ends.end(), of_process.begin(), of_process.end());
  }
  return ends;
}

std::string after(const Trace& trace, const EarlyEnd& end) {
  return " after " + format_seconds(std::max(0.0, trace.seconds(end.last - trace.definitions().clock.origin)));
}

std::string tell_ranks(const std::vector<EarlyEnd>& ends) {
  std::vector<std::int64_t> ranks;
  for (const EarlyEnd& end : ends) ranks.push_back(end.rank);
  const std::string people = ranks.size() == 1 ? "rank " : "ranks ";
  return people + format_ranges(std::move(ranks), kRangesNamed);
}

// Takes those from `ends` whose recorders have ended before them.
std::string tell_ended_recordings(const Trace& trace, std::vector<EarlyEnd>& ends) {
  std::string why;
  const auto has_ended = [&](const EarlyEnd& end) {
    const std::string reason = why_recording_ended(trace.definitions(), end.rank);
    if (why.empty()) why = reason;
    return !reason.empty() && reason == why;
  };
  const auto rest = std::stable_partition(ends.begin(), ends.end(), has_ended);
  const std::vector<EarlyEnd> ended(ends.begin(), rest);
  ends.erase(ends.begin(), rest);
  if (ended.empty()) return "";
  const auto first = std::ranges::min_element(ended, {}, &EarlyEnd::last);
  return "the recording of " + tell_ranks(ended) + " ended" + after(trace, *first) + ": " + why;
}

// Takes the one from `ends` that the others have ended with, or else the one that was first.
std::string tell_first(const Trace& trace, std::vector<EarlyEnd>& ends) {
  const auto abort = first_abort(trace.definitions());
  auto first = std::ranges::find_if(ends, [&](const EarlyEnd& end) { return abort && end.rank == abort->rank; });
  const bool is_abort = first != ends.end();
  if (!is_abort) first = std::ranges::min_element(ends, {}, &EarlyEnd::last);
  const std::string text = "rank " + std::to_string(first->rank) + " " +
                           (is_abort ? what_it_did(*abort) : "was killed or left") + after(trace, *first) +
                           (is_abort ? "" : ", without closing its recording");
  ends.erase(first);
  return text;
}

}  // namespace

std::string tell_early_ends(const Trace& trace) {
  std::vector<EarlyEnd> ends = all_early_ends(trace);
  std::string text;
  for (std::string ended; !(ended = tell_ended_recordings(trace, ends)).empty();)
    text += (text.empty() ? "" : "; ") + ended;
  if (ends.empty()) return text;
  text += (text.empty() ? "" : "; ") + tell_first(trace, ends);
  return ends.empty() ? text : text + "; then " + tell_ranks(ends);
}

}  // namespace tarry
