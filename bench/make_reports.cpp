// make_reports.cpp -- reports of many runs of one program that never ran: for stores, and for histories with a known
// step.
//
// usage: make_reports FOLDER COUNT RANKS CALL_PATHS METRICS SEED [NOISE [STEP_AT STEP]]
//
// FOLDER/000001.cubex and so on. Each run takes the time of the program, times 1 + NOISE x a normal number of its own;
// from the run STEP_AT on times 1 + STEP, too. The metrics are time, visits, and further times. SEED chooses all of it.
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <string>

#include "report/cubex/cubex_writer.hpp"
#include "report/tree/report.hpp"
#include "require.hpp"

namespace {

using namespace tarry;

struct Shape {
  std::size_t ranks = 0, call_paths = 0, metrics = 0;
};

void add_metrics(Report& report, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) {
    ReportMetric metric;
    metric.unique_name = i == 0 ? "time" : i == 1 ? "visits" : "wait_" + std::to_string(i);
    metric.display_name = metric.unique_name;
    metric.unit = i == 1 ? "occ" : "sec";
    if (i == 1) metric.type = ValueType::kUint64;
    report.add_metric(std::move(metric));
  }
}

Report empty_report(const Shape& shape) {
  Report report;
  add_metrics(report, shape.metrics);
  ReportStructure& structure = report.structure;
  for (std::size_t i = 0; i < shape.call_paths; ++i) {
    ReportRegion region;
    region.name = i == 0 ? "program" : "region_" + std::to_string(i);
    region.module = "/src/file_" + std::to_string(i % 7) + ".c";
    region.begin_line = static_cast<std::int64_t>(10 * i + 1);
    region.end_line = static_cast<std::int64_t>(10 * i + 9);
    structure.regions.push_back(region);
    ReportCallPath path;
    path.region = static_cast<std::uint32_t>(i);
    if (i > 0) path.parent = CallPathId((i - 1) / 3);
    structure.call_paths.push_back(path);
  }
  structure.system_nodes.push_back({"machine", "machine", "", ~std::uint32_t{0}, {}});
  structure.system_nodes.push_back({"node", "node", "", 0, {}});
  for (std::size_t rank = 0; rank < shape.ranks; ++rank) {
    ReportProcess process;
    process.name = "MPI Rank " + std::to_string(rank);
    process.rank = static_cast<std::int64_t>(rank);
    process.node = 1;
    structure.processes.push_back(process);
    ReportLocation location;
    location.name = "Master thread";
    location.process = static_cast<std::uint32_t>(rank);
    structure.locations.push_back(location);
  }
  structure.attributes.emplace_back("Creator", "make_reports");
  return report;
}

// Numbers with all their digits, as measured times have.
void fill(Report& report, const Shape& shape, double factor, std::mt19937_64& random) {
  std::normal_distribution<double> spread(1.0, 0.05);
  for (std::size_t m = 0; m < shape.metrics; ++m) {
    for (std::size_t p = 0; p < shape.call_paths; ++p) {
      // Waits are in some of the call paths.
      if (m > 1 && (p * 7 + m * 13) % 3 != 0) continue;
      const std::span<double> row = report.row(MetricId(m), CallPathId(p));
      const double base = static_cast<double>(1 + (p * 37 + m) % 101) / 100;
      for (double& value : row) value = m == 1 ? std::floor(100 * base) : base * factor;
    }
  }
  // The spread over ranks leaves the sum as it is.
  for (std::size_t m = 0; m < shape.metrics; ++m) {
    if (m == 1) continue;
    for (std::size_t p = 0; p < shape.call_paths; ++p) {
      if (report.find_row(MetricId(m), CallPathId(p)).empty()) continue;
      const std::span<double> row = report.row(MetricId(m), CallPathId(p));
      double sum = 0;
      std::vector<double> shares(row.size());
      for (double& share : shares) sum += share = spread(random);
      for (std::size_t i = 0; i < row.size(); ++i) row[i] *= shares[i] / sum * static_cast<double>(row.size());
    }
  }
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 7) {
    std::fprintf(stderr, "usage: make_reports FOLDER COUNT RANKS CALL_PATHS METRICS SEED [NOISE [STEP_AT STEP]]\n");
    return 2;
  }
  const auto number = [&](int i) { return argc > i ? std::strtod(argv[i], nullptr) : 0.0; };
  const auto count = static_cast<std::size_t>(number(2)), step_at = static_cast<std::size_t>(number(8));
  const Shape shape{static_cast<std::size_t>(number(3)), static_cast<std::size_t>(number(4)),
                    static_cast<std::size_t>(number(5))};
  std::mt19937_64 random(static_cast<std::uint64_t>(number(6)));
  std::normal_distribution<double> noise(0.0, 1.0);
  for (std::size_t run = 1; run <= count; ++run) {
    const double step = step_at > 0 && run >= step_at ? 1 + number(9) : 1;
    Report report = empty_report(shape);
    fill(report, shape, step * (1 + number(7) * noise(random)), random);
    char name[32];
    std::snprintf(name, sizeof name, "/%06zu.cubex", run);
    require(write_cubex(report, argv[1] + std::string(name)).ok(), name);
  }
  return 0;
}
