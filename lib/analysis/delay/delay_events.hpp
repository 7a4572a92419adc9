// delay_events.hpp -- single delays: when a thread kept others waiting, on which call path, and what that costs them.
#pragma once

#include <vector>

#include "analysis/delay/delay_propagation.hpp"
#include "report/metrics/metrics.hpp"

namespace tarry {

/// What a thread did in some interval instead of what others waited for, as far as it costs waits of one kind. All
/// events of a metric together have its value.
struct DelayEvent {
  Metric metric = Metric::kNone;  // of short-term or of long-term costs
  RankIndex rank{};
  ThreadIndex thread{};
  PathIndex path = kNoPath;  // a unified one: the one that costs most
  Ticks begin = 0;           // when it was last together with those who wait,
  Ticks end = 0;             // and when it came to what they waited for
  double cost = 0;           // in ticks
  std::uint32_t waits = 0;   // how many waits were caused directly
};

/// In order of ranks, and of time for each.
using DelayEvents = std::vector<DelayEvent>;

/// Collects those of one process. Waits for one thread that began and ended the same interval make one event.
class DelayEventCollector {
 public:
  DelayEventCollector(const DelayContext& context, RankIndex rank, const WaitCosts& costs)
      : context_(context), rank_(rank), costs_(costs) {}

  /// A wait that is charged to call paths. `shares`: long-term costs of each tick of the delay.
  void add(const DelayInstance& instance, const Rows<PathTime>& excess, const CostByClass& shares);

  /// A wait that is charged to the operation that was waited for.
  void add_operation(const DelayInstance& instance, PathIndex path, double wait, const CostByClass& long_term);

  DelayEvents take();

 private:
  struct Key {
    ThreadIndex thread;
    Metric metric;
    Ticks begin, end;

    bool operator==(const Key&) const = default;
    std::uint64_t hash() const;
  };
  struct Place {
    std::size_t event = 0;
    double largest = -1;  // what one wait charges to the event's call path
  };
  // Costs of one wait: of its kind at once, and of all kinds later.
  struct Charge {
    PathIndex path;
    double short_term, of_path;  // all, and the part of the path
  };

  void book(const DelayInstance& instance, const Charge& charge, const CostByClass& shares, double factor);
  void book(const Key& key, PathIndex path, double cost, double of_path, std::uint32_t waits);

  const DelayContext& context_;
  const RankIndex rank_;
  const WaitCosts& costs_;
  FlatMap<Key, Place> places_;
  DelayEvents events_;
};

}  // namespace tarry
