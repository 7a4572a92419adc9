// profile_paths.hpp -- the call paths of an encoded summary, by name.
#pragma once

#include <gtest/gtest.h>

#include <map>
#include <string>
#include <vector>

#include "archive/profile/profile_codec.hpp"
#include "measure/core/profile_tree.hpp"

namespace tarry::measure {

/// Call paths as "0/3/2", so that the order of siblings does not matter.
inline std::map<std::string, ProfileNode> paths_in(const ByteWriter& bytes) {
  const auto nodes = decode_profile(bytes.bytes());
  EXPECT_TRUE(nodes.ok());
  std::map<std::string, ProfileNode> paths;
  std::vector<std::string> names;
  for (const ProfileNode& node : nodes.value().nodes) {
    const std::string name = std::to_string(node.region);
    names.push_back(node.parent == ProfileNode::kNoParent ? name : names[node.parent] + "/" + name);
    paths[names.back()] = node;
  }
  return paths;
}

inline std::map<std::string, ProfileNode> paths_of(ProfileTree& tree) {
  ByteWriter bytes;
  tree.encode(bytes);
  return paths_in(bytes);
}

}  // namespace tarry::measure
