// overhead_classes.cpp -- the tree of overheads as a table.
#include "findings/overheads/overhead_classes.hpp"

#include <algorithm>
#include <cctype>
#include <string>

namespace tarry {
namespace {

using enum OverheadSource;

constexpr OverheadInfo kClasses[] = {
#define OVERHEAD(id, parent, mnemonic, name, source, definition) \
  {Overhead::k##id, Overhead::k##parent, mnemonic, name, source, definition},
#include "findings/overheads/overhead_classes.def"
};
static_assert(std::size(kClasses) == kOverheadCount);

}  // namespace

std::span<const OverheadInfo> overhead_classes() { return kClasses; }

const OverheadInfo& info_of(Overhead overhead) { return kClasses[static_cast<std::size_t>(overhead)]; }

std::optional<Overhead> find_overhead(std::string_view mnemonic) {
  std::string capitals;
  for (const char c : mnemonic) capitals.push_back(static_cast<char>(std::toupper(static_cast<unsigned char>(c))));
  const auto* const found = std::ranges::find(kClasses, capitals, &OverheadInfo::mnemonic);
  if (found == std::end(kClasses)) return std::nullopt;
  return found->overhead;
}

bool is_within(Overhead part, Overhead whole) {
  while (part != Overhead::kNone && part != whole) part = info_of(part).parent;
  return part == whole;
}

std::size_t depth_of(Overhead overhead) {
  std::size_t depth = 0;
  for (; info_of(overhead).parent != Overhead::kNone; overhead = info_of(overhead).parent) ++depth;
  return depth;
}

}  // namespace tarry
