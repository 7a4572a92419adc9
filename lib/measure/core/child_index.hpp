// child_index.hpp -- finds the call path of a region among thousands of siblings.
#pragma once

#include <cstddef>
#include <cstdint>

namespace tarry {
struct PathNode;
}

namespace tarry::measure {

/// Call paths by parent and region. Its memory comes from the kernel, so that no allocator of the program is involved.
class ChildIndex {
 public:
  /// nullptr if it has not been added.
  PathNode* find(const PathNode& parent, std::uint32_t region) const;

  /// Makes a call path known; once more does no harm. False without memory: then it is not found.
  bool add(PathNode& node);

 private:
  std::size_t place_of(const PathNode* parent, std::uint32_t region) const;
  bool grow();

  PathNode** slots_ = nullptr;  // open addressing with linear probing; nullptr is free
  std::size_t size_ = 0;        // a power of two
  std::size_t used_ = 0;
};

}  // namespace tarry::measure
