// match_collectives.cpp -- brings the members of each collective operation together.
#include "replay/match_collectives.hpp"

#include <algorithm>
#include <numeric>
#include <string>

#include "base/parallel_array.hpp"
#include "base/worker_pool.hpp"

namespace tarry {
namespace {

// Instances of one communicator are handed to workers, and to analysis processes, in blocks of this many.
constexpr std::uint32_t kBlock = 512;

// Creations form a series of their own: in some traces not all members of a communicator record them.
constexpr std::uint32_t kCreations = 0x80000000;

// MPI_Init and MPI_Finalize of world `world` have numbers of their own, below those of the first one.
std::uint32_t list_of(const Collective& part, std::uint32_t world) {
  if (part.comm >= kFinalizeComm) return part.comm - 2 * world;
  return part.kind == CollectiveKind::kCreation ? part.comm | kCreations : part.comm;
}

// And the world of such a number; one that is none otherwise.
std::uint32_t world_of(std::uint32_t list) { return (kInitComm - list) / 2; }

// The collectives of one rank by communicator, in order.
class CollectiveLists {
 public:
  void fill(const Rows<Collective>& all, std::uint32_t world) {
    for (const Collective& collective : all) {
      if (collective.comm == kNone32) continue;
      std::uint32_t& list = index_.insert(list_of(collective, world), kNone32);
      if (list == kNone32) {
        list = static_cast<std::uint32_t>(lists_.size());
        lists_.emplace_back();
      }
      lists_[list].push_back(&collective);
    }
  }

  std::span<const Collective* const> of(std::uint32_t comm) const {
    const std::uint32_t* list = index_.find(comm);
    return list ? std::span<const Collective* const>(lists_[*list]) : std::span<const Collective* const>();
  }

  template <class Visit>
  void for_each_comm(Visit visit) const {
    index_.for_each([&](std::uint32_t comm, std::uint32_t list) { visit(comm, lists_[list].size()); });
  }

 private:
  FlatMap<std::uint32_t, std::uint32_t> index_;
  std::vector<std::vector<const Collective*>> lists_;
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
    run_parallel(trace.workers(), lists_.size(), [&](std::size_t r) {
      lists_[r].fill(trace.ranks()[r].collectives, trace.mpi_worlds().of(static_cast<std::uint32_t>(r)));
    });
    send_to_owners();
  }

  std::uint32_t foreign_parts() const { return foreign_parts_; }

  // All blocks that this process owns, in a fixed order, each on one worker.
  void for_each(const std::function<void(const CollectiveInstance&)>& visit) {
    FlatMap<Key, ForeignParts> foreign_parts;
    FlatMap<Key, std::uint32_t> known;
    std::vector<Key> blocks;
    const auto note = [&](std::uint32_t comm, std::size_t block) {
      if (known.insert(key_of(comm, block), 0)++ == 0 && owner_of(comm, block) == trace_.exchange().rank())
        blocks.push_back(key_of(comm, block));
    };
    for (std::uint32_t r = 0; r < trace_.ranks().size(); ++r)
      if (trace_.is_hosted(r))
        lists_[r].for_each_comm([&](std::uint32_t comm, std::size_t count) {
          for (std::size_t first = 0; first < count; first += kBlock) note(comm, first / kBlock);
        });
    for (const auto& from : foreign_)
      for (const ForeignBlock& block : from) {
        note(block.comm, block.first / kBlock);
        foreign_parts.insert(key_of(block.comm, block.first / kBlock)).insert(block.rank) = &block;
      }
    std::sort(blocks.begin(), blocks.end());
    run_parallel(trace_.workers(), blocks.size(), [&](std::size_t i) {
      const auto comm = static_cast<std::uint32_t>(blocks[i] >> 32);
      visit_block(comm, static_cast<std::size_t>(blocks[i] & 0xffffffffu), foreign_parts.find(blocks[i]), visit);
    });
  }

  void send_back(const Put& put, const Get& get) const {
    if (trace_.exchange().size() == 1) return;
    std::vector<MessageBuffer> buffers(foreign_.size());
    for (std::size_t p = 0; p < foreign_.size(); ++p)
      for (const ForeignBlock& block : foreign_[p]) {
        buffers[p].put(block.rank);
        buffers[p].put(block.comm);
        buffers[p].put(block.first);
        buffers[p].put(static_cast<std::uint32_t>(block.parts.size()));
        for (std::uint32_t i = 0; i < block.parts.size(); ++i) put(block.first_slot + i, buffers[p]);
      }
    for (MessageBuffer& buffer : trace_.exchange().all_to_all(std::move(buffers)))
      while (!buffer.is_read()) {
        const auto rank = buffer.get<std::uint32_t>();
        const auto comm = buffer.get<std::uint32_t>();
        const auto list = lists_[rank].of(comm);
        const auto first = buffer.get<std::uint32_t>();
        const auto count = buffer.get<std::uint32_t>();
        for (std::uint32_t i = 0; i < count; ++i) get(rank, list[first + i]->index, buffer);
      }
  }

