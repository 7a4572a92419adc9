// field_names.hpp -- what the fields of records refer to, by name.
#pragma once

#include <optional>
#include <string_view>

#include "defs/definitions.hpp"
#include "trace/event.hpp"

namespace tarry {

/// The name of what a field refers to; none if its value is only a number. Ids must be defined.
inline std::optional<std::string_view> name_in(const Definitions& all, RegionId id) { return all.region_name(id); }
inline std::optional<std::string_view> name_in(const Definitions& all, CommId id) {
  return all.text(all.comms[id.value].name);
}
inline std::optional<std::string_view> name_in(const Definitions& all, WindowId id) {
  return all.text(all.windows[id.value].name);
}
inline std::optional<std::string_view> name_in(const Definitions& all, IoHandleId id) {
  return all.text(all.io_handles[id.value].name);
}
inline std::optional<std::string_view> name_in(const Definitions& all, CounterId id) {
  return all.text(all.counters[id.value].name);
}
inline std::optional<std::string_view> name_in(const Definitions&, CollectiveOp operation) {
  const std::string_view name = name_of(operation);
  return name.empty() ? std::nullopt : std::optional(name);
}
template <class Plain>
std::optional<std::string_view> name_in(const Definitions&, Plain) {
  return std::nullopt;
}

}  // namespace tarry
