// system_tree.hpp -- builds the sequence definitions of a whole system from what each process knows of its own place.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "base/text/text_hash.hpp"
#include "defs/tree_unify.hpp"

namespace tarry {

/// What each process knows: the units it is in, from the machine down, and the parts of the process itself. Units have
/// a class and a name, unique below the same parent. Callers ask repeatedly, so that no process keeps all answers.
struct SystemFacts {
  std::uint32_t ranks = 0;
  std::function<std::vector<std::pair<std::string, std::string>>(std::uint32_t rank)> path_of;
  std::function<Sequence(std::uint32_t rank)> process_of;
  std::function<std::uint64_t(const std::string&)> hash = [](const std::string& name) { return hash_text(name); };
};

struct SystemTree {
  std::vector<Sequence> roots;
  std::vector<std::uint64_t> process_units;  // number of each process's unit, as system_tree_of() counts

  // What it cost:
  std::size_t most_bytes = 0;  // that one process kept from the way up to the way down, over all levels
  std::size_t mean_bytes = 0;
  std::size_t largest_message = 0;
  std::uint32_t steps = 0;   // messages one after the other, on the longest way up and down
  std::uint32_t rounds = 0;  // of splitting groups, at most at one level
};

/// Goes level by level from the processes to the machine. The processes of a unit unify their kinds, and one of them
/// continues for the unit. Then the numbers are handed back. All ranks run in this process, one after the other. Each
/// runs the code that it would run alone and knows only its messages. Time per rank: log of ranks times kinds.
SystemTree build_system_tree(const SystemFacts& facts);

/// Members of one group that run in this process: first all go up, from the leaves of the tree to its root, then down.
class VirtualGroup {
 public:
  explicit VirtualGroup(std::uint32_t size) : going_up_(size), going_down_(size), largest_(size) {}

  /// Calls job(transport, rank) for each member; those of equal depth in the tree on up to `workers` threads.
  using Job = std::function<void(GroupTransport&, std::uint32_t)>;
  void run_up(const Job& job, unsigned workers = 1);
  void run_down(const Job& job, unsigned workers = 1);

  std::size_t largest_message() const;

 private:
  class Member;
  void run(const Job& job, bool is_up, unsigned workers);

  std::vector<Message> going_up_, going_down_;  // by sender, by receiver
  std::vector<std::size_t> largest_;            // by the deeper one of sender and receiver
};

}  // namespace tarry