 private:
  using Key = std::uint64_t;  // communicator and block
  static constexpr int kNoHost = -1, kSeveralHosts = -2, kUnknownHost = -3;

  static Key key_of(std::uint32_t comm, std::size_t block) { return (std::uint64_t{comm} << 32) | block; }

  bool is_of_world(std::uint32_t comm) const { return world_of(comm) < trace_.mpi_worlds().size(); }

  std::span<const std::uint32_t> members(std::uint32_t comm) const {
    return is_of_world(comm) ? trace_.mpi_worlds().members(world_of(comm))
                             : trace_.communicators().members(comm & ~kCreations);
  }

  // How many members are in the first of two groups; all of them if there is one.
  std::size_t local_size(std::uint32_t comm) const {
    return is_of_world(comm) ? members(comm).size() : trace_.communicators().local_size(comm & ~kCreations);
  }

  // The analysis process that looks at a block of instances: the one that hosts all members, or any if there are
  // several; -1 if no member is in the trace.
  int owner_of(std::uint32_t comm, std::size_t block) {
    int& host = common_host_.insert(comm, kUnknownHost);
    if (host == kUnknownHost) host = find_common_host(comm);
    if (host != kSeveralHosts) return host;
    return static_cast<int>(mix_bits(key_of(comm, block)) % static_cast<std::uint64_t>(trace_.exchange().size()));
  }

