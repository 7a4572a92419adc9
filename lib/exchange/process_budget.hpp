// process_budget.hpp -- what --memory of a parallel tool is: a budget of each of its processes.
#pragma once

#include <cstdint>
#include <memory>

#include "base/arrays/memory_budget.hpp"
#include "exchange/exchange.hpp"

namespace tarry {

/// A budget of `bytes` bytes, with temporary files in temporary_folder(); none if `bytes` is 0. Fails at all processes
/// if it does at one. Collective.
Result<std::unique_ptr<MemoryBudget>> process_budget(std::uint64_t bytes, Exchange& exchange);

/// How many of `wanted` threads may work with `bytes` bytes of memory (0: as much as there is). Each has buffers of its
/// own, and several arrays at hand.
unsigned workers_within(std::uint64_t bytes, unsigned wanted);

}  // namespace tarry
