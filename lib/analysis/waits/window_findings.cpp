// window_findings.cpp -- what the one-sided patterns find on a window, on its way to the processes that waited.
#include "analysis/waits/window_findings.hpp"

#include <algorithm>
#include <tuple>

namespace tarry {
namespace {

// In the order of records, whichever window they come from; the longest of one kind and record.
void arrange_findings(RankWaits& rank) {
  Rows<WindowWait>& waits = rank.windows;
  std::sort(waits.begin(), waits.end(), [](const WindowWait& a, const WindowWait& b) {
    const auto order = [](const WindowWait& w) {
      return std::tuple(w.record, w.kind, -w.wait, w.cause_rank, w.cause_record);
    };
    return order(a) < order(b);
  });
  const auto is_same = [](const WindowWait& a, const WindowWait& b) {
    return a.record == b.record && a.kind == b.kind;
  };
  waits.resize(static_cast<std::size_t>(std::unique(waits.begin(), waits.end(), is_same) - waits.begin()));
  std::sort(rank.window_pairs.begin(), rank.window_pairs.end(),
            [](const WindowPairs& a, const WindowPairs& b) { return a.record < b.record; });
  waits.finish();
  rank.window_pairs.finish();
}

}  // namespace

void WindowFindings::add_wait(WindowPart waiter, WindowWait::Kind kind, Ticks begin, Ticks wait, WindowPart cause) {
  if (wait <= 0) return;
  waits_.push_back({waiter.rank,
                    {.begin = begin,
                     .wait = wait,
                     .record = waiter.record->index,
                     .cause_rank = cause.rank,
                     .cause_record = cause.record->index,
                     .cause_path = cause.record->path,
                     .cause_thread = cause.record->thread,
                     .kind = kind}});
}

void deliver(const Trace& trace, std::span<const WindowFindings> all, FoundWaits& into) {
  std::vector<MessageBuffer> waits(static_cast<std::size_t>(trace.exchange().size())), pairs(waits.size());
  const auto deliver_one = [&](const auto& found, auto rows, std::vector<MessageBuffer>& buffers) {
    if (trace.is_hosted(found.rank)) return (into.ranks[found.rank].*rows).push_back(found.finding);
    buffers[static_cast<std::size_t>(trace.host_of(found.rank))].put(found);
  };
  for (const WindowFindings& findings : all) {
    for (const auto& found : findings.waits_) deliver_one(found, &RankWaits::windows, waits);
    for (const auto& found : findings.pairs_) deliver_one(found, &RankWaits::window_pairs, pairs);
  }
  if (trace.exchange().size() > 1) {
    for (MessageBuffer& arrived : trace.exchange().all_to_all(std::move(waits)))
      while (!arrived.is_read())
        deliver_one(arrived.get<WindowFindings::OfRank<WindowWait>>(), &RankWaits::windows, waits);
    for (MessageBuffer& arrived : trace.exchange().all_to_all(std::move(pairs)))
      while (!arrived.is_read())
        deliver_one(arrived.get<WindowFindings::OfRank<WindowPairs>>(), &RankWaits::window_pairs, pairs);
  }
  trace.for_each_hosted([&](RankIndex r) { arrange_findings(into.ranks[r]); });
}

}  // namespace tarry
