// fingerprint.cpp -- a checksum of the content of a trace that does not depend on the layout of its files.
#include "trace/fingerprint.hpp"

#include <cstdio>
#include <string_view>

#include "base/arrays/flat_map.hpp"
#include "base/text/text_hash.hpp"
#include "trace/record.hpp"

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

namespace {

const std::vector<std::uint64_t>& table_of(const FingerprintTables& all, RegionId) { return all.regions; }
const std::vector<std::uint64_t>& table_of(const FingerprintTables& all, CommId) { return all.comms; }
const std::vector<std::uint64_t>& table_of(const FingerprintTables& all, WindowId) { return all.windows; }
const std::vector<std::uint64_t>& table_of(const FingerprintTables& all, GroupId) { return all.groups; }
const std::vector<std::uint64_t>& table_of(const FingerprintTables& all, IoHandleId) { return all.io_handles; }
const std::vector<std::uint64_t>& table_of(const FingerprintTables& all, CounterId) { return all.counters; }

}  // namespace

template <class Record>
std::uint64_t LocationFingerprint::add_fields(std::uint64_t hash, const Record& record) const {
  for_each_field(record, [&](auto field, auto is_optional, std::string_view) {
    std::uint64_t value = bits_of_field(field, is_optional);
    if constexpr (requires { table_of(tables_, field); })
      if (value != kNoField) value = table_of(tables_, field)[value];
    hash = combine(hash, value);
  });
  return hash;
}

void LocationFingerprint::add(std::span<const Event> events) {
  for (const Event& event : events) {
    same_time_ = event.time == last_time_ && sum_.events > 0 ? same_time_ + 1 : 0;
    last_time_ = event.time;
    Event known = event;
    if (event.kind == EventKind::kEnter) open_regions_.push_back(record_of<record::Enter>(event).region);
    if (event.kind == EventKind::kLeave && !open_regions_.empty()) {
      if (!record_of<record::Leave>(event).region.is_valid())
        set_record(known, record::Leave{.region = open_regions_.back()});
      open_regions_.pop_back();
    }
    std::uint64_t hash = combine(location_, static_cast<std::uint64_t>(event.time - tables_.origin));
    hash = combine(combine(hash, same_time_), static_cast<std::uint64_t>(event.kind));
    visit_record(known, [&](const auto& record) { hash = add_fields(hash, record); });
    ++sum_.events;
    sum_.low += hash;
    sum_.high += combine(hash, 0x7461727279u);
  }
}

}  // namespace tarry
