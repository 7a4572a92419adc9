// profile_memory.cpp -- finds the call paths in the slabs that a process has left.
#include "archive/profile/profile_memory.hpp"

#include <algorithm>
#include <cstring>
#include <iterator>
#include <map>
#include <unordered_map>

namespace tarry {
namespace {

static_assert(sizeof(PathNode) == 120 && sizeof(ProfileSlab) == 56 && sizeof(ReceiverNode) == 32 &&
                  sizeof(FileNode) == 64,
              "docs/FORMAT.md, \"Profile memory\"");

class LeftSlabs {
 public:
  LeftSlabs(const std::vector<std::span<const std::uint8_t>>& slabs, std::uint32_t thread) : thread_(thread) {
    for (const auto& bytes : slabs) add(bytes);
  }

  Profile decode() {
    Profile profile;
    if (slabs_.empty()) return profile;
    profile.counters = counter_ids();
    for (const Found& found : nodes_) put_with_parents(found, profile);
    end_open_visits(profile);
    list_counts(slabs_[0].head.head.receivers, kMostReceivers, profile.receivers);
    list_counts(slabs_[0].head.head.files, kMostFiles, profile.files);
    leave_out_unused(profile);
    return profile;
  }

 private:
  struct Slab {
    ProfileSlab head;
    std::span<const std::uint8_t> bytes;
  };
  struct Found {
    PathNode node;
    const PathNode* address = nullptr;       // in the process
    const std::uint8_t* counters = nullptr;  // here
  };

  void add(std::span<const std::uint8_t> bytes) {
    ProfileSlab head;
    if (bytes.size() < sizeof head) return;
    std::memcpy(static_cast<void*>(&head), bytes.data(), sizeof head);
    if (!head.address || (!slabs_.empty() && head.counters != slabs_[0].head.counters)) return;
    if (head.counters > bytes.size() / sizeof(std::uint64_t) || head.first_node() > bytes.size()) return;
    slab_at_.try_emplace(reinterpret_cast<std::uintptr_t>(head.address), slabs_.size());
    slabs_.push_back({head, bytes});
    const std::size_t room = (bytes.size() - head.first_node()) / head.node_bytes();
    for (std::size_t i = 0; i < std::min<std::size_t>(head.paths, room); ++i) {
      const std::size_t offset = head.first_node() + i * head.node_bytes();
      Found found;
      std::memcpy(static_cast<void*>(&found.node), bytes.data() + offset, sizeof found.node);
      found.address = reinterpret_cast<const PathNode*>(reinterpret_cast<std::uintptr_t>(head.address) + offset);
      found.counters = bytes.data() + offset + sizeof(PathNode);
      if (found.node.region == kTeamPlace) {
        team_places_[found.address] = found.node.fork;
        continue;
      }
      by_address_.try_emplace(found.address, nodes_.size());
      nodes_.push_back(found);
    }
  }

  std::vector<std::uint32_t> counter_ids() const {
    std::vector<std::uint32_t> ids(slabs_[0].head.counters);
    if (!ids.empty()) std::memcpy(ids.data(), slabs_[0].bytes.data() + sizeof(ProfileSlab), ids.size() * sizeof ids[0]);
    return ids;
  }

  static void leave_out_unused(Profile& profile) {
    const std::vector<std::uint32_t> all = profile.counters;
    std::erase(profile.counters, kNoCounter);
    if (profile.counters.size() == all.size()) return;
    std::size_t kept = 0;
    for (std::size_t i = 0; i < profile.counter_values.size(); ++i)
      if (all[i % all.size()] != kNoCounter) profile.counter_values[kept++] = profile.counter_values[i];
    profile.counter_values.resize(kept);
  }

  const Found* find(const PathNode* address) const {
    const auto found = by_address_.find(address);
    return found == by_address_.end() ? nullptr : &nodes_[found->second];
  }

