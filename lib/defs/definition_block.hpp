// definition_block.hpp -- the unified definitions of processes whose ranks follow each other; blocks are unified in the
// same way.
//
// Unification is associative, so that it can be done over a tree: of workers, of analysis processes, of the processes
// of a job.
#pragma once

#include <array>
#include <cstdint>
#include <iterator>
#include <span>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "base/bytes/bytes.hpp"
#include "base/result.hpp"
#include "defs/definitions.hpp"
#include "defs/tree_unify.hpp"
#include "defs/unify.hpp"
#include "defs/unify_clocks.hpp"

namespace tarry {

/// Processes that know their rank in a communicator. Evenly spaced ones are one entry, so that a communicator of a row,
/// a column or all processes takes constant memory.
struct MemberRun {
  std::uint32_t rank = 0;  // in the communicator, of the first one
  std::uint32_t world_rank = 0;
  std::uint32_t rank_step = 0;  // modulo 2^32
  std::uint32_t world_step = 0;
  std::uint32_t count = 1;
  std::uint32_t size = 0;        // of the communicator, as they know it
  std::uint64_t parent_uid = 0;  // tells the sides of an inter-communicator apart
};

/// A table of ids and how many entries it has; an empty one with entries changes nothing.
struct LocalMap {
  static constexpr std::size_t kTables = 6;
  IdMap map;
  std::array<std::uint32_t, kTables> sizes{};  // regions, communicators, windows, groups, files, counters

  /// What becomes of the ids if those they lead to become others.
  void lead_on(const IdMap& onward);
};

/// Rules are those of unify().
class DefinitionBlock {
 public:
  /// The process that follows.
  void add(const Definitions& process);

  /// The block that follows; only its definitions, not the maps of its processes. Returns what becomes of its ids.
  LocalMap append(const DefinitionBlock& next);

  /// Everything but the maps.
  void encode(ByteWriter& out) const;
  static Result<DefinitionBlock> decode(std::span<const std::uint8_t> bytes);

  /// Maps of the processes that were added here, in order, to the ids of this block.
  std::vector<LocalMap>& maps() { return maps_; }

  std::uint32_t processes() const { return static_cast<std::uint32_t>(all_.processes.size()); }

  /// The definitions of the whole run, if this block holds all processes. Nothing else can be done with it afterwards.
  Definitions finish();

 private:
  class Adder;

  Definitions all_;                              // groups of communicators are not known yet
  std::vector<std::vector<MemberRun>> members_;  // of each communicator
  ClockUnifier clocks_;
  std::array<std::uint64_t, std::size(kSummedKeys)> sums_{};  // of the properties that are added up
  std::vector<LocalMap> maps_;

  struct KeyHash {
    template <class Numbers>
    std::size_t operator()(const Numbers& key) const noexcept {
      std::uint64_t sum = 0;
      for (const std::uint64_t part : key) sum = (sum ^ part) * 0x9e3779b97f4a7c15ull + (sum >> 29);
      return sum ^ (sum >> 32);
    }
  };
  template <std::size_t N>
  using Key = std::array<std::uint64_t, N>;

  GroupId add_group(std::vector<std::uint32_t> members, StringId name);
  std::uint32_t number_of(SystemNodeId node);

  std::unordered_map<Key<3>, SystemNodeId, KeyHash> nodes_;
  std::unordered_map<Region::Identity, RegionId, KeyHash> regions_;
  std::unordered_map<std::uint64_t, CommId> comms_;
  std::unordered_map<Key<2>, WindowId, KeyHash> windows_;
  std::unordered_map<Key<2>, IoHandleId, KeyHash> io_handles_;
  std::unordered_map<Key<4>, CounterId, KeyHash> counters_;
  std::unordered_map<std::size_t, std::vector<GroupId>> groups_;
  std::unordered_map<std::string, std::size_t> carts_;  // by communicator, name and names of the dimensions
  std::vector<SystemNodeId> numbered_nodes_;  // of grids of the hardware, in the order of their first processes
  std::unordered_map<SystemNodeId, std::uint32_t> node_numbers_;
  std::unordered_set<std::uint32_t> properties_;
};

/// One member of a group that unifies definitions, each with a block of its own, in the order of the members. Call
/// up(); the root then has everything in its block; then down(). A message that cannot be read fails both without
/// keeping others waiting.
class DefinitionMember {
 public:
  explicit DefinitionMember(DefinitionBlock own) : block_(std::move(own)) {}

  DefinitionBlock& block() { return block_; }

  /// Appends the blocks of the children and sends the result to the parent.
  Status up(GroupTransport& group);

  /// Leads the maps of this member's own processes on to the root's ids, and those of the members below. `onward`
  /// counts at the root only: what its ids become beyond this group. Returns what became of the ids of this member's
  /// block.
  Result<IdMap> down(GroupTransport& group, IdMap onward = {});

 private:
  DefinitionBlock block_;
  LocalMap left_, right_;
};

}  // namespace tarry
