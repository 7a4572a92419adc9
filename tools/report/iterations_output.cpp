// iterations_output.cpp -- values by iteration and process as text for people.
#include "iterations_output.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "base/text/format.hpp"
#include "base/text/printable.hpp"
#include "findings/imbalance/imbalance_over_time.hpp"
#include "findings/iterations/iteration_spread.hpp"

namespace tarry {
namespace {

constexpr std::size_t kRowsShown = 20, kSparkWidth = 60, kOutliersShown = 5;
constexpr std::size_t kNumberWidth = 12;

std::string amount(double value, const std::string& unit) {
  if (unit == "sec") return format_seconds(value);
  char text[32];
  std::snprintf(text, sizeof text, "%.6g", value);
  return text;
}

// Of `count` items, those of part `part` of `parts`.
std::pair<std::size_t, std::size_t> part_of(std::size_t count, std::size_t part, std::size_t parts) {
  return {part * count / parts, (part + 1) * count / parts};
}

// So many rows at most: neighbours are added up.
IterationSeries with_few_rows(const IterationSeries& series, std::size_t most) {
  if (series.iterations.size() <= most) return series;
  IterationSeries few = series;
  few.iterations.clear();
  few.values.clear();
  for (std::size_t part = 0; part < most; ++part) {
    const auto [begin, end] = part_of(series.iterations.size(), part, most);
    IterationRange range{series.iterations[begin].first, series.iterations[end - 1].last, 0};
    std::vector<double> sums(series.ranks.size(), 0);
    for (std::size_t row = begin; row < end; ++row) {
      range.count += series.iterations[row].count;
      for (std::size_t p = 0; p < sums.size(); ++p) sums[p] += series.row(row)[p];
    }
    few.iterations.push_back(range);
    few.values.insert(few.values.end(), sums.begin(), sums.end());
  }
  return few;
}

// One character for some iterations: the most that a process has in one of them.
std::string sparkline(const IterationSeries& series, bool has_unicode) {
  std::vector<double> most;
  for (std::size_t row = 0; row < series.iterations.size(); ++row)
    most.push_back(std::ranges::max(series.mean_row(row)));
  const double largest = std::ranges::max(most);
  const std::size_t width = std::min(kSparkWidth, most.size());
  const std::string plain = "_.:-=+*#";
  std::string line;
  for (std::size_t part = 0; part < width; ++part) {
    const auto [begin, end] = part_of(most.size(), part, width);
    const double value = *std::max_element(most.begin() + static_cast<std::ptrdiff_t>(begin),
                                           most.begin() + static_cast<std::ptrdiff_t>(end));
    const auto level = static_cast<std::size_t>(largest > 0 ? std::lround(std::max(0.0, value) / largest * 7) : 0);
    if (has_unicode) line += {'\xe2', '\x96', static_cast<char>(0x81 + level)};
    else line += plain[level];
  }
  return line;
}

std::string spread_row(const IterationSeries& series, std::size_t row) {
  const Spread spread = spread_over_processes(series.mean_row(row));
  std::string line = pad_left(iteration_label(series.iterations[row]), 16);
  for (const double value : {spread.least, spread.first_quartile, spread.median, spread.third_quartile, spread.most})
    line += pad_left(amount(value, series.unit), kNumberWidth);
  return line + pad_left(std::to_string(series.ranks[spread.largest]), 8);
}

void add_outliers(std::string& text, const IterationSeries& series) {
  const std::vector<OutlyingIteration> outliers = find_outlying(series);
  for (std::size_t i = 0; i < std::min(kOutliersShown, outliers.size()); ++i) {
    const OutlyingIteration& outlier = outliers[i];
    char times[48] = "";
    if (outlier.median > 0)
      std::snprintf(times, sizeof times, ", %.3g times the median", outlier.mean / outlier.median);
    add_line(text, "  sticks out: " + iteration_label(series.iterations[outlier.row]) + ", with " +
                       amount(outlier.mean, series.unit) + " a process" + times + "; rank " +
                       std::to_string(series.ranks[outlier.largest]) + " has " + amount(outlier.most, series.unit));
  }
  if (outliers.size() > kOutliersShown)
    add_line(text, "  and " +
                       format_count(outliers.size() - kOutliersShown, "more that sticks out", "more that stick out") +
                       " (--json)");
}

std::string explanation_of(TimeCourse course) {
  switch (course) {
    case TimeCourse::kBalanced: return "balanced in each iteration";
    case TimeCourse::kStatic: return "static: the same processes are above the average in most iterations";
    case TimeCourse::kDynamic: return "dynamic: other processes are above the average in each iteration";
    case TimeCourse::kDrifting: return "drifting: the processes above the average change slowly";
    case TimeCourse::kUnclear: break;
  }
  return "unclear: neither the same processes nor always others";
}

void add_course(std::string& text, const IterationSeries& series) {
  const ImbalanceOverTime found = classify_over_time(series);
  if (found.course == TimeCourse::kUnclear && found.imbalance == 0) return;  // nothing to judge
  add_line(text, "  over time: " + explanation_of(found.course));
  if (found.course == TimeCourse::kBalanced) return;
  char correlations[96];
  std::snprintf(correlations, sizeof correlations,
                "rankings of processes correlate by %.2f with the next iteration, by %.2f half the loop apart",
                found.neighbour_correlation, found.distant_correlation);
  add_line(text, "    the means of processes explain " + format_percent(found.static_fraction) +
                     " of the variance, their means in stretches " + format_percent(found.slow_fraction));
  add_line(text, std::string("    ") + correlations);
  if (found.left_out > 0)
    add_line(text, "    without " + format_count(found.left_out, "iteration") + " that would outweigh all others");
}

std::uint64_t count_iterations(const IterationTable& table) {
  std::uint64_t count = 0;
  for (const IterationRange& range : table.rows) count += range.count;
  return count;
}

// Processes put their iterations into clusters each by itself: what is in one may differ.
std::string extent_of(const IterationTable& table) {
  if (!std::ranges::all_of(table.rows, follow_one_another))
    return "single iterations, and clusters of similar ones, which are their means";
  std::uint64_t most = 1;
  for (const IterationRange& range : table.rows) most = std::max(most, range.count);
  const std::uint64_t count = count_iterations(table);
  const std::string text =
      table.is_marked_loop ? format_count(count, "iteration") : format_count(count, "visit") + " as iterations";
  return most < 2 ? text : text + ", of which up to " + std::to_string(most) + " share a row, which is their mean";
}

void add_series(std::string& text, const IterationSeries& series, TextStyle style) {
  add_line(text, "");
  add_line(text, series.metric + " of a process in one iteration, with all that it calls");
  if (style.has_colour) add_line(text, "  " + sparkline(series, style.has_unicode) + "  most of a process");
  add_line(text, "       iteration         min          q1      median          q3         max at rank");
  const IterationSeries few = with_few_rows(series, kRowsShown);
  for (std::size_t row = 0; row < few.iterations.size(); ++row) add_line(text, spread_row(few, row));
  add_outliers(text, series);
  add_course(text, series);
}

}  // namespace

std::string iterations_text(const IterationTable& table, TextStyle style) {
  std::string text;
  add_line(text, "'" + table.region + "': " + extent_of(table) + ", " +
                     format_count(table.ranks.size(), "process", "processes"));
  for (const IterationMetric& metric : table.metrics) add_series(text, series_of(table, metric), style);
  if (table.rows.size() > kRowsShown) {
    add_line(text, "");
    add_line(text, "Each line is the mean of some iterations; --csv and --json have each of them.");
  }
  return text;
}

}  // namespace tarry
