// call_path_tree.hpp -- the call tree of a report as lists of children, and the orders its rows are stored in.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "report/tree/report.hpp"

namespace tarry {

/// Children and orders of a call tree whose parents come before their children. A path whose parent does not come
/// before it counts as a root. Takes 8 bytes per call path.
class CallPathTree {
 public:
  explicit CallPathTree(const std::vector<ReportCallPath>& paths);

  std::span<const std::uint32_t> roots() const { return children_of(0); }
  std::span<const std::uint32_t> children(std::uint32_t path) const { return children_of(path + std::size_t{1}); }
  std::size_t size() const { return children_.size(); }

  /// Depth first, every path before its children.
  std::vector<std::uint32_t> preorder() const;

  /// Rows of inclusive metrics: each root, then for every node all its children before any of their descendants
  /// (docs/CUBEX.md, "Row order").
  std::vector<std::uint32_t> sibling_block_order() const;

 private:
  std::span<const std::uint32_t> children_of(std::size_t slot) const {
    return std::span(children_).subspan(first_[slot], first_[slot + 1] - first_[slot]);
  }

  std::vector<std::uint32_t> first_;  // [slot]: slot 0 holds the roots, slot p + 1 the children of p
  std::vector<std::uint32_t> children_;
};

/// Region names from the root joined by '/', as path_text() has them.
std::string call_path_text(const ReportStructure& structure, CallPathId path);

}  // namespace tarry
