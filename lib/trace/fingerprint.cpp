// fingerprint.cpp -- a checksum of the content of a trace that does not depend on the layout of its files.
#include "trace/fingerprint.hpp"

#include <cstdio>
#include <string_view>

#include "base/flat_map.hpp"
#include "base/text_hash.hpp"

namespace tarry {
namespace {

std::uint64_t combine(std::uint64_t seed, std::uint64_t value) { return mix_bits(seed * 0x9e3779b97f4a7c15u ^ value); }

std::uint64_t combine(std::uint64_t seed, std::string_view text) { return combine(hash_text(text, seed), text.size()); }

}  // namespace

std::string Fingerprint::text() const {
  char line[96];
  std::snprintf(line, sizeof line, "%llu events, fingerprint %016llx%016llx", static_cast<unsigned long long>(events),
                static_cast<unsigned long long>(high), static_cast<unsigned long long>(low));
  return line;
}

FingerprintTables::FingerprintTables(const Definitions& all) : origin(all.clock.origin) {
  for (const Location& location : all.locations)
    locations.push_back(combine(all.processes[location.process.value].rank, location.thread));
  for (const Region& region : all.regions) {
    std::uint64_t hash = combine(1, all.text(region.name));
    hash = combine(combine(hash, all.text(region.mangled_name)), all.text(region.file));
    hash = combine(combine(hash, region.begin_line), region.end_line);
    regions.push_back(
        combine(combine(hash, static_cast<std::uint64_t>(region.paradigm)), static_cast<std::uint64_t>(region.role)));
  }
  const auto hash_of_group = [&](std::uint64_t hash, GroupId group) {
    if (!group.is_valid()) return combine(hash, 0);
    for (const std::uint32_t member : all.groups[group.value].members) hash = combine(hash, member);
    return combine(hash, all.groups[group.value].members.size());
  };
  for (const Communicator& comm : all.comms)
    comms.push_back(hash_of_group(hash_of_group(combine(2, all.text(comm.name)), comm.group), comm.remote_group));
  for (std::size_t i = 0; i < all.groups.size(); ++i) groups.push_back(hash_of_group(4, GroupId(i)));
  for (const IoHandle& handle : all.io_handles) io_handles.push_back(combine(5, all.text(handle.name)));
  for (const Counter& counter : all.counters) counters.push_back(combine(6, all.text(counter.name)));
  for (const Window& window : all.windows)
    windows.push_back(
        combine(combine(3, all.text(window.name)), window.comm.is_valid() ? comms[window.comm.value] : 0));
}

std::uint64_t LocationFingerprint::meaning_of(const FieldInfo& field, std::uint64_t value) const {
  if (field.is_optional && value == kNoField) return value;
  switch (field.meaning) {
    case FieldMeaning::kRegion: return tables_.regions[value];
    case FieldMeaning::kComm: return tables_.comms[value];
    case FieldMeaning::kWindow: return tables_.windows[value];
    case FieldMeaning::kGroup: return tables_.groups[value];
    case FieldMeaning::kIoHandle: return tables_.io_handles[value];
    case FieldMeaning::kCounter: return tables_.counters[value];
    case FieldMeaning::kPlain: break;
  }
  return value;
}

void LocationFingerprint::add(std::span<const Event> events) {
  for (const Event& event : events) {
    same_time_ = event.time == last_time_ && sum_.events > 0 ? same_time_ + 1 : 0;
    last_time_ = event.time;
    Event known = event;
    if (event.kind == EventKind::kEnter) open_regions_.push_back(event.fields[0]);
    if (event.kind == EventKind::kLeave && !open_regions_.empty()) {
      if (event.fields[0] == kNoField) known.fields[0] = open_regions_.back();
      open_regions_.pop_back();
    }
    std::uint64_t hash = combine(location_, static_cast<std::uint64_t>(event.time - tables_.origin));
    hash = combine(combine(hash, same_time_), static_cast<std::uint64_t>(event.kind));
    const EventKindInfo& info = info_of(event.kind);
    for (int i = 0; i < info.field_count; ++i) hash = combine(hash, meaning_of(info.fields[i], known.fields[i]));
    ++sum_.events;
    sum_.low += hash;
    sum_.high += combine(hash, 0x7461727279u);
  }
}

}  // namespace tarry
