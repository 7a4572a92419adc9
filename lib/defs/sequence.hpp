// sequence.hpp -- sequence definitions: a system tree in constant size where the system is regular.
//
// Instead of each node, process and thread, its kinds are described: class, copies, and the kinds of its children. A
// machine of 16 nodes with 8 processes of 4 threads each is four definitions, one of 16,000 nodes as well.
// Source: Lorenz and Feld, Scaling Score-P to the next level, section 3.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/bytes/bytes.hpp"
#include "base/result.hpp"
#include "defs/definitions.hpp"

namespace tarry {

/// `copies` units of one class, all with the same children.
struct Sequence {
  std::string class_name;
  std::uint64_t copies = 1;
  std::vector<Sequence> children;

  bool operator==(const Sequence&) const = default;

  /// Whether both describe the same kind of unit, however many there are.
  bool is_same_kind(const Sequence& other) const {
    return class_name == other.class_name && children == other.children;
  }

  /// Units in the tree of one copy, itself included.
  std::uint64_t units() const;
};

/// Adds the copies of `sequence` to the entry of its kind, which is made if there is none; returns its index. Kinds
/// stay in the order of their first appearance.
std::size_t add_kind(std::vector<Sequence>& kinds, const Sequence& sequence);

void encode_sequences(ByteWriter& out, std::span<const Sequence> kinds);

/// Fails on damage, and on trees deeper than 64 levels.
Result<std::vector<Sequence>> decode_sequences(ByteReader& in);

/// "machine: 16 x (node: 8 x (process: 4 x thread))"
std::string describe(const Sequence& sequence);

inline constexpr std::string_view kProcessClass = "process", kThreadClass = "thread";

/// Whether the system can be written as sequences: readers limit their depth. In a tree as deep as it is large, each
/// level would be a copy of those below.
bool has_system_tree(const Definitions& definitions);

/// The system tree of a run, which must have one. A walk through the tree numbers the individual units. Each
/// unit comes before its children, and copies of a kind follow one another in the order of ranks. `process_units` and
/// `node_units`, if given, get these numbers for all processes and system nodes. A node without processes gets 0: it is
/// not in the tree.
std::vector<Sequence> system_tree_of(const Definitions& definitions,
                                     std::vector<std::uint64_t>* process_units = nullptr,
                                     std::vector<std::uint64_t>* node_units = nullptr);

}  // namespace tarry
