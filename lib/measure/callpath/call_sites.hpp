// call_sites.hpp -- regions as they are called from one place: two calls of MPI_Send in one function are two.
//
// A region and the return address of its call together have a number of their own in the events. It is found in a table
// of fixed size that is read without a lock, and added when the call is seen first.
#pragma once

#include <cstdint>

namespace tarry::measure {

/// The number of `region` as it is called from `return_address`. That of the region itself if the table is full, or if
/// a signal handler cannot define it at the moment. For callers that hold their gate.
std::uint32_t region_at_site(std::uint32_t region, std::uintptr_t return_address);

/// The code between two addresses has been unloaded.
void forget_sites(std::uintptr_t begin, std::uintptr_t end);

}  // namespace tarry::measure
