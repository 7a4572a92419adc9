// call_sites.hpp -- regions as they are called from one place: two calls of MPI_Send in one function are two.
//
// A region and the return address of its call together have a number of their own in the events. It is found in a table
// of fixed size that is read without a lock, and added when the call is seen first.
//
// Calls: handler-safe.
#pragma once

#include <cstdint>

#include "defs/definitions.hpp"

namespace tarry::measure {

/// The place of a call: in compiled code the return address, in Python the latest instruction of a function.
struct CallSite {
  std::uintptr_t place = 0;  // the return address, or the key of the function; 0: not known
  std::uintptr_t code = 0;   // the function's code object
  std::uint32_t instruction = 0;

  explicit operator bool() const { return place != 0; }

  /// Another number for another place, nearly always; 0 for none. Functions are often as far apart as their calls.
  /// So the numbers of near places differ in more bits than the places do.
  std::uintptr_t mark() const { return (place * 0xd6e8feb86659fd93u) ^ (instruction * 0x9e3779b97f4a7c15u); }
};

/// The number of `region` as it is called from `site`; for callers that hold their gate. That of the region itself if
/// the site is not known or the table is full. Also in a signal handler that cannot define it now.
RegionId region_at_site(RegionId region, const CallSite& site);

/// The code between two addresses has been unloaded.
/// Calls: may block.
void forget_sites(std::uintptr_t begin, std::uintptr_t end);

}  // namespace tarry::measure
