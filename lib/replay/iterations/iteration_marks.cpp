// iteration_marks.cpp -- which regions are the iterations of a time series, and how their visits are numbered.
#include "replay/iterations/iteration_marks.hpp"

#include <algorithm>
#include <optional>

#include "base/tool/closest.hpp"
#include "base/text/glob.hpp"
#include "defs/iteration_name.hpp"

namespace tarry {
namespace {

constexpr std::size_t kMostValues = std::size_t{1} << 18;  // of one metric: groups x locations
constexpr std::size_t kMostGroups = 4096, kLeastGroups = 32;

std::optional<IterationName> iteration_name_of(const Definitions& definitions, const Region& region) {
  if (!is_dynamic(region.role)) return std::nullopt;
  return split_iteration_name(definitions.text(region.name));
}

}  // namespace

IterationMarks::IterationMarks(const Definitions& definitions, std::string name, bool is_marked_loop)
    : name_(std::move(name)),
      is_marked_loop_(is_marked_loop),
      kinds_(definitions.regions.size(), kNone),
      most_groups_(std::clamp(kMostValues / std::max<std::size_t>(1, definitions.locations.size()), kLeastGroups,
                              kMostGroups)) {}

Result<IterationMarks> IterationMarks::find(const Definitions& definitions, const std::string& name) {
  IterationMarks loop(definitions, name, true), visits(definitions, name, false);
  std::vector<std::pair<std::size_t, std::int64_t>> numbered;
  bool has_loop = false, has_visits = false;
  std::vector<std::string> names;
  for (std::size_t r = 0; r < definitions.regions.size(); ++r) {
    const Region& region = definitions.regions[r];
    const auto iteration = iteration_name_of(definitions, region);
    names.emplace_back(iteration ? iteration->loop : definitions.text(region.name));
    if (iteration && iteration->loop == name) {
      has_loop = true;
      loop.kinds_[r] = kByVisits;
      if (iteration->number) numbered.emplace_back(r, *iteration->number);
    } else if (!iteration && is_named(names.back(), name)) {
      has_visits = true;
      visits.kinds_[r] = kByVisits;
    }
  }
  if (!has_loop && !has_visits)
    return Error{"'" + name + "'", "is no region of the trace and no marked loop",
                 names.empty() ? "" : "the nearest is '" + closest_name(name, names) + "'"};
  if (!has_loop) return visits;
  for (const auto& [region, number] : numbered) loop.numbers_.push_back(number);
  std::ranges::sort(loop.numbers_);
  const auto repeated = std::ranges::unique(loop.numbers_);
  loop.numbers_.erase(repeated.begin(), repeated.end());
  for (const auto& [region, number] : numbered) {
    const auto at = std::ranges::lower_bound(loop.numbers_, number);
    loop.kinds_[region] = static_cast<std::uint32_t>(at - loop.numbers_.begin());
  }
  return loop;
}

IterationMarks IterationMarks::of_marked_loop(const Definitions& definitions) {
  for (const Region& region : definitions.regions)
    if (const auto iteration = iteration_name_of(definitions, region))
      if (auto found = find(definitions, std::string(iteration->loop)); found.ok()) return std::move(*found);
  return {};
}

std::int64_t IterationMarks::number_at(std::uint64_t ordinal) const {
  if (ordinal < numbers_.size()) return numbers_[static_cast<std::size_t>(ordinal)];
  const auto behind = static_cast<std::uint64_t>(numbers_.empty() ? -1 : numbers_.back());
  const std::uint64_t room = std::uint64_t{INT64_MAX} - behind;  // modulo 2^64: right for negative numbers, too
  return static_cast<std::int64_t>(behind + std::min<std::uint64_t>(room, ordinal - numbers_.size() + 1));
}

IterationGroup IterationMarks::group_of(std::uint64_t ordinal) const {
  const int level = shift_of(ordinal + 1);
  const std::uint64_t number = ordinal >> level;
  return {number << level, static_cast<std::uint32_t>(level) * static_cast<std::uint32_t>(kMostGroups) +
                               static_cast<std::uint32_t>(number)};
}

int IterationMarks::shift_of(std::uint64_t count) const {
  int shift = 0;
  while (count > 0 && (count - 1) >> shift >= most_groups_) ++shift;
  return shift;
}

}  // namespace tarry
