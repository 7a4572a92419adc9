// event.cpp -- the table of event kinds, built by the compiler from event_kinds.def.
#include "trace/event.hpp"

#include "trace/record.hpp"

namespace tarry {
namespace {

/// More than kMaxEventFields fields do not compile.
template <class Record>
constexpr EventKindInfo kind_info(std::string_view name) {
  EventKindInfo info{name, 0, {}};
  Record record;
  for_each_field(record, [&]<class Field>(Field&, auto is_optional, std::string_view field) {
    info.fields[info.field_count++] = {field, kFieldMeaning<Field>, is_optional};
  });
  return info;
}

constexpr std::array<EventKindInfo, 256> make_kinds() {
  std::array<EventKindInfo, 256> kinds{};
#define TARRY_EVENT(code, Name, text, fields) kinds[code] = kind_info<record::Name>(text);
#include "trace/event_kinds.def"
#undef TARRY_EVENT
  return kinds;
}

constexpr std::array<EventKindInfo, 256> kKinds = make_kinds();

constexpr int last_code() {
  int last = 0;
  for (int code = 0; code < 256; ++code)
    if (!kKinds[static_cast<std::size_t>(code)].name.empty()) last = code;
  return last;
}
static_assert(last_code() + 1 == kEventKindCount);

/// Indexed by CollectiveOp.
constexpr std::array<std::string_view, 23> kCollectiveNames = {
    "barrier",
    "bcast",
    "gather",
    "gatherv",
    "scatter",
    "scatterv",
    "allgather",
    "allgatherv",
    "alltoall",
    "alltoallv",
    "alltoallw",
    "allreduce",
    "reduce",
    "reduce_scatter",
    "scan",
    "exscan",
    "reduce_scatter_block",
    "create_handle",
    "destroy_handle",
    "allocate",
    "deallocate",
    "create_handle_and_allocate",
    "destroy_handle_and_deallocate",
};
static_assert(kCollectiveNames.size() == static_cast<std::size_t>(CollectiveOp::kDestroyHandleAndDeallocate) + 1);

}  // namespace

const EventKindInfo& info_of(std::uint8_t code) { return kKinds[code]; }

std::string_view name_of(CollectiveOp op) {
  const auto index = static_cast<std::size_t>(op);
  return index < kCollectiveNames.size() ? kCollectiveNames[index] : std::string_view();
}

}  // namespace tarry
