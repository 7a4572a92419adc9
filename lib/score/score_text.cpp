// score_text.cpp -- prints what a trace would need.
#include "score/score_text.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <map>

#include "base/text/csv.hpp"
#include "base/text/format.hpp"
#include "base/text/function_name.hpp"
#include "base/text/printable.hpp"
#include "report/tree/call_path_tree.hpp"
#include "report/algebra/shown_regions.hpp"

namespace tarry {
namespace {

constexpr double kBlockBytes = 256 << 10;  // events are recorded into blocks of this size
constexpr double kSpare = 1.1;

std::string formatted(const char* format, double value) {
  char text[64];
  std::snprintf(text, sizeof text, format, value);
  return text;
}

// A line of the table: a region, call path or class.
struct Item {
  std::string name;
  RegionGroup kind = RegionGroup::kUser;
  bool is_dropped = false;
  ScoreCost cost;
  std::vector<double> buffers;  // [process]
  Seconds added = 0;            // by recording it

  double largest() const { return buffers.empty() ? 0 : *std::max_element(buffers.begin(), buffers.end()); }
  double seconds_per_visit() const { return cost.visits > 0 ? cost.seconds / cost.visits : 0; }
};

class Items {
 public:
  explicit Items(const ScoreView& view) : view_(view) {}

  // Sums over the call paths, one item for each value of `key`.
  template <class Key>
  std::vector<Item> collect(Key key) const {
    std::map<std::string, std::size_t> known;
    std::vector<Item> items;
    for (std::uint32_t path = 0; path < view_.table.costs.size(); ++path) {
      const std::uint32_t region = view_.report.call_paths[path].region;
      const std::string name = key(path, region);
      const auto [entry, is_new] = known.try_emplace(name, items.size());
      if (is_new) {
        items.push_back({name, view_.table.classes[region], view_.is_dropped[region], {}, {}, 0});
        items.back().buffers.resize(view_.table.buffers.size());
      }
      Item& item = items[entry->second];
      item.cost += view_.table.costs[path];
      for (std::uint32_t process = 0; process < item.buffers.size(); ++process) {
        item.buffers[process] += view_.table.buffers[process][path];
        item.added += view_.dilation.recorded(process, path, view_.options.recording);
      }
    }
    return items;
  }

  std::vector<Item> by_class() const {
    auto items = collect(
        [this](std::size_t, std::uint32_t region) { return std::string(name_of(view_.table.classes[region])); });
    std::sort(items.begin(), items.end(), [](const Item& a, const Item& b) { return a.kind < b.kind; });
    return items;
  }

  std::vector<Item> chosen() const {
    const bool by_path = view_.options.by == "callpath";
    auto items = collect([&](std::size_t path, std::uint32_t region) {
      return by_path ? call_path_text(view_.report, CallPathId(path)) : view_.report.regions[region].name;
    });
    const std::string& order = view_.options.sort;
    const auto rank = [&order](const Item& item) {
      return order == "time"             ? item.cost.seconds
             : order == "visits"         ? item.cost.visits
             : order == "time-per-visit" ? -item.seconds_per_visit()
                                         : item.largest();
    };
    std::stable_sort(items.begin(), items.end(), [&](const Item& a, const Item& b) { return rank(a) > rank(b); });
    return items;
  }

