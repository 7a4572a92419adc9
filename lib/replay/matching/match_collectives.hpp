// match_collectives.hpp -- brings the members of each collective operation together.
#pragma once

#include <algorithm>
#include <bit>
#include <functional>
#include <memory>
#include <span>

#include "replay/trace.hpp"

namespace tarry {

/// Number of a part of a collective operation that came from another analysis process.
using ForeignPart = StrongId<struct ForeignPartTag>;

/// One collective operation with all its members, in the order of their ranks in the communicator.
struct CollectiveInstance {
  struct Member {
    WorldRank world_rank{};
    RankIndex rank_index{};
    const Collective* part = nullptr;
    const Indexed<MaskIndex, Rows<PartnerMask>>* masks = nullptr;  // that its part refers to
    ForeignPart foreign{};                                         // if it is hosted elsewhere
  };
  std::span<const Member> members;
  const Trace& trace;
  std::size_t local = 0;  // so many of the members are the first of two groups

  CollectiveKind kind() const { return members[0].part->kind; }
  const Collective& operator[](std::size_t i) const { return *members[i].part; }
  std::size_t size() const { return members.size(); }

  /// Calls visit(rank) for each process from which the member at position `i` receives, where the trace tells. Ranks
  /// are those in the communicator; between two groups, in the other group.
  template <class Visit>
  void for_each_partner(std::size_t i, Visit visit) const {
    for_each_marked(i, [&](std::uint32_t number) { visit(CommRank(number)); });
  }

  /// The same in a neighbourhood: visit(its place among the sources of the member).
  template <class Visit>
  void for_each_source(std::size_t i, Visit visit) const {
    for_each_marked(i, visit);
  }

  /// Equal to size() unless it is an operation between two groups.
  std::size_t local_size() const { return local; }
  bool is_inter() const { return local < members.size(); }

  /// Position of the root; size() if no valid root was recorded. Between two groups only the members of the other group
  /// name the root, by its rank in its own group. Those of its own group pass MPI_ROOT or MPI_PROC_NULL.
  std::size_t root() const {
    if (!is_inter()) return std::min<std::size_t>(members[0].part->root.value, size());
    for (std::size_t i = 0; i < members.size(); ++i) {
      const std::size_t first = i < local ? local : 0, last = i < local ? members.size() : local;
      if (const CommRank root = members[i].part->root; root.value < last - first) return first + root.value;
    }
    return size();
  }

 private:
  template <class Visit>
  void for_each_marked(std::size_t i, Visit visit) const {
    const Rows<PartnerMask>& masks = *members[i].masks;
    for (std::size_t at = members[i].part->masks.value;; ++at) {
      for (std::uint64_t left = masks[at].mask; left != 0; left &= left - 1)
        visit(masks[at].first + static_cast<std::uint32_t>(std::countr_zero(left)));
      if (masks[at].is_last) return;
    }
  }
};

/// Pairs the parts of collective operations by communicator and order. If a communicator spans several analysis
/// processes, its operations are brought to one of them. Results can be sent back to the processes that host the parts.
///
/// For arrays of results: a part that is hosted here has the index of its record, any other one a number below
/// foreign_parts().
class CollectiveMatcher {
 public:
  /// Collective over the analysis processes.
  explicit CollectiveMatcher(const Trace& trace);
  ~CollectiveMatcher();
  CollectiveMatcher(const CollectiveMatcher&) = delete;

  /// Calls visit(instance) once for every operation with at least two members, on all workers at the same time. Where
  /// there are several worlds, it also does so for MPI_Init and MPI_Finalize of a world of one process. Operations in
  /// which members are missing or disagree are counted as faults and left out.
  void for_each(const std::function<void(const CollectiveInstance&)>& visit);

  /// How many parts of processes hosted elsewhere have come here.
  std::size_t foreign_parts() const;

  using Put = std::function<void(ForeignPart part, MessageBuffer& buffer)>;
  using Get = std::function<void(RankIndex rank, CollectiveIndex part, MessageBuffer& buffer)>;
  /// Calls put() for each part that came from elsewhere, and get() for each of these where it is hosted. Collective
  /// over the analysis processes.
  void send_back(const Put& put, const Get& get) const;

 private:
  class Implementation;
  std::unique_ptr<Implementation> implementation_;
};

}  // namespace tarry
