// gain_table.cpp -- what a program would gain if its delays and heaviest regions were gone, or faster.
//
// Each row is a curve: what is gained of the run if its work takes no time, or less. All points of all rows are
// variants of one plan.
#include "gain_table.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "analysis/simulation/program_changes.hpp"
#include "analysis/simulation/computing_paths.hpp"
#include "analysis/simulation/predict.hpp"
#include "analysis/simulation/predict_variants.hpp"
#include "base/csv.hpp"
#include "base/format.hpp"
#include "base/json.hpp"
#include "base/printable.hpp"
#include "listed_delays.hpp"

namespace tarry {
namespace {

// How much of the work is taken away, and how that is called.
struct Point {
  const char* name;     // in JSON and CSV
  const char* heading;  // for people
  double strength;
};
constexpr std::array<Point, 4> kPoints{{{"gone", "gone", 1},
                                        {"faster_100", "100 % faster", 1 - 1 / 2.0},
                                        {"faster_50", "50 % faster", 1 - 1 / 1.5},
                                        {"faster_10", "10 % faster", 1 - 1 / 1.1}}};

struct GainRow {
  const ListedDelay* delay = nullptr;  // none: a region
  std::size_t number = 0;              // of the delay
  std::string name;
  Seconds cost = 0;  // of a delay: waiting elsewhere. Of a region: what all threads compute in it
  std::array<Seconds, kPoints.size()> gain{};
};

class GainTableMaker {
 public:
  GainTableMaker(const Trace& trace, const Machine& machine, const GainOptions& options)
      : trace_(trace), machine_(machine), options_(options) {}

  GainTable make() {
    DelayStudy study(trace_);
    delays_ = list_delays(trace_, study);
    std::vector<std::vector<PathIndex>> paths;
    for (std::size_t d = 0; d < delays_.size() && rows_.size() < options_.most; ++d) {
      if (delays_[d].is_in_init && !options_.is_whole) continue;
      paths.push_back(delays_[d].paths);
      rows_.push_back(
          {.delay = &delays_[d], .number = d + 1, .name = delays_[d].name, .cost = delays_[d].cause.seconds()});
    }
    std::vector<std::string> regions;
    for (const HeavyRegion& region : heaviest_regions(trace_, options_.most)) {
      regions.push_back(region.name);
      rows_.push_back({.name = region.name, .cost = trace_.seconds(region.work)});
    }
    predict_rows(Changes(trace_, study, paths, regions));
    std::ranges::stable_sort(rows_, [](const GainRow& a, const GainRow& b) { return a.gain > b.gain; });
    return {written(), base_.outcome};
  }

 private:
  void predict_rows(const Changes& changes) {
    Plan plan(trace_, machine_, &changes);
    std::vector<Variant> variants;
    for (std::size_t i = 0; i < rows_.size(); ++i)
      for (const Point& point : kPoints) variants.push_back({ChangeIndex(i), point.strength});
    const std::vector<double> seconds = predict_variants(plan, variants, options_.is_whole);
    base_ = predict(plan);
    for (std::size_t i = 0; i < seconds.size(); ++i)
      rows_[i / kPoints.size()].gain[i % kPoints.size()] = predicted() - seconds[i];
  }

  Seconds predicted() const { return options_.is_whole ? base_.whole_predicted : base_.predicted; }
  Seconds traced() const { return options_.is_whole ? base_.whole_recorded : base_.recorded; }
  double share(Seconds gain) const { return predicted() > 0 ? gain / predicted() : 0; }

  std::string written() const {
    switch (options_.format) {
      case TableFormat::kJson: return json();
      case TableFormat::kCsv: return csv();
      case TableFormat::kText: break;
    }
    return text();
  }

  // ---- for people

  static constexpr std::size_t kGainWidth = 10, kShareWidth = 8, kCostWidth = 10;

  std::string gain_text(Seconds gain) const {
    const std::string sign = gain < 0 ? "-" : "";
    return pad_left(sign + format_seconds(std::abs(gain)), kGainWidth) +
           pad_left(sign + format_percent(std::abs(share(gain))), kShareWidth);
  }

  std::string text() const {
    std::string heading;
    for (const Point& point : kPoints) heading += pad_left(point.heading, kGainWidth + kShareWidth);
    std::string out = "Gain of a run of " + format_seconds(predicted()) + " (traced " + format_seconds(traced()) +
                      "), if this were\n" + heading + pad_left("cost", kCostWidth + 2) + "  what\n";
    for (const GainRow& row : rows_) {
      for (const Seconds gain : row.gain) out += gain_text(gain);
      const std::string what = (row.delay ? "delay " + std::to_string(row.number) + ": " : "region ") + row.name;
      out += pad_left(format_cpu_time(row.cost), kCostWidth + 2) + "  " + printable(what) + "\n";
    }
    out +=
        "The cost of a delay is all waiting for it, of all threads together; that of a region what all threads\n"
        "compute in it. A gain is less where others are as late, or where many wait at the same time.\n";
    return out;
  }

  // ---- for programs

  std::string json() const {
    JsonWriter out;
    out.begin_object(JsonWriter::Layout::kLines).member("traced", traced()).member("predicted", predicted());
    out.name("rows").begin_array(JsonWriter::Layout::kLines);
    for (const GainRow& row : rows_) {
      out.begin_object().member("kind", row.delay ? "delay" : "region");
      if (row.delay) add_delay(out, row);
      else out.member("region", row.name).member("computation", row.cost);
      out.name("gain").begin_object();
      for (std::size_t p = 0; p < kPoints.size(); ++p) out.member(kPoints[p].name, row.gain[p]);
      out.end().end();
    }
    out.end().end();
    return out.take();
  }

  static void add_delay(JsonWriter& out, const GainRow& row) {
    const RootCause& cause = row.delay->cause;
    out.member("number", row.number).member("name", row.name).member("callpath", row.delay->path_text);
    if (row.delay->line > 0) out.member("file", row.delay->file).member("line", row.delay->line);
    out.name("ranks").begin_array();
    for (const CausingThread& thread : cause.who) out.add(thread.rank.value);
    out.end().member("cost", cause.seconds()).member("direct", cause.direct).member("indirect", cause.indirect);
    out.member("waiting_threads", row.delay->waiters).member("most_of_one", row.delay->most_of_one);
    if (row.delay->waiters == 0) return;
    out.name("longest_waiter").begin_object().member("rank", row.delay->longest_rank.value);
    out.member("thread", row.delay->longest_thread.value).end();
  }

  std::string csv() const {
    CsvWriter out(
        "kind,number,name,callpath,cost,direct,indirect,waiting_threads,most_of_one,gone,faster_100,faster_50,faster_"
        "10");
    for (const GainRow& row : rows_) {
      out.add(row.delay ? "delay" : "region");
      if (row.delay) {
        const RootCause& cause = row.delay->cause;
        out.add(row.number).add(row.name).add(row.delay->path_text);
        out.add(cause.seconds()).add(cause.direct).add(cause.indirect);
        out.add(row.delay->waiters).add(row.delay->most_of_one);
      } else {
        out.skip().add(row.name).skip().add(row.cost).skip(4);
      }
      for (const Seconds gain : row.gain) out.add(gain);
      out.end_row();
    }
    return out.take();
  }

  const Trace& trace_;
  const Machine& machine_;
  const GainOptions& options_;
  std::vector<ListedDelay> delays_;
  std::vector<GainRow> rows_;
  Prediction base_;
};

}  // namespace

GainTable make_gain_table(const Trace& trace, const Machine& machine, const GainOptions& options) {
  return GainTableMaker(trace, machine, options).make();
}

}  // namespace tarry
