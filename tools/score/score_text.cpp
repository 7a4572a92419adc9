// score_text.cpp -- prints what a trace would need.
#include "score_text.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <map>

#include "base/csv.hpp"
#include "base/format.hpp"
#include "base/function_name.hpp"
#include "base/printable.hpp"
#include "report/call_path_tree.hpp"
#include "report/shown_regions.hpp"

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
    for (std::size_t path = 0; path < view_.table.costs.size(); ++path) {
      const std::uint32_t region = view_.report.call_paths[path].region;
      const std::string name = key(path, region);
      const auto [entry, is_new] = known.try_emplace(name, items.size());
      if (is_new) {
        items.push_back({name, view_.table.classes[region], view_.is_dropped[region], {}, {}});
        items.back().buffers.resize(view_.table.buffers.size());
      }
      Item& item = items[entry->second];
      item.cost += view_.table.costs[path];
      for (std::size_t process = 0; process < item.buffers.size(); ++process)
        item.buffers[process] += view_.table.buffers[process][path];
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
                     pad_left(format_seconds(item.seconds_per_visit()), 12) + "  " + item.name);
  return text;
}

std::string fact(const char* name, const std::string& value) {
  std::string text;
  add_line(text, pad_right(name, 16) + value);
  return text;
}

std::string totals_text(const ScoreView& view, const ScoreTotals& totals) {
  const double messages = totals.all.events - 2 * totals.all.visits;
  std::string text =
      fact("trace", format_size(totals.all.buffer_bytes) + " in memory, " + format_size(totals.all.disk_bytes) +
                        " on disk (" + (view.table.is_counted ? "memory counted, disk estimated" : "estimated") + ")");
  text +=
      fact("events", formatted("%.0f", totals.all.events) + ": " + formatted("%.0f", 2 * totals.all.visits) +
                         " enter and leave, " + formatted("%.0f", std::max(0.0, messages)) + " messages and others");
  text += fact("largest buffer", format_size(totals.largest_buffer) + ", rank " + std::to_string(totals.largest_rank));
  return text + fact("dilation", format_percent(totals.overhead) + " expected, at " +
                                     format_seconds(view.options.event_seconds) + " an event");
}

// Makes the names short that people read; different ones remain different.
void shorten_names(std::vector<Item>& items, const ScoreOptions& options) {
  if (options.has_full_names) return;
  std::vector<std::string> names;
  for (const Item& item : items) names.push_back(item.name);
  names = options.by == "callpath" ? short_path_texts(names) : short_names(names);
  for (std::size_t i = 0; i < items.size(); ++i) items[i].name = std::move(names[i]);
}

void add_row(CsvWriter& out, std::string_view kind, const Item& item, std::string_view class_name) {
  out.add(kind).add(item.name).add(class_name).add(item.is_dropped ? 1 : 0);
  for (const double value : {item.cost.events, item.cost.buffer_bytes, item.largest(), item.cost.disk_bytes,
                             item.cost.visits, item.cost.seconds})
    out.add(value);
  out.end_row();
}

ScoreTotals totals_of(const ScoreView& view, bool is_filtered) {
  return totals_without(view.table, view.report,
                        is_filtered ? view.is_dropped : std::vector<bool>(view.is_dropped.size()),
                        view.options.event_seconds);
}

}  // namespace

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
  return "# Made by tarry score from " + printable(view.options.input) + ".\n# Largest buffer " +
         format_size(before.largest_buffer) + " -> " + format_size(after.largest_buffer) + ", dilation " +
         format_percent(before.overhead) + " -> " + format_percent(after.overhead) + ".\n";
}

std::string score_as_text(const ScoreView& view) {
  const std::string processes = format_count(view.table.buffers.size(), "process", "processes");
  std::string text = fact("report", view.options.input + ", " + processes);
  text += totals_text(view, totals_of(view, false));
  if (!view.filter.empty()) {
    const auto dropped = static_cast<std::uint64_t>(std::count(view.is_dropped.begin(), view.is_dropped.end(), true));
    text += "\n" + fact("with filter", view.filter + ", which leaves out " + format_count(dropped, "region"));
    text += totals_text(view, totals_of(view, true));
  }
  text += fact("memory", "--memory " + memory_to_request(view) + " holds all events of each process");
  const Items items(view);
  text += "\n  class   buffer        visits        time    time  time/visit\n";
  for (Item item : items.by_class()) {
    item.is_dropped = false;
    text += item_line({"", item.kind, false, item.cost, item.buffers}, view.table.total_seconds, item.name);
  }
  text += "\n  class   buffer        visits        time    time  time/visit  " + view.options.by + "\n";
  auto chosen = items.chosen();
  const std::size_t all = chosen.size();
  if (view.options.top > 0 && view.options.top < all) chosen.resize(view.options.top);
  shorten_names(chosen, view.options);
  for (const Item& item : chosen) text += item_line(item, view.table.total_seconds, name_of(item.kind));
  if (chosen.size() < all) text += "  and " + std::to_string(all - chosen.size()) + " more (--top 0 lists all)\n";
  return text;
}

std::string score_as_csv(const ScoreView& view) {
  CsvWriter out("kind,name,class,filtered,events,buffer_bytes,largest_buffer_bytes,disk_bytes,visits,time");
  const auto total = [&](const char* kind, const ScoreTotals& totals) {
    add_row(out, kind, {"", RegionGroup::kUser, false, totals.all, {totals.largest_buffer}}, "");
  };
  total("total", totals_of(view, false));
  if (!view.filter.empty()) total("filtered", totals_of(view, true));
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
