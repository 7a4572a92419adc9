// function_regions.hpp -- which region a function or user region is: by its key, from its first sight on.
//
// A key is the address of a function, or of the description of a user region. For iterations and parameters it is a
// number made of such an address and a value. Names are found at the end, or on the first sight of a key if a filter
// has to know them.
//
// Calls: handler-safe.
#pragma once

#include <cstdint>
#include <string>

#include "defs/definitions.hpp"
#include "measure/callpath/region_map.hpp"

namespace tarry {
class RegionFilter;
}

namespace tarry::measure {

/// What is known about a key that is seen for the first time.
struct KeyFacts {
  const char* name = nullptr;  // nullptr: a function, to be looked up by its address
  const char* file = "";
  std::uint32_t line = 0;
  RegionRole role = RegionRole::kFunction;
  static constexpr long long kFurtherNumbers = -1;
  long long number = 0;  // "name=number", if `has_number`; kFurtherNumbers represents all beyond the bound
  bool has_number = false;
  const char* text = nullptr;   // "name=text"
  bool is_interpreted = false;  // `name` is a function of a script
  bool is_main = false;         // the function where the program begins, whether it has a symbol or not
};

/// The region of a key that has been seen, or is seen now. kFiltered if it is not to be recorded, kUnknownRegion while
/// nothing is recorded.
RegionId region_of_key(std::uintptr_t key, const KeyFacts& facts);

/// The region of a function that was found on the stack; kFiltered also for one of a runtime library. For callers that
/// hold their gate.
/// In a signal handler kUnknownRegion if it cannot be defined at the moment.
RegionId region_of_unwound(std::uintptr_t function, bool is_main);

/// The region of a function of a script that was found on the stack. For callers that hold their gate.
RegionId region_of_interpreted(std::uintptr_t key, const KeyFacts& facts);

/// Defines a region as it is called from one place. kUnknownRegion in a signal handler that cannot do that at the
/// moment. For one caller at a time, which holds its gate.
RegionId define_at_site(RegionId region, std::uintptr_t return_address);

/// The same for a call on a line of a script.
RegionId define_at_line(RegionId region, const std::string& file, std::uint32_t line);

/// A function that is part of a construct of OpenMP; kOutlined.
RegionId mark_outlined(std::uintptr_t function);

/// From here on the OpenMP runtime tells of all constructs: the functions that it calls are parts of them.
void expect_outlined_calls();

/// Whether `function`, which is called from there, is one of these.
bool is_outlined_call(std::uintptr_t function, std::uintptr_t return_address);

/// A function on the stack that is not to be recorded; kFiltered.
RegionId filter_key(std::uintptr_t key);

/// The function is counted and not recorded from here on: its key gets a throttled region. Later once more if that
/// cannot be now.
void throttle_key(std::uintptr_t key);

/// The region of a throttled function, by its number.
RegionId throttled_region(std::uint32_t number);

/// Nothing is recorded any more: the next calls of a function cost as much as those of a filtered one. Takes no system
/// call.
void filter_while_off(std::uintptr_t key);

/// From here on signal handlers may ask for regions.
/// Calls: may block.
void prepare_for_handlers();

/// The functions between two addresses have been unloaded.
/// Calls: may block.
void forget_regions(std::uintptr_t begin, std::uintptr_t end);

/// The rules of TARRY_FILTER. Valid while is_recording().
/// Calls: may block.
const RegionFilter& region_filter();

/// All threads are closed: looks up the names of all functions. From here on all keys are filtered.
/// Calls: at end only.
void name_functions_at_end();

}  // namespace tarry::measure
