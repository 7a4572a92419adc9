// collective_frame.cpp -- what all collective patterns share: who waits for whom until when.
#include <algorithm>
#include <limits>

#include "analysis/waits/pattern.hpp"

namespace tarry {

void settle(const CollectiveOperation& instance, std::size_t cause, Ticks earliest_end) {
  const Ticks begin_of_cause = instance[cause].begin;
  for (std::size_t i = 0; i < instance.size(); ++i) {
    CollectiveWait& found = instance.found(i);
    if (!found.is_synchronised) continue;
    const Collective& part = instance[i];
    const Ticks until = std::min(begin_of_cause, part.end);
    found.cause = instance.world_rank(cause);
    found.cause_index = instance[cause].index;
    found.wait = std::max<Ticks>(0, until - part.begin);
    found.completion = std::max<Ticks>(0, part.end - std::max(earliest_end, until));
  }
}

void synchronise_everybody(const CollectiveOperation& instance) {
  for (std::size_t i = 0; i < instance.size(); ++i) {
    instance.found(i).is_synchronised = true;
    instance.found(i).partners = CollectiveWait::Partners::kEverybody;
  }
}

PartnerListIndex synchronised_members(const CollectiveOperation& instance, std::size_t except) {
  std::vector<WorldRank> list;
  for (std::size_t i = 0; i < instance.size(); ++i)
    if (instance.found(i).is_synchronised && i != except) list.push_back(instance.world_rank(i));
  return instance.lists().add(std::move(list));
}

void synchronise_one_another(const CollectiveOperation& instance) {
  const PartnerListIndex list = synchronised_members(instance, instance.size());
  for (std::size_t i = 0; i < instance.size(); ++i) {
    CollectiveWait& found = instance.found(i);
    if (!found.is_synchronised) continue;
    found.list = list;
    found.partners = CollectiveWait::Partners::kList;
  }
}

Ticks earliest_end(const CollectiveOperation& instance) {
  Ticks earliest = std::numeric_limits<Ticks>::max();
  for (std::size_t i = 0; i < instance.size(); ++i)
    if (instance.found(i).is_synchronised) earliest = std::min(earliest, instance[i].end);
  return earliest;
}

}  // namespace tarry
