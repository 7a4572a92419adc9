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
  std::size_t index;
  Domain& domain = find_or_add(name, process.clock.ticks_per_second, index);
  domain_of_process_.push_back(index);
  domain.add(start);
  domain.add(end);
  for (const ClockOffset& offset : process.clock_offsets)
    if (is_plausible(offset.at) && is_plausible(offset.offset))
      domain.offsets.push_back({{}, offset.at, offset.offset});
}

ClockUnifier::Domain& ClockUnifier::find_or_add(std::string_view name, double declared_rate, std::size_t& index) {
  const auto [entry, is_new] = domain_of_name_.emplace(name, domains_.size());
  index = entry->second;
  if (is_new) {
    domains_.emplace_back();
    if (declared_rate < kMaxRate) domains_.back().declared_rate = declared_rate;
  }
  return domains_[index];
}

void ClockUnifier::Domain::add(const std::optional<Reading>& reading) {
  if (reading && (!first || reading->ticks < first->ticks)) first = reading;
  if (reading && (!last || reading->ticks > last->ticks)) last = reading;
}

void ClockUnifier::append(const ClockUnifier& next) {
  std::vector<std::size_t> index(next.domains_.size());
  std::vector<const std::string*> names(next.domains_.size());
  for (const auto& [name, number] : next.domain_of_name_) names[number] = &name;
  for (std::size_t d = 0; d < next.domains_.size(); ++d) {
    const Domain& theirs = next.domains_[d];
    Domain& domain = find_or_add(*names[d], theirs.declared_rate, index[d]);
    domain.add(theirs.first);
    domain.add(theirs.last);
    domain.offsets.insert(domain.offsets.end(), theirs.offsets.begin(), theirs.offsets.end());
  }
  for (const std::size_t number : next.domain_of_process_) domain_of_process_.push_back(index[number]);
}

void ClockUnifier::encode(ByteWriter& out) const {
  std::vector<const std::string*> names(domains_.size());
  for (const auto& [name, number] : domain_of_name_) names[number] = &name;
  out.varint(domains_.size());
  for (std::size_t d = 0; d < domains_.size(); ++d) {
    out.text(*names[d]);
    out.f64(domains_[d].declared_rate);
    for (const auto& reading : {domains_[d].first, domains_[d].last}) {
      out.u8(reading.has_value());
      if (!reading) continue;
      for (const std::int64_t number : {reading->ticks, reading->monotonic_ns, reading->realtime_ns})
        out.varint(zigzag(number));
    }
    out.varint(domains_[d].offsets.size());
    for (const ClockOffset& offset : domains_[d].offsets) {
      out.varint(zigzag(offset.at));
      out.varint(zigzag(offset.offset));
    }
  }
  out.varint(domain_of_process_.size());
  for (const std::size_t number : domain_of_process_) out.varint(number);
}

void ClockUnifier::decode(ByteReader& in) {
  for (std::uint64_t left = in.varint(); left > 0 && !in.failed(); --left) {
    const std::string_view name = in.text();
    const double declared_rate = in.f64();
    std::size_t index;
    Domain& domain = find_or_add(name, declared_rate, index);
    for (std::optional<Reading>* reading : {&domain.first, &domain.last}) {
      if (in.u8() == 0) continue;
      *reading = Reading{};
      for (std::int64_t* number : {&(*reading)->ticks, &(*reading)->monotonic_ns, &(*reading)->realtime_ns})
        *number = unzigzag(in.varint());
    }
    for (std::uint64_t offsets = in.varint(); offsets > 0 && !in.failed(); --offsets) {
      const Ticks at = unzigzag(in.varint());
      domain.offsets.push_back({{}, at, unzigzag(in.varint())});
    }
  }
  for (std::uint64_t left = in.varint(); left > 0 && !in.failed(); --left) {
    const std::uint64_t number = in.varint();
    if (number >= domains_.size()) in.fail();
    domain_of_process_.push_back(number);
  }
}

// At least two points, so that a line goes through them. If the run ended before they were measured, they follow
// from the rates of the two clocks and, if need be, the nodes' wall-clock times. None if nothing is known.
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
