// deal_edges.cpp -- brings each clock condition to the analysis processes that compute its clocks.
//
// The finder of a junction numbers its parts for each process: the n-th part that it sends there. Everybody knows how
// many parts each finder sends to each process, so all can tell where a part will lie in its process's array.
#include "deal_edges.hpp"

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

class Sender {
 public:
  Sender(const CrossEdges& found, const ClockBlocks& blocks)
      : found_(found),
        blocks_(blocks),
        parcels_(static_cast<std::size_t>(blocks.processes())),
        numbers_(parcels_.size(), 0),
        place_(parcels_.size(), kNone32) {}

  void pack() {
    for (const Junction& junction : found_.junctions) pack_junction(junction);
  }
  std::vector<Parcel> take_parcels() { return std::move(parcels_); }
  // How many parts each process gets.
  const std::vector<std::uint64_t>& numbers() const { return numbers_; }

 private:
  void pack_junction(const Junction& junction) {
    find_parts(found_.slots_of(junction));
    for (const Part& part : parts_)
      parcels_[part.process].put(
          PartHeader{part.slots, junction.unknown_causes, static_cast<std::uint32_t>(parts_.size() - 1)});
    for (const ClockSlot& slot : found_.slots_of(junction))
      parcels_[host_of(slot)].put(PlainSlot{slot.cause, slot.effect, slot.clock});
    for (const Part& part : parts_) pack_links(part);
    for (const Part& part : parts_) {
      ++numbers_[part.process];
      place_[part.process] = kNone32;
    }
    parts_.clear();
  }

  void find_parts(std::span<const ClockSlot> slots) {
    for (const ClockSlot& slot : slots) {
      const std::uint32_t process = host_of(slot);
      if (place_[process] == kNone32) {
        place_[process] = static_cast<std::uint32_t>(parts_.size());
        parts_.push_back({.process = process});
      }
      Part& part = parts_[place_[process]];
      ++part.slots;
      part.has_causes |= slot.cause != kNoTime;
      part.has_effects |= slot.effect != kNoTime;
    }
  }

  void pack_links(const Part& part) {
    if (parts_.size() == 1) return;
    const Part& last = &part == &parts_.back() ? parts_[parts_.size() - 2] : parts_.back();
    for (const Part& other : parts_)
      if (&other != &part)
        parcels_[part.process].put(JunctionLink{numbers_[other.process], other.process, other.has_causes,
                                                other.has_effects, &other == &last});
  }

  std::uint32_t host_of(const ClockSlot& slot) const { return static_cast<std::uint32_t>(blocks_.host_of(slot.clock)); }

  const CrossEdges& found_;
  const ClockBlocks& blocks_;
  std::vector<Parcel> parcels_;
  std::vector<std::uint64_t> numbers_;
  std::vector<std::uint32_t> place_;  // of each process: index into parts_
  std::vector<Part> parts_;           // of one junction
};

void unpack_part(Parcel& parcel, const std::vector<std::uint64_t>& parts_before, CrossEdges& edges) {
  const auto header = parcel.get<PartHeader>();
  edges.junctions.push_back({.first_slot = edges.slots.size(),
                             .slots = header.slots,
                             .unknown_causes = header.unknown_causes,
                             .links = header.links ? static_cast<std::uint32_t>(edges.links.size()) : kNone32});
  for (std::uint32_t s = 0; s < header.slots; ++s) {
    const auto slot = parcel.get<PlainSlot>();
    edges.slots.push_back({.cause = slot.cause, .effect = slot.effect, .clock = slot.clock});
  }
  for (std::uint32_t l = 0; l < header.links; ++l) {
    auto link = parcel.get<JunctionLink>();
    link.junction += parts_before[link.process];
    edges.links.push_back(link);
  }
}

}  // namespace

CrossEdges deal_edges(CrossEdges found, const ClockBlocks& blocks, Exchange& exchange) {
  if (exchange.size() == 1) return found;
  Sender sender(found, blocks);
  sender.pack();
  CrossEdges edges;
  edges.latency = found.latency;
  found = {};
  Parcel numbers;
  numbers.put_all(sender.numbers());
  std::vector<Parcel> all_numbers = exchange.share(std::move(numbers));
  std::vector<Parcel> arrived = exchange.all_to_all(sender.take_parcels());
  std::vector<std::uint64_t> parts_before(arrived.size(), 0);  // at each process, of finders of lower rank
  for (std::size_t finder = 0; finder < arrived.size(); ++finder) {
    while (!arrived[finder].is_read()) unpack_part(arrived[finder], parts_before, edges);
    arrived[finder] = {};
    const auto sent = all_numbers[finder].get_all<std::uint64_t>();
    for (std::size_t p = 0; p < sent.size(); ++p) parts_before[p] += sent[p];
  }
  return edges;
}

}  // namespace tarry
