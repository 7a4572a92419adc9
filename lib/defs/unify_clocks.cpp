// unify_clocks.cpp -- one clock for a run.
#include "defs/unify_clocks.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>

#include "defs/unify.hpp"

namespace tarry {
namespace {

// Ticks beyond this are no clock's; sums of smaller ones cannot overflow.
constexpr Ticks kMaxTicks = Ticks{1} << 61;
constexpr double kMaxRate = 1e12;

bool is_plausible(Ticks ticks) { return ticks > -kMaxTicks && ticks < kMaxTicks; }

Ticks to_ticks(double ticks) { return static_cast<Ticks>(std::llround(std::clamp(ticks, -1e18, 1e18))); }

}  // namespace

std::optional<ClockUnifier::Reading> ClockUnifier::parse_reading(std::string_view text) {
  Reading reading;
  const char* at = text.data();
  const char* const end = at + text.size();
  for (std::int64_t* value : {&reading.ticks, &reading.monotonic_ns, &reading.realtime_ns}) {
    while (at != end && *at == ' ') ++at;
    const auto parsed = std::from_chars(at, end, *value);
    if (parsed.ec != std::errc() || !is_plausible(*value)) return std::nullopt;
    at = parsed.ptr;
  }
  return reading;
}

double ClockUnifier::Domain::rate() const {
  if (first && last && last->ticks > first->ticks && last->monotonic_ns > first->monotonic_ns) {
    const double rate = 1e9 * static_cast<double>(last->ticks - first->ticks) /
                        static_cast<double>(last->monotonic_ns - first->monotonic_ns);
    if (rate < kMaxRate) return rate;
  }
  return declared_rate;
}

void ClockUnifier::add(const Definitions& process) {
  std::string_view name;
  std::optional<Reading> start, end;
  for (const Property& property : process.properties) {
    const std::string_view key = process.text(property.key);
    if (key == kClockDomainKey) name = process.text(property.value);
    if (key == kClockStartKey) start = parse_reading(process.text(property.value));
    if (key == kClockEndKey) end = parse_reading(process.text(property.value));
  }
  const auto [entry, is_new] = domain_of_name_.emplace(name, domains_.size());
  if (is_new) {
    domains_.emplace_back();
    if (process.clock.ticks_per_second < kMaxRate) domains_.back().declared_rate = process.clock.ticks_per_second;
  }
  domain_of_process_.push_back(entry->second);
  Domain& domain = domains_[entry->second];
  for (const auto& reading : {start, end}) {
    if (reading && (!domain.first || reading->ticks < domain.first->ticks)) domain.first = reading;
    if (reading && (!domain.last || reading->ticks > domain.last->ticks)) domain.last = reading;
  }
  for (const ClockOffset& offset : process.clock_offsets)
    if (is_plausible(offset.at) && is_plausible(offset.offset))
      domain.offsets.push_back({{}, offset.at, offset.offset});
}

// At least two points, so that a line goes through them; where the run ended before they were measured, the rates of
// the two clocks and, if need be, the wall-clock times of the nodes stand in. None if nothing is known.
std::vector<ClockOffset> ClockUnifier::offsets_to(const Domain& master, const Domain& domain) {
  constexpr double kSpanSeconds = 1000;
  std::vector<ClockOffset> offsets = domain.offsets;
  std::sort(offsets.begin(), offsets.end(), [](const auto& a, const auto& b) { return a.at < b.at; });
  offsets.erase(std::unique(offsets.begin(), offsets.end(), [](const auto& a, const auto& b) { return a.at == b.at; }),
                offsets.end());
  if (offsets.empty() && master.first && domain.first && master.first->realtime_ns && domain.first->realtime_ns) {
    const double apart_ns = static_cast<double>(domain.first->realtime_ns - master.first->realtime_ns);
    const Ticks at_master = master.first->ticks + to_ticks(apart_ns * 1e-9 * master.rate());
    offsets.push_back({{}, domain.first->ticks, at_master - domain.first->ticks});
  }
  if (offsets.size() == 1) {
    const Ticks later = offsets[0].at + to_ticks(kSpanSeconds * domain.rate());
    offsets.push_back({{}, later, offsets[0].offset + to_ticks(kSpanSeconds * (master.rate() - domain.rate()))});
  }
  return offsets;
}

void ClockUnifier::finish(Definitions& global) const {
  if (domains_.empty()) return;
  const Domain& master = domains_[0];
  global.clock.ticks_per_second = master.rate();
  if (master.first) {
    global.clock.origin = master.first->ticks;
    global.clock.epoch_ns = static_cast<std::uint64_t>(std::max<std::int64_t>(0, master.first->realtime_ns));
  }
  global.properties.push_back(
      {global.strings.intern("clock_domains"), global.strings.intern(std::to_string(domains_.size()))});
  std::vector<std::vector<ClockOffset>> offsets(domains_.size());
  for (std::size_t d = 1; d < domains_.size(); ++d) offsets[d] = offsets_to(master, domains_[d]);
  for (std::size_t p = 0; p < domain_of_process_.size(); ++p)
    for (ClockOffset offset : offsets[domain_of_process_[p]]) {
      offset.process = ProcessId(p);
      global.clock_offsets.push_back(offset);
    }
}

void set_clock_origin(Clock& clock, Ticks origin) {
  if (clock.epoch_ns != 0) {
    const double moved_ns =
        (static_cast<double>(origin) - static_cast<double>(clock.origin)) / clock.ticks_per_second * 1e9;
    const double epoch_ns = static_cast<double>(clock.epoch_ns) + moved_ns;
    clock.epoch_ns =
        epoch_ns > 0 && epoch_ns < 1.8e19 ? clock.epoch_ns + static_cast<std::uint64_t>(to_ticks(moved_ns)) : 0;
  }
  clock.origin = origin;
}

}  // namespace tarry
