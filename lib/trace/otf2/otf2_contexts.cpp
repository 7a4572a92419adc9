// otf2_contexts.cpp -- compares the open path of a thread with the next one.
#include "trace/otf2/otf2_contexts.hpp"

#include <algorithm>

#include "trace/otf2/otf2_events.hpp"

namespace tarry {

std::span<const std::uint32_t> Otf2OpenPath::path_to(std::uint32_t node) {
  path_.resize(nodes_[node].depth);
  for (std::size_t i = path_.size(); i-- > 0; node = nodes_[node].parent) path_[i] = node;
  return path_;
}

std::size_t Otf2OpenPath::count_common(std::span<const std::uint32_t> path) const {
  const auto is_same = [](const Open& open, std::uint32_t node) { return open.node == node; };
  const auto differs = std::mismatch(open_.begin(), open_.end(), path.begin(), path.end(), is_same);
  return static_cast<std::size_t>(differs.first - open_.begin());
}

bool is_of_calling_context(ExtraRole role, std::span<const std::uint8_t> payload) {
  if (role == ExtraRole::kDerived) return true;
  if (role == ExtraRole::kAttributes || payload.empty()) return false;
  const auto code = static_cast<Otf2Code>(payload.front());
  using enum Otf2Code;
  return code == CallingContextEnter || code == CallingContextLeave || code == CallingContextSample;
}

}  // namespace tarry