  int find_common_host(std::uint32_t comm) const {
    int host = kNoHost;
    for (const std::uint32_t world_rank : members(comm)) {
      const std::uint32_t index = trace_.index_of(world_rank);
      if (index == kNone32) continue;
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
    for (std::uint32_t r = 0; r < trace_.ranks().size(); ++r) {
      if (!trace_.is_hosted(r)) continue;
      lists_[r].for_each_comm([&](std::uint32_t comm, std::size_t count) {
        for (std::size_t first = 0; first < count; first += kBlock) pack_block(r, comm, first, buffers);
      });
    }
    std::vector<MessageBuffer> arrived = trace_.exchange().all_to_all(std::move(buffers));
    foreign_.resize(arrived.size());
    for (std::size_t p = 0; p < arrived.size(); ++p)
      while (!arrived[p].is_read()) unpack_block(arrived[p], foreign_[p].emplace_back());
  }

  struct ForeignBlock {
    std::uint32_t rank = 0, comm = 0, first = 0;
    std::vector<Collective> parts;
    std::uint32_t first_slot = 0;
  };

  void pack_block(std::uint32_t r, std::uint32_t comm, std::size_t first, std::vector<MessageBuffer>& buffers) {
    const int owner = owner_of(comm, first / kBlock);
    if (owner < 0 || owner == trace_.exchange().rank()) return;
    const auto list = lists_[r].of(comm);
    MessageBuffer& buffer = buffers[static_cast<std::size_t>(owner)];
    buffer.put(r);
    buffer.put(comm);
    buffer.put(static_cast<std::uint32_t>(first));
    const std::vector<Collective> parts =
        copies(list.subspan(first, std::min<std::size_t>(kBlock, list.size() - first)));
    buffer.put_all(parts);
    for (const Collective& part : parts)
      if (part.masks != kNone32) buffer.put_all(masks_of(trace_.ranks()[r], part));
  }

  // They travel with the parts.
  static std::vector<PartnerMask> masks_of(const LogicalRank& rank, const Collective& part) {
    std::vector<PartnerMask> masks;
    for (std::size_t i = part.masks; masks.empty() || !masks.back().is_last; ++i)
      masks.push_back(rank.partner_masks[i]);
    return masks;
  }
  void unpack_masks(MessageBuffer& buffer, ForeignBlock& block) {
    for (Collective& part : block.parts) {
      if (part.masks == kNone32) continue;
      part.masks = static_cast<std::uint32_t>(foreign_masks_.size());
      for (const PartnerMask& mask : buffer.get_all<PartnerMask>()) foreign_masks_.push_back(mask);
    }
  }

  static std::vector<Collective> copies(std::span<const Collective* const> list) {
    std::vector<Collective> parts;
    for (const Collective* part : list) parts.push_back(*part);
    return parts;
  }

  void unpack_block(MessageBuffer& buffer, ForeignBlock& block) {
    block.rank = buffer.get<std::uint32_t>();
    block.comm = buffer.get<std::uint32_t>();
    block.first = buffer.get<std::uint32_t>();
    block.parts = buffer.get_all<Collective>();
    block.first_slot = foreign_parts_;
    foreign_parts_ += static_cast<std::uint32_t>(block.parts.size());
    unpack_masks(buffer, block);
  }

  using ForeignParts = FlatMap<std::uint32_t, const ForeignBlock*>;  // of one block, by rank

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
        member.slot = sent->first_slot + static_cast<std::uint32_t>(k);
      } else {
        member.part = here[k];
        member.slot = here[k]->index;
      }
    }
  };

  void visit_block(std::uint32_t comm, std::size_t block, const ForeignParts* foreign,
                   const std::function<void(const CollectiveInstance&)>& visit) {
    const auto all = members(comm);
    const bool meets_others = is_of_world(comm) && trace_.mpi_worlds().are_several();  // who spawned it
    if (all.size() < 2 && !meets_others) return;
    std::vector<MemberParts> parts(all.size());
    std::vector<CollectiveInstance::Member> instance(all.size());
    std::size_t most = 0;
    for (std::size_t m = 0; m < all.size(); ++m) {
      const std::uint32_t r = trace_.index_of(all[m]);
      instance[m] = {.world_rank = all[m], .rank_index = r};
      if (r == kNone32) continue;
      parts[m] = parts_of(r, comm, block, foreign);
      instance[m].masks = parts[m].sent ? &foreign_masks_ : &trace_.ranks()[r].partner_masks;
      most = std::max(most, parts[m].size());
    }
    for (std::size_t k = 0; k < most; ++k) {
      std::size_t present = 0;
      for (std::size_t m = 0; m < all.size(); ++m) {
        parts[m].describe(k, instance[m]);
        present += instance[m].part != nullptr;
      }
      if (present < all.size())
        note_incomplete(comm, block * kBlock + k, all.size() - present);
      else if (is_consistent(instance, local_size(comm) == all.size()))
        visit({instance, trace_, local_size(comm)});
      else
        trace_.faults().add(Fault::kInconsistentCollective, "communicator " + std::to_string(comm & ~kCreations),
                            block * kBlock + k);
    }
  }

  MemberParts parts_of(std::uint32_t r, std::uint32_t comm, std::size_t block, const ForeignParts* foreign) const {
    if (!trace_.is_hosted(r)) {
      const ForeignBlock* const* sent = foreign ? foreign->find(r) : nullptr;
      return {.here = {}, .sent = sent ? *sent : nullptr};
    }
    const auto list = lists_[r].of(comm);
    const std::size_t first = std::min(list.size(), block * kBlock);
    return {.here = list.subspan(first, std::min<std::size_t>(kBlock, list.size() - first))};
  }

  static bool is_consistent(const std::vector<CollectiveInstance::Member>& members, bool has_common_root) {
    return std::all_of(members.begin(), members.end(),
                       [&](const auto& member) { return agree(*member.part, *members[0].part, has_common_root); });
  }

  void note_incomplete(std::uint32_t comm, std::size_t instance, std::size_t missing) {
    if (is_of_world(comm)) return;  // runs without MPI, or cut short: not an operation of the application's
    trace_.faults().add(Fault::kIncompleteCollective, "communicator " + std::to_string(comm & ~kCreations), instance,
                        std::to_string(missing) + " members missing");
  }

  const Trace& trace_;
  ParallelArray<CollectiveLists> lists_;
  FlatMap<std::uint32_t, int> common_host_;  // by communicator: the process that hosts all members, or kSeveralHosts
  std::vector<std::vector<ForeignBlock>> foreign_;  // [analysis process]
  Rows<PartnerMask> foreign_masks_;
  std::uint32_t foreign_parts_ = 0;
};

CollectiveMatcher::CollectiveMatcher(const Trace& trace) : implementation_(std::make_unique<Implementation>(trace)) {}

CollectiveMatcher::~CollectiveMatcher() = default;

void CollectiveMatcher::for_each(const std::function<void(const CollectiveInstance&)>& visit) {
  implementation_->for_each(visit);
}

std::uint32_t CollectiveMatcher::foreign_parts() const { return implementation_->foreign_parts(); }

void CollectiveMatcher::send_back(const Put& put, const Get& get) const { implementation_->send_back(put, get); }

}  // namespace tarry
