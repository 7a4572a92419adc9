// call_path_tree.cpp -- the call tree of a report.
#include "report/tree/call_path_tree.hpp"

#include <algorithm>
#include <numeric>

#include "report/tree/path_text.hpp"

namespace tarry {
namespace {

std::size_t slot_of_parent(const std::vector<ReportCallPath>& paths, std::size_t path) {
  const std::uint32_t parent = paths[path].parent.value;
  return parent < path ? parent + std::size_t{1} : 0;
}

}  // namespace

CallPathTree::CallPathTree(const std::vector<ReportCallPath>& paths)
    : first_(paths.size() + 2), children_(paths.size()) {
  for (std::size_t path = 0; path < paths.size(); ++path) ++first_[slot_of_parent(paths, path) + 1];
  std::partial_sum(first_.begin(), first_.end(), first_.begin());
  std::vector<std::uint32_t> next(first_.begin(), first_.end() - 1);
  for (std::size_t path = 0; path < paths.size(); ++path)
    children_[next[slot_of_parent(paths, path)]++] = static_cast<std::uint32_t>(path);
}

std::vector<std::uint32_t> CallPathTree::preorder() const {
  std::vector<std::uint32_t> order;
  order.reserve(size());
  std::vector<std::uint32_t> open(roots().rbegin(), roots().rend());
  while (!open.empty()) {
    const std::uint32_t path = open.back();
    open.pop_back();
    order.push_back(path);
    const auto below = children(path);
    open.insert(open.end(), below.rbegin(), below.rend());
  }
  return order;
}

std::vector<std::uint32_t> CallPathTree::sibling_block_order() const {
  std::vector<std::uint32_t> order;
  order.reserve(size());
  std::vector<std::uint32_t> open;
  for (const std::uint32_t root : roots()) {
    order.push_back(root);
    open.push_back(root);
    while (!open.empty()) {
      const auto below = children(open.back());
      open.pop_back();
      order.insert(order.end(), below.begin(), below.end());
      open.insert(open.end(), below.rbegin(), below.rend());
    }
  }
  return order;
}

std::string call_path_text(const ReportStructure& structure, CallPathId path) {
  const auto& paths = structure.call_paths;
  return path_text(
      path.value, CallPathId::kNone, [&](std::uint32_t at) { return paths[at].parent.value; },
      [&](std::uint32_t at) { return std::string_view(structure.regions[paths[at].region].name); });
}

}  // namespace tarry
