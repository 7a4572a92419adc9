// early_ends.cpp -- reads what recorders have noted of an early end.
#include "defs/early_ends.hpp"

#include <cstdlib>

#include "defs/properties.hpp"
#include "defs/unify.hpp"

namespace tarry {
namespace {

/// Calls `visit(rank, value)` for each property whose key is that and a rank.
template <class Visit>
void each_of_rank(const Definitions& definitions, std::string_view key, Visit visit) {
  for (const Property& property : definitions.properties) {
    const std::string_view name = definitions.text(property.key);
    if (!name.starts_with(key)) continue;
    const std::string rank(name.substr(key.size()));
    visit(static_cast<std::uint32_t>(std::strtoul(rank.c_str(), nullptr, 10)), definitions.text(property.value));
  }
}

}  // namespace

std::optional<ProgramAbort> first_abort(const Definitions& definitions) {
  std::optional<ProgramAbort> first;
  each_of_rank(definitions, kAbortKey, [&](std::uint32_t rank, std::string_view value) {
    const std::size_t blank = value.find(' ');
    if (blank == std::string_view::npos) return;
    ProgramAbort abort{.rank = rank, .function = std::string(value.substr(blank + 1))};
    abort.epoch_nanoseconds = std::strtoull(std::string(value).c_str(), nullptr, 10);
    if (!first || abort.epoch_nanoseconds < first->epoch_nanoseconds) first = std::move(abort);
  });
  return first;
}

std::string what_it_did(const ProgramAbort& abort) {
  return abort.function == "MPI_Abort" ? "called MPI_Abort" : "ended the program in " + abort.function;
}

std::string why_recording_ended(const Definitions& definitions, std::int64_t rank) {
  return first_property(definitions, std::string(kRecordingEndKey) + std::to_string(rank));
}

std::string why_any_recording_ended(const Definitions& definitions) {
  std::string why = first_property(definitions, kEndedEarlyKey);  // of archives of Tarry 0.1 from before
  each_of_rank(definitions, kRecordingEndKey, [&](std::uint32_t, std::string_view value) {
    if (why.empty()) why = value;
  });
  return why;
}

}  // namespace tarry
