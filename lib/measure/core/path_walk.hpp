// path_walk.hpp -- walks through the call paths of a summary. Trees are too deep for recursion.
//
// Calls: handler-safe.
#pragma once

#include "archive/profile/profile_memory.hpp"

namespace tarry::measure {

/// The children of a path, from the one behind that was entered last to that one. Another thread may add some.
template <class Visit>
void each_child(const PathNode& parent, Visit visit) {
  PathNode* const latest = parent.latest_child;
  if (!latest) return;
  PathNode* child = latest;
  do visit(*(child = child->next_sibling));
  while (child != latest);
}

inline PathNode* first_child(const PathNode& path) {
  return path.latest_child ? path.latest_child->next_sibling : nullptr;
}

/// Whether no sibling comes behind a path.
inline bool is_last_child(const PathNode& path) { return &path == path.parent->latest_child; }

/// The next call path in preorder below `root`; nullptr behind the last.
inline PathNode* next_in_tree(PathNode* path, const PathNode& root) {
  if (PathNode* const child = first_child(*path)) return child;
  while (path != &root && is_last_child(*path)) path = path->parent;
  return path == &root ? nullptr : path->next_sibling;
}

}  // namespace tarry::measure
