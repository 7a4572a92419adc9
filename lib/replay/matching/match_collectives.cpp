// match_collectives.cpp -- brings the members of each collective operation together.
#include "replay/matching/match_collectives.hpp"

#include <algorithm>
#include <numeric>
#include <string>

#include "base/arrays/parallel_array.hpp"
#include "base/processes/worker_pool.hpp"

namespace tarry {
namespace {

// Instances of one communicator are handed to workers, and to analysis processes, in blocks of this many.
constexpr std::uint32_t kBlock = 512;

// Creations form a series of their own: in some traces not all members of a communicator record them.
constexpr std::uint32_t kCreations = 0x80000000;

// The list of operations that a part belongs to: by its communicator. MPI_Init and MPI_Finalize of each world have
// lists of their own, below those of the first one.
std::uint32_t list_of(const Collective& part, WorldIndex world) {
  if (is_of_world(part.comm)) return part.comm.value - 2 * world.value;
  return part.kind == CollectiveKind::kCreation ? part.comm.value | kCreations : part.comm.value;
}

// And the world of such a list; one that is none otherwise.
WorldIndex world_of(std::uint32_t list) { return WorldIndex((kInitComm.value - list) / 2); }

// The collectives of one rank in lists, in order; by the numbers of list_of().
class CollectiveLists {
 public:
  void fill(const Rows<Collective>& all, WorldIndex world) {
    for (const Collective& collective : all) {
      if (!collective.comm.is_valid()) continue;
      ListIndex& list = index_.insert(list_of(collective, world), ListIndex());
      if (!list.is_valid()) {
        list = lists_.next_id();
        lists_.emplace_back();
      }
      lists_[list].push_back(&collective);
    }
  }

  std::span<const Collective* const> of(std::uint32_t number) const {
    const ListIndex* list = index_.find(number);
    return list ? std::span<const Collective* const>(lists_[*list]) : std::span<const Collective* const>();
  }

  template <class Visit>
  void for_each_list(Visit visit) const {
    index_.for_each([&](std::uint32_t number, ListIndex list) { visit(number, lists_[list].size()); });
  }

 private:
  using ListIndex = StrongId<struct CollectiveListTag>;

  FlatMap<std::uint32_t, ListIndex> index_;
  Indexed<ListIndex, std::vector<std::vector<const Collective*>>> lists_;
};

bool has_root(CollectiveKind kind) { return kind == CollectiveKind::kOneToAll || kind == CollectiveKind::kAllToOne; }

bool agree(const Collective& a, const Collective& b, bool has_common_root) {
  return a.operation == b.operation && a.kind == b.kind && a.is_nonblocking == b.is_nonblocking &&
         (!has_common_root || !has_root(a.kind) || a.root == b.root);
}

}  // namespace

class CollectiveMatcher::Implementation {
 public:
  explicit Implementation(const Trace& trace) : trace_(trace), lists_(trace.workers(), trace.ranks().size()) {
    run_parallel(trace.workers(), lists_.size(), [&](std::size_t i) {
      const RankIndex r(i);
      lists_[r].fill(trace.ranks()[r].collectives, trace.mpi_worlds().of(r));
    });
    send_to_owners();
  }

  std::size_t foreign_parts() const { return foreign_parts_; }

  // All blocks that this process owns, in a fixed order, each on one worker.
  void for_each(const std::function<void(const CollectiveInstance&)>& visit) {
    FlatMap<Key, ForeignParts> foreign_parts;
    FlatMap<Key, std::uint32_t> known;
    std::vector<Key> blocks;
    const auto note = [&](std::uint32_t list, std::size_t block) {
      if (known.insert(key_of(list, block), 0)++ == 0 && owner_of(list, block) == trace_.exchange().rank())
        blocks.push_back(key_of(list, block));
    };
    for (const RankIndex r : trace_.ranks().ids())
      if (trace_.is_hosted(r))
        lists_[r].for_each_list([&](std::uint32_t list, std::size_t count) {
          for (std::size_t first = 0; first < count; first += kBlock) note(list, first / kBlock);
        });
    for (const auto& from : foreign_)
      for (const ForeignBlock& block : from) {
        note(block.list, block.first / kBlock);
        foreign_parts.insert(key_of(block.list, block.first / kBlock)).insert(block.rank) = &block;
      }
    std::sort(blocks.begin(), blocks.end());
    run_parallel(trace_.workers(), blocks.size(), [&](std::size_t i) {
      const auto list = static_cast<std::uint32_t>(blocks[i] >> 32);
      visit_block(list, static_cast<std::size_t>(blocks[i] & 0xffffffffu), foreign_parts.find(blocks[i]), visit);
    });
  }

