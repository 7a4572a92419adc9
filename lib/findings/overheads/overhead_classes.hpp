// overhead_classes.hpp -- the classes of overhead that SCALEA knows, as a tree: the rows of overhead_classes.def.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace tarry {

enum class Overhead : std::uint8_t {
#define OVERHEAD(id, ...) k##id,
#include "findings/overheads/overhead_classes.def"
  kCount,
  kNone = kCount,
};

inline constexpr std::size_t kOverheadCount = static_cast<std::size_t>(Overhead::kCount);

/// Where the time of a class comes from.
enum class OverheadSource : std::uint8_t {
  kParts,     // the sum of the classes below it
  kTimed,     // recorded times
  kCounted,   // recorded events, and the user's cost of one
  kCompared,  // recorded times of this run and of a reference run
  kHidden,    // not observable
};

struct OverheadInfo {
  Overhead overhead;
  Overhead parent;
  const char* mnemonic;  // "ODATA_SEND"
  const char* name;
  OverheadSource source;
  const char* definition;  // of a hidden class: why it is not observable
};

/// In the order of output: parents before children.
std::span<const OverheadInfo> overhead_classes();

const OverheadInfo& info_of(Overhead overhead);

/// By its mnemonic, in capitals or not.
std::optional<Overhead> find_overhead(std::string_view mnemonic);

/// True if `part` is `whole` or below it.
bool is_within(Overhead part, Overhead whole);

/// True if it has no parts.
inline bool is_leaf(Overhead overhead) { return info_of(overhead).source != OverheadSource::kParts; }

/// Levels above it.
std::size_t depth_of(Overhead overhead);

}  // namespace tarry
