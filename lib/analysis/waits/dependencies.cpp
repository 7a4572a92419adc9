// dependencies.cpp -- which member waits for which one, in collectives where not all wait for all.
#include "analysis/waits/dependencies.hpp"

#include <algorithm>

namespace tarry {

void Dependencies::note(std::size_t waiter, std::size_t needed) {
  const std::size_t known = cause_[waiter];
  const auto order = [&](std::size_t member) { return instance_[member].started; };
  const bool is_earlier =
      known != instance_.size() && std::pair(order(known), needed) > std::pair(order(needed), known);
  if (!is_earlier) cause_[waiter] = needed;
}

void Dependencies::add(std::size_t waiting, std::size_t needed) {
  if (instance_[needed].started < instance_[waiting].end) note(waiting, needed);
}

void Dependencies::add(const Which& waiting, const Which& needed) {
  std::vector<std::size_t> sorted;
  for (std::size_t i = 0; i < instance_.size(); ++i)
    if (needed(i)) sorted.push_back(i);
  // The lowest rank of equal ones is last.
  std::sort(sorted.begin(), sorted.end(), [&](std::size_t a, std::size_t b) {
    return instance_[a].started != instance_[b].started ? instance_[a].started < instance_[b].started : a > b;
  });
  for (std::size_t i = 0; i < instance_.size(); ++i) {
    if (!waiting(i)) continue;
    const auto later = std::partition_point(
        sorted.begin(), sorted.end(), [&](std::size_t member) { return instance_[member].started < instance_[i].end; });
    if (later != sorted.begin()) note(i, *std::prev(later));
  }
}

void Dependencies::add_prefix() {
  std::size_t last = instance_.size();
  for (std::size_t i = 0; i < instance_.size(); ++i) {
    const Collective& part = instance_[i];
    if (part.sent > 0 && (last == instance_.size() || part.started > instance_[last].started)) last = i;
    if (last != instance_.size() && (part.sent > 0 || part.received > 0)) note(i, last);
  }
}

void Dependencies::settle() const {
  std::vector<std::vector<WorldRank>> waiters(instance_.size());  // by cause
  for (std::size_t i = 0; i < instance_.size(); ++i) {
    const Collective& part = instance_[i];
    CollectiveWait& found = instance_.found(i);
    found.is_pairwise = true;
    const Ticks begin = part.waits_from();
    found.completion = std::max<Ticks>(0, part.end - begin);
    if (cause_[i] == instance_.size()) continue;
    const Collective& cause = instance_[cause_[i]];
    found.cause = instance_.world_rank(cause_[i]);
    found.cause_index = cause.index;
    found.wait = std::max<Ticks>(0, std::min(cause.started, part.end) - begin);
    if (found.wait == 0) continue;
    found.completion -= found.wait;
    found.is_synchronised = true;
    found.partners = CollectiveWait::Partners::kCause;
    waiters[cause_[i]].push_back(instance_.world_rank(i));
  }
  for (std::size_t i = 0; i < instance_.size(); ++i) {
    if (waiters[i].empty()) continue;
    CollectiveWait& found = instance_.found(i);
    const bool is_nonblocking = instance_[i].is_nonblocking;
    found.makes_wait = true;
    // Where the same record has a wait of its own, it has one more partner.
    if (found.wait > 0 && !is_nonblocking) waiters[i].push_back(found.cause);
    found.list = instance_.lists().add(std::move(waiters[i]));
    if (is_nonblocking) continue;
    found.is_synchronised = true;
    found.partners = CollectiveWait::Partners::kList;
  }
}

}  // namespace tarry
