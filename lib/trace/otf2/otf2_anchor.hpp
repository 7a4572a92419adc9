// otf2_anchor.hpp -- looks at an OTF2 anchor file before OTF2's library does.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "base/result.hpp"

namespace tarry {

/// The library believes the counts and text ends of an anchor file: a wrong one keeps it busy for hours, or takes all
/// memory. Fails, naming `path`, unless texts end within the file, it has as many properties as it states, and buffers
/// have a size that OTF2 allows. The layout:
///   byte order at 1, mark at 2, version at 7, buffer sizes at 12 and 20, substrate and compression at 28,
///   counts of locations and definitions at 30 and 38,
///   then texts that end with a zero byte (machine, creator, description), the number of properties, their names and
///   values
Status check_otf2_anchor(std::span<const std::uint8_t> bytes, const std::string& path);

/// Of the anchor file, which must be a regular one.
Status check_otf2_anchor(const std::string& path);

/// Fails if there is something at `path` that is no regular file: OTF2's library would open it.
Status check_otf2_file(const std::string& path);

}  // namespace tarry
