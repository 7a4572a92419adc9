// history_data.cpp -- histories for people and programs.
#include "store/history_data.hpp"

#include <algorithm>
#include <cmath>

#include "base/text/csv.hpp"
#include "base/text/format.hpp"
#include "base/text/json.hpp"
#include "base/text/printable.hpp"
#include "base/text/text.hpp"

namespace tarry {
namespace {

constexpr std::size_t kMostBars = 100;

std::string signed_percent(double fraction) { return format_number(100 * fraction, "%+.1f%%"); }

std::string step_text(const SeriesStep& step) {
  std::string text = format_number(step.before) + " -> " + format_number(step.after);
  if (step.before == 0) return text;
  text += ", " + signed_percent(step.relative());
  const double error = step.error / std::abs(step.before);
  return error > 0 ? text + " (standard error " + format_percent(error) + ")" : text;
}

// "c12", or "run 37" of a point without a commit.
std::string short_title(const HistoryPoint& point) {
  const StoredRun& run = point.runs[0];
  return run.commit.empty() ? "run " + std::to_string(run.id) : run.commit;
}

// Where the step may be as well, unless its place is plain.
std::string place_text(const History& history, const SeriesStep& step) {
  if (step.earliest == step.latest) return "";
  return ", from " + short_title(history.points[step.earliest]) + " to " + short_title(history.points[step.latest]) +
         " with a probability of 99%";
}

// Means of neighbours where there are more points than places.
std::vector<double> bar_values(const History& history) {
  const std::size_t bars = std::min(kMostBars, history.points.size());
  std::vector<double> values;
  for (std::size_t bar = 0; bar < bars; ++bar) {
    const std::size_t begin = bar * history.points.size() / bars, end = (bar + 1) * history.points.size() / bars;
    double sum = 0;
    for (std::size_t i = begin; i < end; ++i) sum += history.points[i].mean();
    values.push_back(sum / static_cast<double>(end - begin));
  }
  return values;
}

std::string bars_of(const History& history) {
  static constexpr const char* kBars[] = {"▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};
  const std::vector<double> values = bar_values(history);
  const auto [least, most] = std::minmax_element(values.begin(), values.end());
  std::string text;
  for (const double value : values) {
    const double share = *most > *least ? (value - *least) / (*most - *least) : 0;
    text += kBars[static_cast<std::size_t>(std::lround(share * 7))];
  }
  return text;
}

std::size_t runs_in(const History& history) {
  std::size_t runs = 0;
  for (const HistoryPoint& point : history.points) runs += point.runs.size();
  return runs;
}

bool has_step_at(const History& history, std::size_t point) {
  return std::any_of(history.steps.begin(), history.steps.end(),
                     [&](const SeriesStep& step) { return step.point == point; });
}

void add_point(JsonWriter& json, const HistoryPoint& point) {
  json.begin_object().member("commit", point.runs[0].commit).member("date", point.runs[0].date).name("runs");
  json.begin_array();
  for (const StoredRun& run : point.runs) json.add(run.id);
  json.end().name("values").begin_array();
  for (const double value : point.values) json.add(value);
  json.end().end();
}

void add_step(JsonWriter& json, const History& history, const SeriesStep& step, const HistoryOptions& options) {
  const StoredRun& run = history.points[step.point].runs[0];
  json.begin_object().member("run", run.id).member("commit", run.commit).member("date", run.date);
  json.member("before", step.before).member("after", step.after).member("relative", step.relative());
  json.member("earliest_run", history.points[step.earliest].runs[0].id);
  json.member("latest_run", history.points[step.latest].runs[0].id);
  json.member("standard_error", step.error).member("chance", step.chance);
  json.member("failed", verdict_of(history, step, options).has_failed).end();
}

}  // namespace

std::string HistoryOptions::subject() const {
  if (!region.empty()) return metric + " of region " + region;
  return call_path.empty() ? metric : metric + " of call path " + call_path;
}

Verdict verdict_of(const History& history, const SeriesStep& step, const HistoryOptions& options) {
  const bool is_large = step.before == 0 || step.largest_change() >= options.limit * std::abs(step.before);
  const bool is_wanted = options.only.empty() || (options.only == "increase") == (step.change() > 0);
  return {options.subject(), run_title(history.points[step.point].runs[0]) + " of " + history.title,
          step_text(step) + place_text(history, step), is_large && is_wanted, std::abs(step.change())};
}

std::string history_text(const std::vector<History>& histories, const HistoryOptions& options) {
  std::string text;
  for (const History& history : histories) {
    const std::size_t runs = runs_in(history), points = history.points.size();
    add_line(text, options.subject() + " of " + history.title + ": " + format_count(runs, "run") +
                       (points < runs ? " of " + format_count(points, "commit") : ""));
    add_line(text, "  " + bars_of(history));
    for (const SeriesStep& step : history.steps)
      add_line(text, "  " + run_title(history.points[step.point].runs[0]) + ": " + step_text(step) +
                         place_text(history, step));
    if (history.steps.empty()) add_line(text, "  no step");
  }
  return text;
}

std::string history_csv(const std::vector<History>& histories) {
  CsvWriter csv("history,point,run,commit,date,value,step");
  for (std::size_t h = 0; h < histories.size(); ++h)
    for (std::size_t p = 0; p < histories[h].points.size(); ++p) {
      const HistoryPoint& point = histories[h].points[p];
      for (std::size_t i = 0; i < point.runs.size(); ++i) {
        csv.add(h + 1).add(p + 1).add(point.runs[i].id).add(point.runs[i].commit).add(point.runs[i].date);
        csv.add(point.values[i]).add(i == 0 && has_step_at(histories[h], p) ? 1 : 0).end_row();
      }
    }
  return csv.take();
}

std::string history_json(const std::vector<History>& histories, const HistoryOptions& options) {
  JsonWriter json;
  json.begin_object(JsonWriter::Layout::kLines).member("version", 1).member("metric", options.metric);
  json.member("region", options.region).member("call_path", options.call_path).name("histories");
  json.begin_array(JsonWriter::Layout::kLines);
  for (const History& history : histories) {
    json.begin_object(JsonWriter::Layout::kLines).member("title", history.title).name("points");
    json.begin_array(JsonWriter::Layout::kLines);
    for (const HistoryPoint& point : history.points) add_point(json, point);
    json.end().name("steps").begin_array(JsonWriter::Layout::kLines);
    for (const SeriesStep& step : history.steps) add_step(json, history, step, options);
    json.end().end();
  }
  return json.end().end().take();
}

}  // namespace tarry
