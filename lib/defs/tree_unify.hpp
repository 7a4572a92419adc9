// tree_unify.hpp -- unification over a tree of processes: no process holds more than the kinds of things there are.
//
// The code of one process, over whatever carries its messages. Members of a group form a binary tree whose subtrees are
// contiguous ranks. So definitions that go up are unified in the order of ranks. The numbers that the root gives go
// down the same way. Source: Lorenz and Feld, Scaling Score-P to the next level, section 4.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "defs/sequence.hpp"

namespace tarry {

using Message = std::vector<std::uint8_t>;

/// Carries messages between the members of one group. Each has one of its own. Messages from one to another
/// arrive in order.
class GroupTransport {
 public:
  virtual ~GroupTransport() = default;
  virtual std::uint32_t rank() const = 0;
  virtual std::uint32_t size() const = 0;
  virtual void send(std::uint32_t to, Message message) = 0;
  virtual Message receive(std::uint32_t from) = 0;
};

/// The position of a member in the tree of its group. Depth: log2 of the group's size.
struct TreePlace {
  static constexpr std::uint32_t kNobody = 0xffffffffu;
  std::uint32_t parent = kNobody;
  std::uint32_t left = kNobody;  // children; the left one has the lower ranks
  std::uint32_t right = kNobody;
  std::uint32_t depth = 0;
};
TreePlace find_place(std::uint32_t rank, std::uint32_t size);

/// One member of a group that unifies sequence definitions of equal kind. Call up(), then, once the number of the
/// group's own unit is known at the root, down().
class SequenceMember {
 public:
  /// Unifies what the children in the tree send with `own` and sends it on. At the root: the kinds of the whole group;
  /// empty elsewhere.
  std::vector<Sequence> up(GroupTransport& group, const Sequence& own);

  /// Hands out numbers as system_tree_of() counts. `first` is that of the group's first unit and counts at the root
  /// only. Returns that of this member's own unit.
  std::uint64_t down(GroupTransport& group, std::uint64_t first);

  /// Bytes kept between up() and down().
  std::size_t bytes() const;

 private:
  struct Kind {
    std::uint64_t units = 0;
    std::uint64_t copies_left = 0;  // in the left subtree
    std::uint64_t copies = 0;       // in all
  };
  void add_child(Message message, std::vector<Sequence>& kinds, std::vector<std::uint16_t>& kind_of);
  Message numbers_for(const std::vector<std::uint16_t>& kind_of, const std::vector<std::uint64_t>& next,
                      bool behind_left) const;

  std::vector<Kind> kinds_;
  std::vector<std::uint16_t> left_, right_;  // kinds of the children's lists in this one
};

/// One member of a group that unifies tables of definitions: regions, communicators, metrics, files, each as the bytes
/// that make it what it is. The unified table holds each once, in the order of first appearance by rank.
class TableMember {
 public:
  /// At the root: the unified table; empty elsewhere.
  std::vector<std::string> up(GroupTransport& group, const std::vector<std::string>& own);

  /// The number of each own definition in the unified table.
  std::vector<std::uint32_t> down(GroupTransport& group);

  std::size_t bytes() const;

 private:
  std::uint32_t own_ = 0;  // definitions; they come first in this member's table
  std::uint32_t all_ = 0;
  std::vector<std::uint32_t> left_, right_;
};

/// Splits a group by names: members with equal names end up together, in the order of ranks. Names are compared by
/// `hash` first; who shares a hash with another name than the first member's goes on to another round. Returns the
/// groups in the order of their first members. `rounds`, if given, gets the number of rounds.
std::vector<std::vector<std::uint32_t>> split_by_name(const std::vector<std::uint32_t>& members,
                                                      const std::function<std::string(std::uint32_t)>& name_of,
                                                      const std::function<std::uint64_t(const std::string&)>& hash,
                                                      std::uint32_t* rounds = nullptr);

}  // namespace tarry
