// barrier_scan.cpp -- the part of the pass over the events that keeps visits of OpenMP barriers by one thread.
#include "replay/scan/barrier_scan.hpp"

namespace tarry {

void BarrierScan::enter(OpenVisit& visit, ForkIndex fork, std::uint64_t team, bool is_explicit) {
  visit.barrier = thread_.logical.barriers.next_id();
  thread_.logical.barriers.push_back({.enter = visit.enter,
                                      .leave = visit.enter,
                                      .ready = visit.enter,
                                      .path = visit.path,
                                      .calls_before = static_cast<std::uint32_t>(thread_.rank.calls.size()),
                                      .fork = fork,
                                      .team = team,
                                      .is_explicit = is_explicit});
}

}  // namespace tarry
