// op_dump.cpp -- tarry cube dump: every value of a report, one per line.
#include <algorithm>
#include <charconv>
#include <cmath>

#include "base/text/csv.hpp"
#include "base/text/format.hpp"
#include "base/text/json.hpp"
#include "base/text/printable.hpp"
#include "ops.hpp"
#include "report/tree/call_path_tree.hpp"
#include "report/algebra/cube_values.hpp"
#include "report_input.hpp"

namespace tarry {
namespace {

enum class DumpFormat { kTable, kCsv, kJson };

constexpr std::size_t kDumpBuffer = 1 << 18;

void append_number(std::string& out, double value) {
  char text[40];
  const auto end = std::abs(value) < 1e18 && value == std::trunc(value)
                       ? std::to_chars(text, text + sizeof text, static_cast<std::int64_t>(value)).ptr
                       : std::to_chars(text, text + sizeof text, value, std::chars_format::general, 17).ptr;
  out.append(text, end);
}

// A line is what its row says, what its location says, the value, and what the row says behind it.
class Dump {
 public:
  Dump(CubeValues& values, DumpFormat format) : values_(values), report_(values.source().structure()), format_(format) {
    for (const ReportLocation& location : report_.locations) {
      const std::string rank = std::to_string(report_.processes[location.process].rank);
      const std::string thread = std::to_string(location.rank);
      places_.push_back(format == DumpFormat::kCsv    ? rank + "," + thread + ","
                        : format == DumpFormat::kJson ? "\"rank\":" + rank + ",\"thread\":" + thread + ",\"value\":"
                                                      : pad_left(rank, 8) + pad_left(thread, 8));
    }
  }

  Status run(const std::vector<MetricId>& metrics) {
    begin();
    for (const MetricId metric : metrics) TARRY_TRY(dump_metric(metric));
    if (format_ == DumpFormat::kJson) out_ += is_first_ ? "]}\n" : "\n]}\n";
    return print(out_);
  }

 private:
  void begin() {
    switch (format_) {
      case DumpFormat::kCsv: out_ = "metric,callpath,rank,thread,value\n"; break;
      case DumpFormat::kJson: out_ = "{\"format\":\"tarry-cube-dump\",\"version\":1,\"values\":["; break;
      case DumpFormat::kTable:
        for (const ReportMetric& metric : report_.metrics)
          name_width_ = std::max(name_width_, metric.unique_name.size());
        out_ = pad_right("metric", name_width_) + "    rank  thread        value  call path\n";
    }
  }

  Status dump_metric(MetricId metric) {
    const ReportMetric& facts = report_.metrics[metric.value];
    std::vector<double> values;
    for (const std::uint32_t path : values_.source().call_tree().preorder()) {
      if (!values_.row(metric, CallPathId(path), Flavour::kExclusive, values)) continue;
      begin_row(facts, CallPathId(path));
      for (std::size_t i = 0; i < values.size(); ++i)
        if (values[i] != 0 && !is_neutral_number(facts.type, values[i])) append_line(facts.type, i, values[i]);
      if (out_.size() < kDumpBuffer) continue;
      TARRY_TRY(print(out_));
      out_.clear();
    }
    return {};
  }

  void begin_row(const ReportMetric& metric, CallPathId path) {
    const std::string path_text = call_path_text(report_, path);
    switch (format_) {
      case DumpFormat::kCsv:
        before_ = csv_field(metric.unique_name) + "," + csv_field(path_text) + ",";
        after_ = "\n";
        break;
      case DumpFormat::kJson:
        before_ = "{\"metric\":" + json_string(metric.unique_name) + ",\"callpath\":" + json_string(path_text) + ",";
        after_ = "}";
        break;
      case DumpFormat::kTable:
        before_ = printable(pad_right(metric.unique_name, name_width_));
        after_.clear();
        add_line(after_, "  " + path_text);
    }
  }

  void append_line(ValueType type, std::size_t location, double value) {
    if (format_ == DumpFormat::kJson) out_ += is_first_ ? "\n" : ",\n";
    is_first_ = false;
    out_ += before_;
    out_ += places_[location];
    if (format_ == DumpFormat::kTable) {
      out_ += pad_left(number_for_people(type, value), 13);
    } else if (format_ == DumpFormat::kJson && !std::isfinite(value)) {
      out_ += "null";
    } else {
      append_number(out_, value);
    }
    out_ += after_;
  }

  CubeValues& values_;
  const ReportStructure& report_;
  DumpFormat format_;
  std::vector<std::string> places_;  // [location]
  std::string before_, after_;       // of the current row
  std::string out_;
  std::size_t name_width_ = 6;
  bool is_first_ = true;
};

}  // namespace

static Result<int> run_dump(const CubeOptions& options) {
  TARRY_TRY_ASSIGN(report, open_report_by_function(options.inputs[0]));
  CubeValues values(*report);
  TARRY_TRY_ASSIGN(chosen, select_metrics(report->structure(), options.metrics));
  if (options.metrics.empty()) std::erase_if(chosen, [&](MetricId metric) { return values.is_void(metric); });
  const DumpFormat format = options.is_csv    ? DumpFormat::kCsv
                            : options.is_json ? DumpFormat::kJson
                                              : DumpFormat::kTable;
  TARRY_TRY(Dump(values, format).run(chosen));
  return conclude(values.damage(), options.is_strict);
}

static void add_dump_options(CliOptions& line, CliOption, CubeOptions& options) {
  line.option("-m,--metrics", options.metrics, "only these, a comma list of names (default: all)");
  const CliOption csv = line.flag("--csv", options.is_csv, "comma-separated, 17 significant digits");
  line.flag("--json", options.is_json, "JSON, 17 significant digits").not_with(csv);
}

Operation dump_operation() {
  return {
      .name = "dump",
      .purpose = "every value, one per line",
      .notes = R"(Values are inclusive along the metric tree and exclusive along the call tree;
zeros, and minima and maxima without a value, are left out. A call path is
the names of its regions from the root, joined by '/'; inside a name '/' is
written \/ and '\' is written \\.

)",
      .examples = R"(  tarry cube dump --csv run/analysis.cubex > values.csv
  tarry cube dump -m visits,time run/summary.cubex
  tarry cube dump --json - < run/analysis.cubex
)",
      .see_also = "tarry cube info, tarry cube calltree",
      .add_options = add_dump_options,
      .run = run_dump,
  };
}

}  // namespace tarry
