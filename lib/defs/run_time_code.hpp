// run_time_code.hpp -- code that a program makes while it runs, and what its runtime tells profilers about it.
//
// Runtimes write a line for each function into /tmp/perf-PID.map, or a record into jit-PID.dump. Both are files that
// the program may have spoiled: they are read in bounded memory and time, and names are cut and cleaned.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "defs/code_places.hpp"
#include "defs/piece_reader.hpp"

namespace tarry {

/// A place in such code.
struct RunTimeCode {
  std::uint64_t address = 0;
  std::int64_t seen_ns = 0;  // when it was seen first, by CLOCK_MONOTONIC
  std::string name;          // of its function, as the runtime tells it; empty: not known
  std::uint32_t id = 0;      // for the one who asks
};

/// Where the name of a function lies in a file.
struct NameInFile {
  std::uint64_t offset = 0;
  std::uint32_t length = 0;  // 0: nowhere
};

/// More than a function has: what claims to be larger is a fault.
inline constexpr std::uint64_t kMostCodeBytes = std::uint64_t{1} << 26;

/// Of names, what is longer is cut.
inline constexpr std::size_t kMostNameBytes = 1024;

/// The places, in ascending order, that lie in the function that begins there. None if it is too large.
std::span<RunTimeCode> places_in(std::span<RunTimeCode> places, std::uint64_t begin, std::uint64_t bytes);

/// The name as reports can show it: valid, readable, not too long.
std::string read_name(PieceReader& file, const NameInFile& name);

/// What such a name says. That of V8 for JavaScript has how far the code is optimised, and the place in the source:
/// "JS:*solve /home/me/app.js:12:16" is solve().
CodePlace place_of_run_time_code(const std::string& name);

/// Fills in the names of these places of process `pid`, which is this one, as far as they are known.
void name_run_time_code(std::vector<RunTimeCode>& places, int pid);

}  // namespace tarry
