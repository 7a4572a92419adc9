// definition_codec.hpp -- definitions to bytes and back (docs/FORMAT.md, "Definitions").
//
// Definitions are a sequence of records: tag, varint length, fields. Ids are not stored: the k-th record of a tag has
// id k, unless it holds many. Strings are in the records that use them. A process appends records while it runs, so
// that a prefix of the sequence is always valid; a reader skips tags it does not know.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "base/bytes/bytes.hpp"
#include "base/result.hpp"
#include "defs/definitions.hpp"

namespace tarry {

enum class DefinitionTag : std::uint8_t {
  kEnd = 0,  // a zero byte ends the sequence
  kRegion = 1,
  kSystemNode = 2,
  kProcess = 3,
  kLocation = 4,
  kGroup = 5,
  kCommunicator = 6,
  kWindow = 7,
  kClock = 8,
  kClockOffset = 9,
  kProperty = 10,
  kIoHandle = 11,
  kCounter = 12,
  kCart = 13,
  kNeighborhood = 14,
  kSystem = 15,
  kSystemNames = 16,
  kGroupTable = 17,
  kCommunicatorTable = 18,  // many definitions in one record
  kCommunicatorName = 19,
  kWindowName = 20,  // given later than the definition
};

/// The fields of one record with their strings, as a process that is being measured hands them over.
struct RegionRecord {
  std::string_view name = {}, mangled_name = {}, file = {};
  std::uint32_t begin_line = 0, end_line = 0;
  Paradigm paradigm = Paradigm::kUnknown;
  RegionRole role = RegionRole::kUnknown;
  RegionId base = {};  // if valid, what is empty above is that of this region
  std::string_view site_file = {};
  std::uint32_t site_line = 0;
  RegionId inlined_in = {};
  std::string_view code_file = {};
  std::uint64_t code_address = 0;
};

struct CounterRecord {
  std::string_view name, unit, description;
  CounterMode mode = CounterMode::kSinceStart;
  CounterType type = CounterType::kUnsigned;
  CounterSource source = CounterSource::kOther;
};

void encode_region(ByteWriter& out, const RegionRecord& region);
void encode_system_node(ByteWriter& out, std::string_view name, std::string_view class_name, SystemNodeId parent);
void encode_process(ByteWriter& out, std::string_view name, const Process& process);
void encode_location(ByteWriter& out, std::string_view name, const Location& location, std::string_view device = {});
void encode_group(ByteWriter& out, std::string_view name, std::span<const std::uint32_t> members,
                  Paradigm paradigm = Paradigm::kMpi);
void encode_communicator(ByteWriter& out, std::string_view name, const Communicator& comm);
void encode_communicator_name(ByteWriter& out, CommId comm, std::string_view name);
void encode_window(ByteWriter& out, std::string_view name, const Window& window);
void encode_window_name(ByteWriter& out, WindowId window, std::string_view name);
void encode_io_handle(ByteWriter& out, std::string_view name, CommId comm);
void encode_cart(ByteWriter& out, const CartTopology& cart, const Interner& strings);
void encode_neighborhood(ByteWriter& out, const Neighborhood& neighborhood);
void encode_counter(ByteWriter& out, const CounterRecord& counter);
void encode_clock(ByteWriter& out, const Clock& clock);
void encode_clock_offset(ByteWriter& out, const ClockOffset& offset);
void encode_property(ByteWriter& out, std::string_view key, std::string_view value);

/// All tables in their order.
void encode_definitions(ByteWriter& out, const Definitions& definitions);

/// The same for a whole run: system, groups and communicators in one record each where that is shorter
/// (sequence_codec.hpp).
void encode_run_definitions(ByteWriter& out, const Definitions& definitions);

/// Appends the records in `bytes` to `definitions`. Stops at the end or at a zero byte; fails on a malformed record,
/// keeping what came before it. References are checked by the caller (unify, open).
Status decode_definitions(std::span<const std::uint8_t> bytes, Definitions& definitions);

}  // namespace tarry
