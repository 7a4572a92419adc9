// unify_contents.cpp -- unifies the definitions of an archive, over a tree of workers and of processes.
#include "archive/finishing/unify_contents.hpp"

#include <algorithm>
#include <iterator>
#include <limits>

#include "defs/definition_block.hpp"
#include "defs/system_tree.hpp"
#include "trace/correction.hpp"

namespace tarry {
namespace {

// What the first member tells the others.
enum class Order : std::uint8_t { kEnd, kOpen, kUnify };

// The processes of the archive that belong to one analysis process, over a tree of its workers.
class LocalTree {
 public:
  LocalTree(const ArchiveContents& contents, std::size_t begin, std::size_t end, unsigned workers, FaultLog& faults)
      : workers_(workers), group_(std::max(1u, workers)) {
    std::vector<std::uint32_t> numbers;
    for (const auto& [number, chunks] : contents.processes()) numbers.push_back(number);
    const std::size_t count = end - begin, blocks = std::max(1u, workers);
    std::vector<DefinitionBlock> own(blocks);
    run_parallel(workers, blocks, [&](std::size_t b) {
      for (std::size_t i = begin + count * b / blocks; i < begin + count * (b + 1) / blocks; ++i)
        own[b].add(contents.load_definitions(numbers[i], faults));
    });
    for (DefinitionBlock& block : own) members_.emplace_back(std::move(block));
    outcomes_.resize(blocks);
    run(&VirtualGroup::run_up, [&](GroupTransport& group, std::uint32_t rank) { return members_[rank].up(group); });
  }

  /// Everything that was unified here.
  DefinitionBlock& block() { return members_[0].block(); }

  /// The maps of all processes, led on to what the ids of block() become.
  Result<std::vector<IdMap>> maps(const IdMap& onward) {
    run(&VirtualGroup::run_down, [&](GroupTransport& group, std::uint32_t rank) -> Status {
      TARRY_TRY(members_[rank].down(group, rank == 0 ? onward : IdMap()));
      return {};
    });
    for (const Status& outcome : outcomes_) TARRY_TRY(outcome);
    std::vector<IdMap> maps;
    for (DefinitionMember& member : members_)
      for (LocalMap& map : member.block().maps()) maps.push_back(std::move(map.map));
    return maps;
  }

 private:
  template <class Job>
  void run(void (VirtualGroup::*direction)(const VirtualGroup::Job&, unsigned), const Job& job) {
    (group_.*direction)(
        [&](GroupTransport& group, std::uint32_t rank) {
          if (const Status outcome = job(group, rank); !outcome.ok()) outcomes_[rank] = outcome;
        },
        workers_);
  }

