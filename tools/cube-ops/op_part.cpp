// op_part.cpp -- tarry cube part: some processes or threads of a report.
#include <algorithm>
#include <charconv>
#include <utility>

#include "ops.hpp"
#include "report_input.hpp"

namespace tarry {
namespace {

using Ranges = std::vector<std::pair<std::int64_t, std::int64_t>>;

// "0,4-7" as ranges; an empty list is everything.
Result<Ranges> parse_ranges(const std::string& list) {
  Ranges ranges;
  for (std::size_t at = 0; at < list.size();) {
    const std::size_t comma = std::min(list.find(',', at), list.size());
    const char* end = list.data() + comma;
    std::int64_t first = 0, last = 0;
    auto parsed = std::from_chars(list.data() + at, end, first);
    last = first;
    if (parsed.ec == std::errc() && parsed.ptr != end && *parsed.ptr == '-')
      parsed = std::from_chars(parsed.ptr + 1, end, last);
    if (parsed.ec != std::errc() || parsed.ptr != end || first < 0 || last < first)
      return Error{"'" + list + "'", "is no list of numbers", "write it like 0,4-7"};
    ranges.emplace_back(first, last);
    at = comma + 1;
  }
  return ranges;
}

bool is_in(const Ranges& ranges, std::int64_t number) {
  return ranges.empty() || std::any_of(ranges.begin(), ranges.end(), [number](const auto& range) {
           return number >= range.first && number <= range.second;
         });
}

}  // namespace

Result<int> run_part(const CubeOptions& options) {
  TARRY_TRY(check_output(options));
  TARRY_TRY_ASSIGN(ranks, parse_ranges(options.ranks));
  TARRY_TRY_ASSIGN(threads, parse_ranges(options.threads));
  TARRY_TRY_ASSIGN(report, open_report(options.inputs[0]));
  const ReportStructure& structure = report->structure();
  std::vector<bool> is_kept;
  for (const ReportLocation& location : structure.locations)
    is_kept.push_back((is_in(ranks, structure.processes[location.process].rank) && is_in(threads, location.rank)) !=
                      options.is_inverted);
  if (std::find(is_kept.begin(), is_kept.end(), true) == is_kept.end())
    return Error{options.inputs[0], "has none of these ranks and threads", "tarry cube info counts them"};
  const CombinedCube result({report.get()}, keep_locations(structure, is_kept), Combination::kMerge);
  return write_result(result, options);
}

}  // namespace tarry