  // A path whose outermost one has another parent than the root is lost, as are those of a circle.
  void put_with_parents(const Found& found, Profile& profile) {
    std::vector<const Found*> chain;  // outermost last
    const Found* at = &found;
    for (; at && !numbers_.contains(at->address) && chain.size() < nodes_.size(); at = find(at->node.parent))
      chain.push_back(at);
    const bool is_rooted =
        at ? numbers_.contains(at->address) && numbers_.at(at->address) != kLost : is_root(chain.back()->node.parent);
    for (std::size_t i = chain.size(); i-- > 0;) {
      if (is_rooted) put(*chain[i], profile);
      else numbers_[chain[i]->address] = kLost;
    }
  }

  bool is_root(const PathNode* parent) const { return parent == slabs_[0].head.root || team_places_.contains(parent); }

  void put(const Found& found, Profile& profile) {
    TransferCounts transfers;
    const bool has_transfers = read(found.node.transfers, transfers);
    ProfileNode node = profile_node(found.node, has_transfers ? &transfers : nullptr);
    if (const auto parent = numbers_.find(found.node.parent); parent != numbers_.end()) node.parent = parent->second;
    const auto number = static_cast<std::uint32_t>(profile.nodes.size());
    numbers_[found.address] = number;
    if (found.node.is_fork) profile.forks.push_back({number, fork_number(*found.address, thread_)});
    if (const auto team = team_places_.find(found.node.parent); team != team_places_.end())
      profile.teams.push_back({number, team->second});
    profile.nodes.push_back(node);
    const std::size_t before = profile.counter_values.size();
    profile.counter_values.resize(before + profile.counters.size());
    if (!profile.counters.empty())
      std::memcpy(&profile.counter_values[before], found.counters, profile.counters.size() * sizeof(std::uint64_t));
  }

  // What lies at an address of the process; false if it is in no slab.
  template <class Value>
  bool read(const Value* address, Value& value) const {
    const auto wanted = reinterpret_cast<std::uintptr_t>(address);
    const auto after = slab_at_.upper_bound(wanted);
    if (after == slab_at_.begin()) return false;
    const auto& [begin, number] = *std::prev(after);
    const std::span<const std::uint8_t> bytes = slabs_[number].bytes;
    const std::uintptr_t offset = wanted - begin;
    if (offset >= bytes.size() || bytes.size() - offset < sizeof value) return false;
    std::memcpy(static_cast<void*>(&value), bytes.data() + offset, sizeof value);
    return true;
  }

  // One more than `most`: all that are not told apart.
  template <class Node, class Count>
  void list_counts(const Node* first, std::size_t most, std::vector<Count>& counts) const {
    Node node;
    for (const Node* at = first; counts.size() <= most && read(at, node); at = node.next) counts.push_back(node.count);
  }

  // From the innermost outwards. A visit that has been counted but whose path is not open was about to be opened.
  void end_open_visits(Profile& profile) const {
    const ProfileHead& head = slabs_[0].head.head;
    std::size_t steps = 0;
    for (const Found* at = find(head.current); at && steps <= nodes_.size(); at = find(at->node.parent), ++steps)
      if (const auto number = numbers_.find(at->address); number != numbers_.end() && number->second != kLost)
        end_visit(profile.nodes[number->second], at->node.entered_at, head.last_time);
  }

  static constexpr std::uint32_t kLost = ~std::uint32_t{0};

  const std::uint32_t thread_;
  std::vector<Slab> slabs_;
  std::map<std::uintptr_t, std::size_t> slab_at_;  // by address
  std::vector<Found> nodes_;
  std::unordered_map<const PathNode*, std::size_t> by_address_;
  std::unordered_map<const PathNode*, std::uint64_t> team_places_;  // by address: their fork
  std::unordered_map<const PathNode*, std::uint32_t> numbers_;      // in the profile, or kLost
};

}  // namespace

Profile decode_profile_memory(const std::vector<std::span<const std::uint8_t>>& slabs, std::uint32_t thread) {
  return LeftSlabs(slabs, thread).decode();
}

}  // namespace tarry