  void send_back(const Put& put, const Get& get) const {
    if (trace_.exchange().size() == 1) return;
    std::vector<MessageBuffer> buffers(foreign_.size());
    for (std::size_t p = 0; p < foreign_.size(); ++p)
      for (const ForeignBlock& block : foreign_[p]) {
        buffers[p].put(block.rank);
        buffers[p].put(block.list);
        buffers[p].put(block.first);
        buffers[p].put(static_cast<std::uint32_t>(block.parts.size()));
        for (std::uint32_t i = 0; i < block.parts.size(); ++i) put(ForeignPart(block.first_part + i), buffers[p]);
      }
    for (MessageBuffer& buffer : trace_.exchange().all_to_all(std::move(buffers)))
      while (!buffer.is_read()) {
        const auto rank = buffer.get<RankIndex>();
        const auto list = lists_[rank].of(buffer.get<std::uint32_t>());
        const auto first = buffer.get<std::uint32_t>();
        const auto count = buffer.get<std::uint32_t>();
        for (std::uint32_t i = 0; i < count; ++i) get(rank, list[first + i]->index, buffer);
      }
  }

 private:
  using Key = std::uint64_t;  // list and block
  static constexpr int kNoHost = -1, kSeveralHosts = -2, kUnknownHost = -3;

  static Key key_of(std::uint32_t list, std::size_t block) { return (std::uint64_t{list} << 32) | block; }

  bool is_list_of_world(std::uint32_t comm) const { return world_of(comm).value < trace_.mpi_worlds().size(); }

  static CommId comm_of(std::uint32_t list) { return CommId(list & ~kCreations); }

  IdView<WorldRank> members(std::uint32_t list) const {
    return is_list_of_world(list) ? trace_.mpi_worlds().members(world_of(list))
                                  : trace_.communicators().members(comm_of(list));
  }

  // How many members are in the first of two groups; all of them if there is one.
  std::size_t local_size(std::uint32_t list) const {
    return is_list_of_world(list) ? members(list).size() : trace_.communicators().local_size(comm_of(list));
  }

  // The analysis process that looks at a block of instances. If one process hosts all members, it is that one, else any
  // of theirs; -1 if no member is in the trace.
  int owner_of(std::uint32_t list, std::size_t block) {
    int& host = common_host_.insert(list, kUnknownHost);
    if (host == kUnknownHost) host = find_common_host(list);
    if (host != kSeveralHosts) return host;
    return static_cast<int>(mix_bits(key_of(list, block)) % static_cast<std::uint64_t>(trace_.exchange().size()));
  }

  int find_common_host(std::uint32_t list) const {
    int host = kNoHost;
    for (const WorldRank world_rank : members(list)) {
      const RankIndex index = trace_.index_of(world_rank);
      if (!index.is_valid()) continue;
      if (host != kNoHost && host != trace_.host_of(index)) return kSeveralHosts;
      host = trace_.host_of(index);
    }
    return host;
  }

  // Communicators that span several analysis processes: the parts of each block go to its owner.
  void send_to_owners() {
    const int processes = trace_.exchange().size();
    if (processes == 1) return;
    std::vector<MessageBuffer> buffers(static_cast<std::size_t>(processes));
    for (const RankIndex r : trace_.ranks().ids()) {
      if (!trace_.is_hosted(r)) continue;
      lists_[r].for_each_list([&](std::uint32_t list, std::size_t count) {
        for (std::size_t first = 0; first < count; first += kBlock) pack_block(r, list, first, buffers);
      });
    }
    std::vector<MessageBuffer> arrived = trace_.exchange().all_to_all(std::move(buffers));
    foreign_.resize(arrived.size());
    for (std::size_t p = 0; p < arrived.size(); ++p)
      while (!arrived[p].is_read()) unpack_block(arrived[p], foreign_[p].emplace_back());
  }

  struct ForeignBlock {
    RankIndex rank;
    std::uint32_t list = 0, first = 0;
    std::vector<Collective> parts;
    std::uint32_t first_part = 0;  // the ForeignPart of the first one
  };

  void pack_block(RankIndex r, std::uint32_t number, std::size_t first, std::vector<MessageBuffer>& buffers) {
    const int owner = owner_of(number, first / kBlock);
    if (owner < 0 || owner == trace_.exchange().rank()) return;
    const auto list = lists_[r].of(number);
    MessageBuffer& buffer = buffers[static_cast<std::size_t>(owner)];
    buffer.put(r);
    buffer.put(number);
    buffer.put(static_cast<std::uint32_t>(first));
    const std::vector<Collective> parts =
        copies(list.subspan(first, std::min<std::size_t>(kBlock, list.size() - first)));
    buffer.put_all(parts);
    for (const Collective& part : parts)
      if (part.masks.is_valid()) buffer.put_all(masks_of(trace_.ranks()[r], part));
  }

  // They travel with the parts.
  static std::vector<PartnerMask> masks_of(const LogicalRank& rank, const Collective& part) {
    std::vector<PartnerMask> masks;
    for (std::size_t i = part.masks.value; masks.empty() || !masks.back().is_last; ++i)
      masks.push_back(rank.partner_masks[i]);
    return masks;
  }
  void unpack_masks(MessageBuffer& buffer, ForeignBlock& block) {
    for (Collective& part : block.parts) {
      if (!part.masks.is_valid()) continue;
      part.masks = foreign_masks_.next_id();
      for (const PartnerMask& mask : buffer.get_all<PartnerMask>()) foreign_masks_.push_back(mask);
    }
  }

