// cause_analysis.hpp -- what a process did more than those who waited for it.
#pragma once

#include <cstdint>
#include <span>

#include "analysis/delay/delay_instances.hpp"
#include "analysis/delay/remote_waiters.hpp"
#include "analysis/delay/waiters.hpp"

namespace tarry {

/// Adds the instances of waits for a process: all waiters, or some that follow one another.
void analyse_cause(const DelayContext& context, RankIndex rank, std::span<const Waiter> waiters,
                   const RemoteWaiters& remote, DelayInstances& into);

}  // namespace tarry
