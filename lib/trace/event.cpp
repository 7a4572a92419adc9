// event.cpp -- the table of event kinds, built by the compiler from event_kinds.def.
#include "trace/event.hpp"

namespace tarry {
namespace {

constexpr FieldMeaning meaning_of(std::string_view field) {
  if (field == "region") return FieldMeaning::kRegion;
  if (field == "comm") return FieldMeaning::kComm;
  if (field == "window") return FieldMeaning::kWindow;
  if (field == "group") return FieldMeaning::kGroup;
  if (field == "handle") return FieldMeaning::kIoHandle;
  if (field == "metric") return FieldMeaning::kCounter;
  return FieldMeaning::kPlain;
}

/// "operation comm root? sent" as a table; more than kMaxEventFields fields do not compile.
constexpr EventKindInfo parse_kind(std::string_view name, std::string_view fields) {
  EventKindInfo info{name, 0, {}};
  while (!fields.empty()) {
    const std::size_t end = fields.find(' ');
    std::string_view field = fields.substr(0, end);
    fields.remove_prefix(end == std::string_view::npos ? fields.size() : end + 1);
    const bool is_optional = field.back() == '?';
    if (is_optional) field.remove_suffix(1);
    info.fields[info.field_count++] = {field, meaning_of(field), is_optional};
  }
  return info;
}

constexpr std::array<EventKindInfo, 256> make_kinds() {
  std::array<EventKindInfo, 256> kinds{};
#define TARRY_EVENT(code, identifier, name, fields) kinds[code] = parse_kind(name, fields);
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
