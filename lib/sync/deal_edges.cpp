// deal_edges.cpp -- brings each clock condition to the analysis processes that compute its clocks.
//
// The finder of a junction keeps its own part where it is, and sends the others. It numbers them for each process: the
// n-th part that comes from this finder. All processes know how many parts each finder has for each process. So they
// can tell where a part will lie among those of its process, the own ones first.
#include "sync/deal_edges.hpp"

#include <utility>
#include <vector>

namespace tarry {
namespace {

// What travels before the slots of a part.
struct PartHeader {
  std::uint32_t slots = 0;
  std::uint32_t unknown_causes = 0;  // of the whole junction
  std::uint32_t links = 0;
};

// The part of a junction for one process.
struct Part {
  std::uint32_t process = 0;
  std::uint32_t slots = 0;
  bool has_causes = false;
  bool has_effects = false;
};

// And what travels of a slot: before the forward pass nothing is moved.
struct PlainSlot {
  Ticks cause;
  Ticks effect;
  ClockId clock;
};

// Takes what this process found apart.
class Divider {
 public:
  Divider(CrossEdges& found, const ClockBlocks& blocks, std::size_t rank)
      : found_(found),
        blocks_(blocks),
        rank_(rank),
        buffers_(static_cast<std::size_t>(blocks.processes())),
        numbers_(buffers_.size(), 0),
        part_of_(buffers_.size()) {}

  // Leaves the own parts in `found`, which lie before or at what is still to be divided.
  void run() {
    for (std::size_t j = 0; j < found_.junctions.size(); ++j) divide(found_.junctions[j]);
    found_.junctions.resize(numbers_[rank_]);
    found_.junctions.finish();
    found_.slots.resize(kept_slots_);
    found_.slots.finish();
  }
  std::vector<MessageBuffer> take_buffers() { return std::move(buffers_); }
  // How many parts each process gets.
  const std::vector<std::uint64_t>& numbers() const { return numbers_; }

 private:
  using PartIndex = StrongId<struct JunctionPartTag>;

  void divide(const Junction junction) {
    const std::span<const ClockSlot> slots = found_.slots_of(junction);
    find_parts(slots);
    const auto links = static_cast<std::uint32_t>(parts_.size() - 1);
    for (const Part& part : parts_)
      part.process == rank_ ? keep(junction, part.slots, links)
                            : buffers_[part.process].put(PartHeader{part.slots, junction.unknown_causes, links});
    for (const ClockSlot slot : slots)
      if (const std::uint32_t process = host_of(slot); process == rank_) found_.slots[kept_slots_++] = slot;
      else buffers_[process].put(PlainSlot{slot.cause, slot.effect, slot.clock});
    for (const Part& part : parts_) add_links(part);
    for (const Part& part : parts_) {
      ++numbers_[part.process];
      part_of_[part.process] = PartIndex();
    }
    parts_.clear();
  }

  void find_parts(std::span<const ClockSlot> slots) {
    for (const ClockSlot& slot : slots) {
      const std::uint32_t process = host_of(slot);
      if (!part_of_[process].is_valid()) {
        part_of_[process] = parts_.next_id();
        parts_.push_back({.process = process});
      }
      Part& part = parts_[part_of_[process]];
      ++part.slots;
      part.has_causes |= slot.cause != kNoTime;
      part.has_effects |= slot.effect != kNoTime;
    }
  }

  void keep(Junction junction, std::uint32_t slots, std::uint32_t links) {
    junction.first_slot = kept_slots_;
    junction.slots = slots;
    junction.links = links ? found_.links.next_id() : LinkIndex();
    found_.junctions[numbers_[rank_]] = junction;
  }

  void add_links(const Part& part) {
    if (parts_.size() == 1) return;
    const Part& last = &part == &parts_.back() ? parts_[parts_.size() - 2] : parts_.back();
    for (const Part& other : parts_) {
      if (&other == &part) continue;
      const JunctionLink link{numbers_[other.process], other.process, other.has_causes, other.has_effects,
                              &other == &last};
      if (part.process == rank_) found_.links.push_back(link);
      else buffers_[part.process].put(link);
    }
  }

  std::uint32_t host_of(const ClockSlot& slot) const { return static_cast<std::uint32_t>(blocks_.host_of(slot.clock)); }

  CrossEdges& found_;
  const ClockBlocks& blocks_;
  const std::size_t rank_;
  std::vector<MessageBuffer> buffers_;
  std::vector<std::uint64_t> numbers_;
  std::uint64_t kept_slots_ = 0;
  std::vector<PartIndex> part_of_;               // of each process
  Indexed<PartIndex, std::vector<Part>> parts_;  // of one junction
};

// The parts that each finder has for each process.
class PartNumbers {
 public:
  PartNumbers(const std::vector<std::uint64_t>& own, Exchange& exchange) {
    MessageBuffer buffer;
    buffer.put_all(own);
    for (MessageBuffer& arrived : exchange.share(std::move(buffer)))
      numbers_.push_back(arrived.get_all<std::uint64_t>());
  }

  // The index of the first part that comes from `finder`, in the array of each process.
  std::vector<std::uint64_t> first_parts(std::size_t finder) const {
    std::vector<std::uint64_t> first(numbers_.size(), 0);
    for (std::size_t process = 0; process < first.size(); ++process) {
      if (process == finder) continue;
      first[process] = numbers_[process][process];
      for (std::size_t f = 0; f < finder; ++f)
        if (f != process) first[process] += numbers_[f][process];
    }
    return first;
  }

 private:
  std::vector<std::vector<std::uint64_t>> numbers_;  // by finder and process
};

void unpack_part(MessageBuffer& buffer, const std::vector<std::uint64_t>& first_parts, CrossEdges& edges) {
  const auto header = buffer.get<PartHeader>();
  edges.junctions.push_back({.first_slot = edges.slots.size(),
                             .slots = header.slots,
                             .unknown_causes = header.unknown_causes,
                             .links = header.links ? edges.links.next_id() : LinkIndex()});
  for (std::uint32_t s = 0; s < header.slots; ++s) {
    const auto slot = buffer.get<PlainSlot>();
    edges.slots.push_back({.cause = slot.cause, .effect = slot.effect, .clock = slot.clock});
  }
  for (std::uint32_t l = 0; l < header.links; ++l) {
    auto link = buffer.get<JunctionLink>();
    link.junction += first_parts[link.process];
    edges.links.push_back(link);
  }
}

}  // namespace

CrossEdges deal_edges(CrossEdges found, const ClockBlocks& blocks, Exchange& exchange) {
  if (exchange.size() == 1) return found;
  const auto rank = static_cast<std::size_t>(exchange.rank());
  Divider divider(found, blocks, rank);
  divider.run();
  const PartNumbers numbers(divider.numbers(), exchange);
  const std::vector<std::uint64_t> own_first_parts = numbers.first_parts(rank);
  for (JunctionLink& link : found.links) link.junction += own_first_parts[link.process];
  std::vector<MessageBuffer> arrived = exchange.all_to_all(divider.take_buffers());
  for (std::size_t finder = 0; finder < arrived.size(); ++finder) {
    const std::vector<std::uint64_t> first_parts = numbers.first_parts(finder);
    while (!arrived[finder].is_read()) unpack_part(arrived[finder], first_parts, found);
    arrived[finder] = {};
  }
  return found;
}

}  // namespace tarry
