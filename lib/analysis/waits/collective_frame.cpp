// collective_frame.cpp -- what all collective patterns share: who waits for whom until when.
#include <algorithm>
#include <limits>

#include "analysis/waits/pattern.hpp"

namespace tarry {

void settle(const CollectiveInstance& instance, std::size_t cause, Ticks earliest_end) {
  const Ticks begin_of_cause = instance[cause].begin;
  for (std::size_t i = 0; i < instance.size(); ++i) {
    Collective& part = instance[i];
    if (!part.is_synchronised) continue;
    const Ticks until = std::min(begin_of_cause, part.end);
    part.cause = instance.members[cause].world_rank;
    part.cause_index = instance[cause].index;
    part.wait = std::max<Ticks>(0, until - part.begin);
    part.completion = std::max<Ticks>(0, part.end - std::max(earliest_end, until));
  }
}

void synchronise_everybody(const CollectiveInstance& instance) {
  for (std::size_t i = 0; i < instance.size(); ++i) {
    instance[i].is_synchronised = true;
    instance[i].partners = Collective::Partners::kEverybody;
  }
}

std::uint32_t synchronised_members(const CollectiveInstance& instance, std::size_t except) {
  std::vector<std::uint32_t> list;
  for (std::size_t i = 0; i < instance.size(); ++i)
    if (instance[i].is_synchronised && i != except) list.push_back(instance.members[i].world_rank);
  return instance.world.add_partner_list(std::move(list));
}

void synchronise_one_another(const CollectiveInstance& instance) {
  const std::uint32_t list = synchronised_members(instance, instance.size());
  for (std::size_t i = 0; i < instance.size(); ++i) {
    if (!instance[i].is_synchronised) continue;
    instance[i].list = list;
    instance[i].partners = Collective::Partners::kList;
  }
}

Ticks earliest_end(const CollectiveInstance& instance) {
  Ticks earliest = std::numeric_limits<Ticks>::max();
  for (std::size_t i = 0; i < instance.size(); ++i)
    if (instance[i].is_synchronised) earliest = std::min(earliest, instance[i].end);
  return earliest;
}

}  // namespace tarry
