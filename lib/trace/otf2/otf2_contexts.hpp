// otf2_contexts.hpp -- calling contexts of an OTF2 trace: what a thread entered and left between two of its records.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "defs/definitions.hpp"
#include "trace/record_extras.hpp"

namespace tarry {

/// Paths that are deeper are taken for damaged.
inline constexpr std::uint32_t kDeepestContext = 65'536;

/// A node of the tree of calling contexts: a region that was called from the node `parent`.
struct Otf2ContextNode {
  static constexpr std::uint32_t kNone = 0xffffffffu;

  RegionId region;
  std::uint32_t parent = kNone;
  std::uint32_t depth = 1;  // nodes from the root to this one
};

/// The path that one thread has open. A record names the node where the thread is. It also tells how many nodes at the
/// end of its path were entered since the record before. So it follows what the thread left and entered in between.
class Otf2OpenPath {
 public:
  explicit Otf2OpenPath(std::span<const Otf2ContextNode> nodes) : nodes_(nodes) {}

  /// Leaves what is not on the path to `node` and enters what is new. `entered`: of the nodes at its end those that are
  /// entered anew, even if they were open. `leave` and `enter` get a RegionId.
  template <class Leave, class Enter>
  void move_to(std::uint32_t node, std::uint32_t entered, Leave&& leave, Enter&& enter);

  /// An instrumented region: only a record of its own leaves it at the end.
  void mark_instrumented() {
    if (!open_.empty()) open_.back().is_instrumented = true;
  }

  /// Leaves the last region.
  template <class Leave>
  void pop(Leave&& leave) {
    leave(region_of(open_.back()));
    open_.pop_back();
  }

  /// Leaves the regions of samples at the end of the location.
  template <class Leave>
  void end(Leave&& leave) {
    while (!open_.empty() && !open_.back().is_instrumented) pop(leave);
  }

 private:
  struct Open {
    std::uint32_t node = Otf2ContextNode::kNone;
    bool is_instrumented = false;
  };

  RegionId region_of(const Open& open) const { return nodes_[open.node].region; }
  /// How many open nodes are on the path to the last of `path`, which is complete from the root.
  std::size_t count_common(std::span<const std::uint32_t> path) const;
  /// The nodes from the root to `node`.
  std::span<const std::uint32_t> path_to(std::uint32_t node);

  std::span<const Otf2ContextNode> nodes_;
  std::vector<Open> open_;
  std::vector<std::uint32_t> path_;
};

template <class Leave, class Enter>
void Otf2OpenPath::move_to(std::uint32_t node, std::uint32_t entered, Leave&& leave, Enter&& enter) {
  const auto path = path_to(node);
  const std::size_t not_entered = path.size() - std::min<std::size_t>(entered, path.size());
  const std::size_t kept = std::min(count_common(path), not_entered);
  while (open_.size() > kept) pop(leave);
  for (std::size_t i = kept; i < path.size(); ++i) {
    open_.push_back({path[i]});
    enter(region_of(open_.back()));
  }
}

/// Whether an extra comes from a record of a calling context. Such records are true only if all of them are there.
bool is_of_calling_context(ExtraRole role, std::span<const std::uint8_t> payload);

}  // namespace tarry