  static std::vector<Collective> copies(std::span<const Collective* const> list) {
    std::vector<Collective> parts;
    for (const Collective* part : list) parts.push_back(*part);
    return parts;
  }

  void unpack_block(MessageBuffer& buffer, ForeignBlock& block) {
    block.rank = buffer.get<RankIndex>();
    block.list = buffer.get<std::uint32_t>();
    block.first = buffer.get<std::uint32_t>();
    block.parts = buffer.get_all<Collective>();
    block.first_part = foreign_parts_;
    foreign_parts_ += static_cast<std::uint32_t>(block.parts.size());
    unpack_masks(buffer, block);
  }

  using ForeignParts = FlatMap<RankIndex, const ForeignBlock*>;  // of one block

  // The parts of one member in a block, here or sent.
  struct MemberParts {
    std::span<const Collective* const> here;
    const ForeignBlock* sent = nullptr;

    std::size_t size() const { return sent ? sent->parts.size() : here.size(); }
    void describe(std::size_t k, CollectiveInstance::Member& member) const {
      if (k >= size()) {
        member.part = nullptr;
      } else if (sent) {
        member.part = &sent->parts[k];
        member.foreign = ForeignPart(sent->first_part + k);
      } else {
        member.part = here[k];
      }
    }
  };

  void visit_block(std::uint32_t list, std::size_t block, const ForeignParts* foreign,
                   const std::function<void(const CollectiveInstance&)>& visit) {
    const auto all = members(list);
    const bool meets_others = is_list_of_world(list) && trace_.mpi_worlds().are_several();  // who spawned it
    if (all.size() < 2 && !meets_others) return;
    std::vector<MemberParts> parts(all.size());
    std::vector<CollectiveInstance::Member> instance(all.size());
    std::size_t most = 0;
    for (std::size_t m = 0; m < all.size(); ++m) {
      const RankIndex r = trace_.index_of(all[m]);
      instance[m] = {.world_rank = all[m], .rank_index = r};
      if (!r.is_valid()) continue;
      parts[m] = parts_of(r, list, block, foreign);
      instance[m].masks = parts[m].sent ? &foreign_masks_ : &trace_.ranks()[r].partner_masks;
      most = std::max(most, parts[m].size());
    }
    for (std::size_t k = 0; k < most; ++k) {
      std::size_t present = 0;
      for (std::size_t m = 0; m < all.size(); ++m) {
        parts[m].describe(k, instance[m]);
        present += instance[m].part != nullptr;
      }
      if (present < all.size()) note_incomplete(list, block * kBlock + k, all.size() - present);
      else if (is_consistent(instance, local_size(list) == all.size())) visit({instance, trace_, local_size(list)});
      else trace_.faults().add(Fault::kInconsistentCollective, name_of(list), block * kBlock + k);
    }
  }

  MemberParts parts_of(RankIndex r, std::uint32_t number, std::size_t block, const ForeignParts* foreign) const {
    if (!trace_.is_hosted(r)) {
      const ForeignBlock* const* sent = foreign ? foreign->find(r) : nullptr;
      return {.here = {}, .sent = sent ? *sent : nullptr};
    }
    const auto list = lists_[r].of(number);
    const std::size_t first = std::min(list.size(), block * kBlock);
    return {.here = list.subspan(first, std::min<std::size_t>(kBlock, list.size() - first))};
  }

  static bool is_consistent(const std::vector<CollectiveInstance::Member>& members, bool has_common_root) {
    return std::all_of(members.begin(), members.end(),
                       [&](const auto& member) { return agree(*member.part, *members[0].part, has_common_root); });
  }

  static std::string name_of(std::uint32_t list) { return "communicator " + std::to_string(comm_of(list).value); }

  void note_incomplete(std::uint32_t list, std::size_t instance, std::size_t missing) {
    if (is_list_of_world(list)) return;  // runs without MPI, or cut short: not an operation of the application's
    trace_.faults().add(Fault::kIncompleteCollective, name_of(list), instance,
                        std::to_string(missing) + " members missing");
  }

  const Trace& trace_;
  Indexed<RankIndex, ParallelArray<CollectiveLists>> lists_;
  FlatMap<std::uint32_t, int> common_host_;         // by list: the process that hosts all members, or kSeveralHosts
  std::vector<std::vector<ForeignBlock>> foreign_;  // [analysis process]
  Indexed<MaskIndex, Rows<PartnerMask>> foreign_masks_;
  std::uint32_t foreign_parts_ = 0;
};

CollectiveMatcher::CollectiveMatcher(const Trace& trace) : implementation_(std::make_unique<Implementation>(trace)) {}

CollectiveMatcher::~CollectiveMatcher() = default;

void CollectiveMatcher::for_each(const std::function<void(const CollectiveInstance&)>& visit) {
  implementation_->for_each(visit);
}

std::size_t CollectiveMatcher::foreign_parts() const { return implementation_->foreign_parts(); }

void CollectiveMatcher::send_back(const Put& put, const Get& get) const { implementation_->send_back(put, get); }

}  // namespace tarry