  unsigned workers_;
  VirtualGroup group_;
  std::vector<DefinitionMember> members_;
  std::vector<Status> outcomes_;
};

void set_origin(const ArchiveContents& contents, Definitions& all) {
  const std::vector<TimeMap> time_maps = time_maps_of(all);
  Ticks first = std::numeric_limits<Ticks>::max();
  std::size_t index = 0;
  for (const auto& [number, chunks] : contents.processes()) {  // in the order of ranks, as the global processes are
    for (const auto& [thread, places] : chunks.events)
      first = std::min(first, time_maps[index].apply(places.front().chunk.header.first_time));
    ++index;
  }
  if (first != std::numeric_limits<Ticks>::max()) set_clock_origin(all.clock, first);
}

// ---- several processes ----------------------------------------------------------------------------------------------

LocalTree tree_of(const GroupTransport& group, const ArchiveContents& contents, FaultLog& faults) {
  const std::size_t count = contents.processes().size();
  return LocalTree(contents, count * group.rank() / group.size(), count * (group.rank() + 1) / group.size(),
                   available_processors(), faults);
}

// Unifies what was unified here with what the other processes have; the first one gets everything.
Result<std::vector<IdMap>> unify_over(GroupTransport& group, LocalTree& tree, Definitions* everything) {
  std::vector<LocalMap> maps = std::move(tree.block().maps());
  DefinitionMember member(std::move(tree.block()));
  const Status up = member.up(group);
  if (everything) *everything = member.block().finish();
  TARRY_TRY_ASSIGN(onward, member.down(group));
  TARRY_TRY(up);
  tree.block().maps() = std::move(maps);
  return tree.maps(onward);
}

void encode_faults(ByteWriter& out, const FaultLog& faults) {
  const std::vector<FaultLog::Place> places = faults.places();
  out.varint(places.size());
  for (std::size_t i = 0; i < places.size(); ++i) {
    const FaultLog::Place& place = places[i];
    // The first place of a kind represents those that are not listed.
    const bool is_first = i == 0 || places[i - 1].fault != place.fault;
    const auto listed = static_cast<std::uint64_t>(std::count_if(
        places.begin(), places.end(), [&](const FaultLog::Place& other) { return other.fault == place.fault; }));
    out.u8(static_cast<std::uint8_t>(place.fault));
    out.text(place.location);
    out.varint(place.position);
    out.text(place.detail);
    out.varint(is_first ? faults.count(place.fault) - (listed - 1) : 1);
  }
}

Status decode_faults(ByteReader& in, FaultLog& faults) {
  for (std::uint64_t left = in.varint(); left > 0 && !in.failed(); --left) {
    const std::uint8_t fault = in.u8();
    std::string location(in.text());
    const std::uint64_t position = in.varint();
    std::string detail(in.text());
    const std::uint64_t count = in.varint();
    if (fault >= static_cast<std::uint8_t>(Fault::kCount)) in.fail();
    if (!in.failed()) faults.add(static_cast<Fault>(fault), std::move(location), position, std::move(detail), count);
  }
  return in.failed() ? Status(Error{"faults of another process", "are malformed", ""}) : Status();
}

void tell_all(GroupTransport& group, Order order) {
  for (std::uint32_t to = 1; to < group.size(); ++to) group.send(to, {static_cast<std::uint8_t>(order)});
}

// How much of the archive a member sees: it may lie on a file system that is not the same everywhere.
Message size_of(const ArchiveContents& contents) {
  ByteWriter out;
  out.varint(contents.processes().size());
  out.varint(contents.files().size());
  return std::move(out.bytes());
}

}  // namespace

UnifiedDefinitions unify_contents(const ArchiveContents& contents, FaultLog& faults, unsigned workers) {
  LocalTree tree(contents, 0, contents.processes().size(), workers, faults);
  UnifiedDefinitions unified;
  unified.global = tree.block().finish();
  if (auto maps = tree.maps({}); maps.ok()) unified.maps = std::move(*maps);
  set_origin(contents, unified.global);
  return unified;
}

Result<UnifiedDefinitions> unify_contents_with(GroupTransport& group, const ArchiveContents& contents,
                                               FaultLog& faults) {
  if (group.size() == 1) return unify_contents(contents, faults);
  tell_all(group, Order::kOpen);
  const Message own = size_of(contents);
  bool is_same = true;
  for (std::uint32_t from = 1; from < group.size(); ++from) is_same = (group.receive(from) == own) && is_same;
  if (!is_same) {
    tell_all(group, Order::kEnd);
    return Error{"the archive", "is not the same for all processes", "run 'tarry unify' without a launcher"};
  }
  tell_all(group, Order::kUnify);
  LocalTree tree = tree_of(group, contents, faults);
  UnifiedDefinitions unified;
  Status outcome;
  if (auto maps = unify_over(group, tree, &unified.global); maps.ok()) unified.maps = std::move(*maps);
  else outcome = maps.error();
  for (std::uint32_t from = 1; from < group.size(); ++from) {
    const Message message = group.receive(from);
    ByteReader in(message);
    auto theirs = decode_id_maps(in.take(in.varint()));
    if (theirs.ok()) std::move(theirs->begin(), theirs->end(), std::back_inserter(unified.maps));
    else outcome = theirs.error();
    if (const Status noted = decode_faults(in, faults); !noted.ok()) outcome = noted;
  }
  TARRY_TRY(outcome);
  set_origin(contents, unified.global);
  return unified;
}

Status help_unifying(GroupTransport& group, const std::string& archive) {
  const auto order = [&] {
    const Message message = group.receive(0);
    return message.empty() ? Order::kEnd : static_cast<Order>(message[0]);
  };
  if (order() == Order::kEnd) return {};
  FaultLog noted_by_the_first;
  auto contents = ArchiveContents::open(archive, noted_by_the_first);
  group.send(0, contents.ok() ? size_of(*contents) : Message());
  if (order() == Order::kEnd) return contents.ok() ? Status() : Status(contents.error());
  FaultLog faults;
  LocalTree tree = tree_of(group, *contents, faults);
  const auto maps = unify_over(group, tree, nullptr);
  ByteWriter tables, out;
  encode_id_maps(tables, maps.ok() ? std::span(maps.value()) : std::span<const IdMap>());
  out.varint(tables.bytes().size());
  out.raw(tables.bytes().data(), tables.bytes().size());
  encode_faults(out, faults);
  group.send(0, std::move(out.bytes()));
  return maps.ok() ? Status() : Status(maps.error());
}

void release_helpers(GroupTransport& group) { tell_all(group, Order::kEnd); }

}  // namespace tarry