 private:
  const ScoreView& view_;
};

std::string item_line(const Item& item, double total_seconds, std::string_view kind) {
  std::string text;
  add_line(text, pad_right(std::string(item.is_dropped ? "-" : " ") + " " + std::string(kind), 6) +
                     pad_left(format_size(item.largest()), 10) + pad_left(formatted("%.0f", item.cost.visits), 14) +
                     pad_left(format_seconds(item.cost.seconds), 12) +
                     pad_left(format_percent(total_seconds > 0 ? item.cost.seconds / total_seconds : 0), 8) +
                     pad_left(format_seconds(item.seconds_per_visit()), 12) + pad_left(format_seconds(item.added), 11) +
                     "  " + item.name);
  return text;
}

std::string fact(const char* name, const std::string& value) {
  std::string text;
  add_line(text, pad_right(name, 16) + value);
  return text;
}

// "trace 31.2%, summary 26.1%, both 40.0%"
std::string dilations_text(const ScoreTotals& totals, FilterPlace place) {
  std::string text;
  for (std::size_t mode = 0; mode < kRecordingModes; ++mode) {
    const auto recording = static_cast<RecordingMode>(mode);
    text += (mode ? ", " : "") + std::string(name_of(recording)) + " " +
            format_percent(totals.dilation_of(place, recording));
  }
  return text;
}

std::string totals_text(const ScoreView& view, const ScoreTotals& totals, bool is_filtered) {
  const double messages = totals.all.events - 2 * totals.all.visits;
  std::string text =
      fact("trace", format_size(totals.all.buffer_bytes) + " in memory, " + format_size(totals.all.disk_bytes) +
                        " on disk (" + (view.table.is_counted ? "memory counted, disk estimated" : "estimated") + ")");
  text +=
      fact("events", formatted("%.0f", totals.all.events) + ": " + formatted("%.0f", 2 * totals.all.visits) +
                         " enter and leave, " + formatted("%.0f", std::max(0.0, messages)) + " messages and others");
  text += fact("largest buffer", format_size(totals.largest_buffer) + ", rank " + std::to_string(totals.largest_rank));
  for (const FilterPlace place : {FilterPlace::kRunTime, FilterPlace::kCompileTime}) {
    if (!is_filtered && place == FilterPlace::kCompileTime) continue;
    const std::string where = is_filtered ? ", filtered " + std::string(name_of(place)) : "";
    text += fact(place == FilterPlace::kRunTime ? "dilation" : "", dilations_text(totals, place) + where);
  }
  return text;
}

// The run that the report is of, and what recording costs.
std::string run_text(const ScoreView& view) {
  const Dilation& dilation = view.dilation;
  const Seconds recording = dilation.measured() - dilation.undilated();
  std::string text =
      fact("run", format_seconds(dilation.measured()) + ", of which recording took " + format_seconds(recording) +
                      ", the program " + format_seconds(dilation.undilated()));
  if (!view.model.facts.is_known)
    text += fact("", "what the recording of this run has cost is not known: none is taken off");
  else if (dilation.is_uncertain())
    text += fact("", "recording took most of the time: measure with a filter to know the program's own better");
  if (view.model.facts.stretch > 1.02)
    text += fact("", "processes were ready for " + formatted("%.2f", view.model.facts.stretch) +
                         " times as long as they had a processor: recording takes so much longer, too");
  if (view.model.facts.is_filtered)
    text += fact("", "the run was filtered: hooks of functions that were left out count as the program's time");
  const auto cost = [&](const char* name, CostKind kind) {
    return name + (" " + format_seconds(view.model.costs.of(kind, view.options.recording)));
  };
  text += fact("costs", cost("function", CostKind::kFunction) + cost(", busy", CostKind::kBusyFunction) +
                            cost(", filtered", CostKind::kFiltered) + cost(", busy", CostKind::kBusyFiltered) +
                            cost(", MPI call", CostKind::kCall) + cost(", its records", CostKind::kRecord) +
                            cost(", OpenMP", CostKind::kOpenMp) + cost(", file", CostKind::kFile) +
                            cost(", byte", CostKind::kByte));
  return text + fact("", view.model.source);
}

// Makes the names short that people read; different ones remain different.
void shorten_names(std::vector<Item>& items, const ScoreOptions& options) {
  if (options.has_full_names) return;
  std::vector<std::string> names;
  for (const Item& item : items) names.push_back(item.name);
  names = options.by == "callpath" ? short_path_texts(names) : short_names(names);
  for (std::size_t i = 0; i < items.size(); ++i) items[i].name = std::move(names[i]);
}

void add_values(CsvWriter& out, std::string_view kind, const Item& item, std::string_view class_name) {
  out.add(kind).add(item.name).add(class_name).add(item.is_dropped ? 1 : 0);
  for (const double value : {item.cost.events, item.cost.buffer_bytes, item.largest(), item.cost.disk_bytes,
                             item.cost.visits, item.cost.seconds, item.added})
    out.add(value);
}

void add_row(CsvWriter& out, std::string_view kind, const Item& item, std::string_view class_name) {
  add_values(out, kind, item, class_name);
  out.skip(1 + static_cast<int>(kRecordingModes)).end_row();
}

// What recording adds in all processes.
Seconds added_time(const ScoreView& view, bool is_filtered, FilterPlace place) {
  Seconds added = 0;
  for (std::uint32_t process = 0; process < view.table.buffers.size(); ++process)
    for (std::uint32_t path = 0; path < view.table.costs.size(); ++path)
      added += is_filtered && view.is_dropped[view.report.call_paths[path].region]
                   ? view.dilation.filtered(process, path, place)
                   : view.dilation.recorded(process, path, view.options.recording);
  return added;
}

void add_totals(CsvWriter& out, const char* kind, const ScoreView& view, bool is_filtered, FilterPlace place) {
  const ScoreTotals totals = totals_of(view, is_filtered);
  add_values(out, kind,
             {"", RegionGroup::kUser, false, totals.all, {totals.largest_buffer}, added_time(view, is_filtered, place)},
             "");
  out.add(view.dilation.undilated());
  for (const double dilation : totals.dilation[static_cast<std::size_t>(place)]) out.add(dilation);
  out.end_row();
}

}  // namespace

ScoreTotals totals_of(const ScoreView& view, bool is_filtered) {
  return totals_without(view.table, view.report, view.dilation,
                        is_filtered ? view.is_dropped : std::vector<bool>(view.is_dropped.size()));
}

std::string format_size(double bytes) {
  const char* units[] = {"B", "kB", "MB", "GB", "TB"};
  std::size_t unit = 0;
  for (; bytes >= 1023.5 && unit < 4; ++unit) bytes /= 1024;
  const char* format = unit == 0 || bytes >= 99.95 ? "%.0f" : bytes >= 9.995 ? "%.1f" : "%.2f";
  return formatted(format, bytes) + " " + units[unit];
}

std::string memory_to_request(const ScoreView& view) {
  double most = 0;
  for (std::size_t process = 0; process < view.table.buffers.size(); ++process) {
    double bytes = 0;
    for (std::size_t path = 0; path < view.table.costs.size(); ++path)
      if (!view.is_dropped[view.report.call_paths[path].region]) bytes += view.table.buffers[process][path];
    most = std::max(most, kSpare * bytes + kBlockBytes * view.table.threads[process]);
  }
  return formatted("%.0fM", std::max(1.0, std::ceil(most / (1 << 20))));
}

std::string filter_remark(const ScoreView& view) {
  const ScoreTotals before = totals_of(view, false), after = totals_of(view, true);
  const auto dilation = [&](const ScoreTotals& totals, FilterPlace place) {
    return format_percent(totals.dilation_of(place, view.options.recording));
  };
  return "# Made by tarry score from " + printable(view.options.input) + ".\n# Largest buffer " +
         format_size(before.largest_buffer) + " -> " + format_size(after.largest_buffer) + ", dilation of a " +
         (view.options.recording == RecordingMode::kBoth ? "trace and summary"
                                                         : std::string(name_of(view.options.recording))) +
         " " + dilation(before, FilterPlace::kRunTime) + " -> " + dilation(after, FilterPlace::kRunTime) +
         " filtered at run time, " + dilation(after, FilterPlace::kCompileTime) + " at compile time.\n";
}

std::string score_as_text(const ScoreView& view) {
  const std::string processes = format_count(view.table.buffers.size(), "process", "processes");
  std::string text = fact("report", view.options.input + ", " + processes);
  text += run_text(view) + totals_text(view, totals_of(view, false), false);
  if (!view.filter.empty()) {
    const auto dropped = static_cast<std::uint64_t>(std::count(view.is_dropped.begin(), view.is_dropped.end(), true));
    text += "\n" + fact("with filter", view.filter + ", which leaves out " + format_count(dropped, "region"));
    text += totals_text(view, totals_of(view, true), true);
  }
  text += fact("memory", "--memory " + memory_to_request(view) + " holds all events of each process");
  const Items items(view);
  text += "\n  class   buffer        visits        time    time  time/visit  recording\n";
  for (Item item : items.by_class()) {
    item.is_dropped = false;
    text += item_line({"", item.kind, false, item.cost, item.buffers, item.added}, view.table.total_seconds, item.name);
  }
  text += "\n  class   buffer        visits        time    time  time/visit  recording  " + view.options.by + "\n";
  auto chosen = items.chosen();
  const std::size_t all = chosen.size();
  if (view.options.top > 0 && view.options.top < all) chosen.resize(view.options.top);
  shorten_names(chosen, view.options);
  for (const Item& item : chosen) text += item_line(item, view.table.total_seconds, name_of(item.kind));
  if (chosen.size() < all) text += "  and " + std::to_string(all - chosen.size()) + " more (--top 0 lists all)\n";
  return text;
}

std::string score_as_csv(const ScoreView& view) {
  CsvWriter out(
      "kind,name,class,filtered,events,buffer_bytes,largest_buffer_bytes,disk_bytes,visits,time,added_time,"
      "undilated_time,dilation_trace,dilation_summary,dilation_both");
  add_totals(out, "total", view, false, FilterPlace::kRunTime);
  if (!view.filter.empty()) {
    add_totals(out, "filtered", view, true, FilterPlace::kRunTime);
    add_totals(out, "filtered_at_compile_time", view, true, FilterPlace::kCompileTime);
  }
  const Items items(view);
  for (Item item : items.by_class()) {
    const std::string name = item.name;
    item.name.clear();
    item.is_dropped = false;
    add_row(out, "class", item, name);
  }
  const auto chosen = items.chosen();
  const std::size_t shown = view.options.top ? std::min<std::size_t>(view.options.top, chosen.size()) : chosen.size();
  for (std::size_t i = 0; i < shown; ++i) add_row(out, view.options.by, chosen[i], name_of(chosen[i].kind));
  return out.take();
}

}  // namespace tarry
