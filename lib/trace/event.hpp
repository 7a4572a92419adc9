// event.hpp -- one event in memory, as every source delivers it to every tool.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "base/units.hpp"
#include "defs/definitions.hpp"

namespace tarry {

enum class EventKind : std::uint8_t {
  kNone = 0,
#define TARRY_EVENT(code, Name, text, fields) k##Name = code,
#include "trace/event_kinds.def"
#undef TARRY_EVENT
};

/// One past the largest code in event_kinds.def.
inline constexpr int kEventKindCount = 64;
static_assert(kEventKindCount <= 64, "a record begins with code << 2 in one byte: a new fact is an ATTRIBUTE");
inline constexpr int kMaxEventFields = 6;

/// Value of a field that is absent (only a TARRY_OPTIONAL field of event_kinds.def).
inline constexpr std::uint64_t kNoField = ~std::uint64_t{0};

using MessageTag = std::uint64_t;
using RequestId = std::uint64_t;
/// A team of threads; in traces of OTF2 a communicator.
using TeamId = StrongId<struct TeamTag, std::uint64_t>;

/// Of ATTRIBUTE: the visit of the open region represents `value` calls, made one right after the other.
inline constexpr std::uint64_t kCallsAttribute = 1;

/// Of ATTRIBUTE: in the last `value` ticks until now the thread used no processor and wanted none, in the open region
/// itself.
inline constexpr std::uint64_t kBlockedAttribute = 2;

/// Of ATTRIBUTE, in a call of an accelerator's library: the number of the queue that it names, as Location::thread.
inline constexpr std::uint64_t kQueueAttribute = 3;

/// Of ATTRIBUTE: the number of a piece of an accelerator's work, in the call that starts it and where it is executed.
inline constexpr std::uint64_t kWorkAttribute = 4;

/// Of ATTRIBUTE, on a queue: how many bytes a copy moves.
inline constexpr std::uint64_t kBytesAttribute = 5;

/// Of ATTRIBUTE, on a queue: the number of the latest earlier work of the queue that the work needs; 0: it needs none.
inline constexpr std::uint64_t kNeedsAttribute = 6;

/// Of ATTRIBUTE, right in front of a record of OpenSHMEM: the place in memory that it is about. All processes have the
/// same number for it.
inline constexpr std::uint64_t kPlaceAttribute = 7;

/// What a field of an event is, where a reader has to translate it from the numbering of one process to the global.
enum class FieldMeaning : std::uint8_t { kPlain, kRegion, kComm, kWindow, kGroup, kIoHandle, kCounter };

struct FieldInfo {
  std::string_view name;
  FieldMeaning meaning = FieldMeaning::kPlain;
  bool is_optional = false;
};

struct EventKindInfo {
  std::string_view name;  // as in dumps; empty for a code that is not in use
  std::uint8_t field_count = 0;
  std::array<FieldInfo, kMaxEventFields> fields;
};

/// Facts about `kind`; `code` may be any byte.
const EventKindInfo& info_of(std::uint8_t code);
inline const EventKindInfo& info_of(EventKind kind) { return info_of(static_cast<std::uint8_t>(kind)); }

/// MPI collective operations, numbered as in OTF2_CollectiveOp.
enum class CollectiveOp : std::uint8_t {
  kBarrier,
  kBcast,
  kGather,
  kGatherv,
  kScatter,
  kScatterv,
  kAllgather,
  kAllgatherv,
  kAlltoall,
  kAlltoallv,
  kAlltoallw,
  kAllreduce,
  kReduce,
  kReduceScatter,
  kScan,
  kExscan,
  kReduceScatterBlock,
  kCreateHandle,
  kDestroyHandle,
  kAllocate,
  kDeallocate,
  kCreateHandleAndAllocate,
  kDestroyHandleAndDeallocate,
};

/// Lower-case name ("allgatherv"); empty if out of range.
std::string_view name_of(CollectiveOp op);

/// One event: 64 bytes, one cache line. What its fields are says the type of its kind (trace/record.hpp). Ids are those
/// of the source's definitions, `time` is on the source's clock with corrections applied, and never decreases within a
/// location.
struct Event {
  Ticks time = 0;
  EventKind kind = EventKind::kNone;
  std::array<std::uint64_t, kMaxEventFields> fields{};
};
static_assert(sizeof(Event) == 64);

}  // namespace tarry
