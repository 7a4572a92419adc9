// window_waits.cpp -- the waits of windows of a timeline, each with the wait of its cause that passed it on.
#include <algorithm>
#include <map>
#include <tuple>

#include "analysis/timeline/choose_windows.hpp"
#include "analysis/timeline/window_events.hpp"

namespace tarry {
namespace {

constexpr int kLongestChain = 12;

// Who waits, in which operation, how long.
using WaitPlace = std::tuple<RankIndex, ThreadIndex, Ticks, Ticks>;

WaitPlace place_of_wait(const WaitInstance& wait) { return {wait.rank, wait.thread, wait.enter, wait.full_wait}; }

WaitPlace place_behind(const WaitInstance& wait) {
  return {wait.cause.rank, wait.why.thread, wait.why.through_enter, wait.why.through_wait};
}

auto order_of_wait(const WaitInstance& wait) {
  return std::tuple(wait.rank, wait.thread, wait.begin, wait.full_wait, report_position(wait.metric), wait.enter,
                    wait.path);
}

bool has_wait_behind(const WaitInstance& wait) { return wait.why.is_known() && wait.why.through_wait > 0; }

class WindowWaits {
 public:
  WindowWaits(const Trace& trace, const Instances& instances) : trace_(trace) {
    for (const auto& [metric, kind] : instances)
      if (is_whole_wait(metric))
        for (const WaitInstance& wait : kind.worst) spans_.push_back({wait.begin, wait.begin + wait.full_wait, &wait});
  }

  void fill(EventWindow& window, std::size_t most) const {
    std::vector<const WaitInstance*> waits;
    for (const Span& span : spans_)
      if (window.overlaps(span.begin, span.end)) waits.push_back(span.wait);
    if (waits.size() > most) {
      const auto end = waits.begin() + static_cast<std::ptrdiff_t>(most);
      std::nth_element(waits.begin(), end, waits.end(), [](const auto* a, const auto* b) { return a->is_before(*b); });
      window.waits_left_out = waits.size() - most;
      waits.resize(most);
    }
    if (window.metric != Metric::kNone) add_chain(window.about, waits);
    std::sort(waits.begin(), waits.end(),
              [](const auto* a, const auto* b) { return order_of_wait(*a) < order_of_wait(*b); });
    waits.erase(std::unique(waits.begin(), waits.end()), waits.end());
    for (const WaitInstance* wait : waits) window.waits.push_back(with_rows(*wait));
    link(window.waits);
  }

 private:
  struct Span {
    Ticks begin, end;
    const WaitInstance* wait;
  };

  // What the window is about comes with all that lies behind it, also outside of the window.
  void add_chain(const WaitInstance& about, std::vector<const WaitInstance*>& waits) const {
    const WaitInstance* wait = &about;
    for (int i = 0; i < kLongestChain && has_wait_behind(*wait); ++i) {
      const WaitPlace wanted = place_behind(*wait);
      const Ticks last = wait->why.end;
      const auto found = std::ranges::find_if(spans_, [&](const Span& span) {
        return span.begin <= last && span.wait->rank == wait->cause.rank && place_of_wait(*span.wait) == wanted;
      });
      if (found == spans_.end()) return;
      waits.push_back(wait = found->wait);
    }
  }

  TimelineWait with_rows(const WaitInstance& wait) const {
    TimelineWait out{.facts = wait, .row = trace_.number_of(wait.rank, wait.thread)};
    out.has_cause = wait.cause.rank.is_valid();
    if (out.has_cause) out.cause_row = trace_.number_of(wait.cause.rank, wait.cause.thread);
    return out;
  }

  static void link(std::vector<TimelineWait>& waits) {
    std::map<WaitPlace, std::uint32_t> numbers;
    for (std::size_t i = 0; i < waits.size(); ++i)
      numbers.emplace(place_of_wait(waits[i].facts), static_cast<std::uint32_t>(i));
    for (TimelineWait& wait : waits) {
      if (!has_wait_behind(wait.facts)) continue;
      const auto found = numbers.find(place_behind(wait.facts));
      if (found != numbers.end()) wait.through = found->second;
    }
  }

  const Trace& trace_;
  std::vector<Span> spans_;
};

}  // namespace

void add_waits(const Trace& trace, const Instances& instances, std::size_t most, std::vector<EventWindow>& windows) {
  const WindowWaits waits(trace, instances);
  for (EventWindow& window : windows) waits.fill(window, most);
}

}  // namespace tarry
