// gain_output.cpp -- a table of gains for people, as JSON and as CSV.
#include <cmath>

#include "base/text/csv.hpp"
#include "base/text/format.hpp"
#include "base/text/json.hpp"
#include "base/text/printable.hpp"
#include "prediction/gain_table.hpp"

namespace tarry {
namespace {

constexpr std::size_t kGainWidth = 10, kShareWidth = 8, kCostWidth = 10;

double share_of(const GainTable& table, Seconds gain) { return table.predicted > 0 ? gain / table.predicted : 0; }

std::string gain_columns(const GainTable& table, Seconds gain) {
  const std::string sign = gain < 0 ? "-" : "";
  return pad_left(sign + format_seconds(std::abs(gain)), kGainWidth) +
         pad_left(sign + format_percent(std::abs(share_of(table, gain))), kShareWidth);
}

void add_gained_delay(JsonWriter& out, const GainRow& row) {
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

}  // namespace

std::string gain_text(const GainTable& table) {
  std::string heading;
  for (const GainPoint& point : kGainPoints) heading += pad_left(point.heading, kGainWidth + kShareWidth);
  std::string out = "Gain of a run of " + format_seconds(table.predicted) + " (traced " + format_seconds(table.traced) +
                    "), if this were\n" + heading + pad_left("cost", kCostWidth + 2) + "  what\n";
  for (const GainRow& row : table.rows) {
    for (const Seconds gain : row.gain) out += gain_columns(table, gain);
    const std::string what = (row.delay ? "delay " + std::to_string(row.number) + ": " : "region ") + row.name;
    out += pad_left(format_cpu_time(row.cost), kCostWidth + 2) + "  " + printable(what) + "\n";
  }
  out +=
      "The cost of a delay is all waiting for it, of all threads together; that of a region what all threads\n"
      "compute in it. A gain is less where others are as late, or where many wait at the same time.\n";
  return out;
}

std::string gain_json(const GainTable& table) {
  JsonWriter out;
  out.begin_object(JsonWriter::Layout::kLines).member("traced", table.traced).member("predicted", table.predicted);
  out.name("rows").begin_array(JsonWriter::Layout::kLines);
  for (const GainRow& row : table.rows) {
    out.begin_object().member("kind", row.delay ? "delay" : "region");
    if (row.delay) add_gained_delay(out, row);
    else out.member("region", row.name).member("computation", row.cost);
    out.name("gain").begin_object();
    for (std::size_t p = 0; p < kGainPoints.size(); ++p) out.member(kGainPoints[p].name, row.gain[p]);
    out.end().end();
  }
  out.end().end();
  return out.take();
}

std::string gain_csv(const GainTable& table) {
  CsvWriter out(
      "kind,number,name,callpath,cost,direct,indirect,waiting_threads,most_of_one,gone,faster_100,faster_50,faster_"
      "10");
  for (const GainRow& row : table.rows) {
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

}  // namespace tarry
