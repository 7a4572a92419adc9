// op_matrix.cpp -- tarry cube matrix: messages and bytes by sender and receiver.
#include <unistd.h>

#include <algorithm>
#include <array>
#include <tuple>

#include "base/text/csv.hpp"
#include "base/text/format.hpp"
#include "base/text/printable.hpp"
#include "ops.hpp"
#include "report/algebra/cube_values.hpp"
#include "report/tables/message_matrix.hpp"
#include "report/tree/metric_tree.hpp"
#include "report_input.hpp"
#include "shared_options.hpp"

namespace tarry {

static std::string receiver_name(std::uint32_t receiver) {
  return receiver == MessageCount::kOthers ? "others" : std::to_string(receiver);
}

static std::string matrix_csv(const MessageMatrix& matrix) {
  CsvWriter csv("sender,receiver,messages,bytes");
  for (const MessageCount& count : matrix) {
    csv.add(count.sender).add(receiver_name(count.receiver)).add(count.messages).add(count.bytes);
    csv.end_row();
  }
  return csv.take();
}

// The pairs with the most bytes first.
static std::string matrix_text(MessageMatrix matrix, std::size_t most) {
  std::uint64_t messages = 0;
  Bytes bytes = 0;
  for (const MessageCount& count : matrix) {
    messages += count.messages;
    bytes += count.bytes;
  }
  std::string text;
  add_line(text, format_count(messages, "message") + ", " + format_count(bytes, "byte") + ", between " +
                     format_count(matrix.size(), "pair") + " of processes");
  add_line(text, "sender  receiver      messages            bytes       %");
  std::ranges::stable_sort(matrix, [](const MessageCount& left, const MessageCount& right) {
    return std::tie(left.bytes, left.messages) > std::tie(right.bytes, right.messages);
  });
  for (std::size_t i = 0; i < std::min(most, matrix.size()); ++i) {
    const MessageCount& count = matrix[i];
    char share[16];
    std::snprintf(share, sizeof share, "%8.2f",
                  bytes ? 100.0 * static_cast<double>(count.bytes) / static_cast<double>(bytes) : 0);
    add_line(text, pad_left(std::to_string(count.sender), 6) + pad_left(receiver_name(count.receiver), 10) +
                       pad_left(std::to_string(count.messages), 14) + pad_left(std::to_string(count.bytes), 17) +
                       share);
  }
  if (matrix.size() > most)
    add_line(text, "... and " + format_count(matrix.size() - most, "more pair", "more pairs") + " (-n N, --csv)");
  return text;
}

// By process: what it does in collective operations, which have no single receiver.
struct CollectiveCounts {
  static constexpr std::array<const char*, 4> kMetrics = {"syncs_coll", "comms_coll", "bytes_cout", "bytes_cin"};
  static constexpr std::array<const char*, 4> kColumns = {"empty", "operations", "bytes_out", "bytes_in"};

  std::vector<std::array<double, 4>> of_process;
  std::vector<std::string> damage;
};

static CollectiveCounts count_collectives(const CubeSource& report) {
  const ReportStructure& structure = report.structure();
  CollectiveCounts counts;
  counts.of_process.resize(structure.processes.size());
  CubeValues values(report);
  std::vector<double> row;
  for (std::size_t what = 0; what < CollectiveCounts::kMetrics.size(); ++what) {
    const MetricId metric = find_metric(structure, CollectiveCounts::kMetrics[what]);
    for (std::uint32_t path = 0; metric.is_valid() && path < structure.call_paths.size(); ++path) {
      if (!values.row(metric, CallPathId(path), Flavour::kExclusive, row)) continue;
      for (std::size_t location = 0; location < row.size(); ++location)
        counts.of_process[structure.locations[location].process][what] += row[location];
    }
  }
  counts.damage = values.damage();
  return counts;
}

static std::string collectives_text(const ReportStructure& structure, const CollectiveCounts& counts, bool is_csv) {
  CsvWriter csv("rank,empty,operations,bytes_out,bytes_in");
  std::string text;
  std::string head = "  rank";
  for (const char* column : CollectiveCounts::kColumns) head += pad_left(column, 16);
  add_line(text, head);
  for (std::size_t process = 0; process < counts.of_process.size(); ++process) {
    std::string line = pad_left(std::to_string(structure.processes[process].rank), 6);
    csv.add(structure.processes[process].rank);
    for (const double count : counts.of_process[process]) {
      csv.add(static_cast<std::uint64_t>(count));
      line += pad_left(std::to_string(static_cast<std::uint64_t>(count)), 16);
    }
    csv.end_row();
    add_line(text, line);
  }
  return is_csv ? csv.take() : text;
}

static Result<int> run_collectives(const CubeOptions& options, const CubeSource& report) {
  const CollectiveCounts counts = count_collectives(report);
  TARRY_TRY(print(collectives_text(report.structure(), counts, options.is_csv)));
  return conclude(counts.damage, options.is_strict);
}

static Result<int> run_matrix(const CubeOptions& options) {
  TARRY_TRY_ASSIGN(report, open_report(options.inputs[0]));
  if (options.is_collective) return run_collectives(options, *report);
  TARRY_TRY_ASSIGN(matrix, read_matrix(report->files()));
  if (matrix.empty() && !options.is_csv)
    return Error{options.inputs[0], "holds no messages between processes",
                 "reports of 'tarry measure' and 'tarry replay' have them where a program sends any"};
  TARRY_TRY(print(options.is_csv ? matrix_csv(matrix) : matrix_text(std::move(matrix), options.count)));
  return conclude(report->damage(), options.is_strict);
}

static void add_matrix_options(CliOptions& line, CliOption, CubeOptions& options) {
  line.option("-n,--number", options.count, "how many pairs (default: the 10 with the most bytes)");
  line.flag("--collectives", options.is_collective, "instead: what each process does in collective operations");
  line.flag("--csv", options.is_csv, "all pairs by sender and receiver, as CSV");
}

Operation matrix_operation() {
  return {
      .name = "matrix",
      .purpose = "messages and bytes by sender and receiver",
      .notes =
          "Ranks are those of the report. A process with very many receivers has 'others' for those with the\n"
          "fewest bytes. Collective operations have no single receiver: --collectives lists them by process, with\n"
          "those without payload apart.\n\n",
      .examples = R"(  tarry cube matrix run/summary.cubex
  tarry cube matrix -n 50 run
  tarry cube matrix --csv run/analysis.cubex > messages.csv
  tarry cube matrix --collectives run
)",
      .see_also = "tarry cube dump, docs/METRICS.md",
      .add_options = add_matrix_options,
      .run = run_matrix,
  };
}

}  // namespace tarry
