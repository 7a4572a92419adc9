// cubex_writer_test.cpp -- what we write keeps every rule, is the same every time, and comes back as it was.
#include "report/cubex/cubex_writer.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cfloat>
#include <cstdlib>
#include <filesystem>

#include "base/files/file.hpp"
#include "report/cubex/cubex_reader.hpp"
#include "tests/unit/report/sample_report.hpp"

namespace tarry {
namespace {

std::string file_in_temp(const std::string& name) {
  return (std::filesystem::temp_directory_path() / (std::to_string(::getpid()) + name)).string();
}

// Runs the independent checker; true where its place is not known.
bool is_accepted(const std::string& path) {
  const char* root = std::getenv("TARRY_ROOT");
  const char* python = std::getenv("PYTHON");
  if (!root) return true;
  const std::string command = std::string(python ? python : "python3") + " '" + root +
                              "/tests/report/check_cubex.py' '" + path + "' > /dev/null 2>&1";
  return std::system(command.c_str()) == 0;
}

std::vector<std::uint8_t> written(const Report& report, bool check = true) {
  const std::string path = file_in_temp("written.cubex");
  const Status status = write_cubex(report, path);
  EXPECT_TRUE(status.ok()) << status.error().text();
  if (check) {
    EXPECT_TRUE(is_accepted(path));
  }
  auto bytes = read_file(path);
  std::filesystem::remove(path);
  return std::move(bytes).value();
}

Report read_back(const Report& report) {
  auto back = read_cubex(written(report), "test");
  EXPECT_TRUE(back.ok());
  EXPECT_TRUE(back->damage.empty()) << back->damage[0];
  return std::move(back).value();
}

// The checker must not be one that says yes to everything.
TEST(CubexWriter, CheckerRefusesBrokenRules) {
  if (!std::getenv("TARRY_ROOT")) GTEST_SKIP() << "TARRY_ROOT is not set";
  const auto good = written(sample_report());
  const std::pair<std::string_view, std::string_view> damages[] = {
      {"id=\"0\" type", "id=\"1\" type"},  // an id twice
      {"<class>node</class>", "<class>nude</class>"},
      {"begin=\"-1\" end", "end=\"-1\" begin"},  // order of attributes
      {"&amp;", "&#38;"},                        // an entity nobody decodes
      {"UINT64", "DOUBLE"},                      // harmless to sizes, no fault
      {"UINT64", "UINT32"},                      // the size no longer fits
      {"</cube>\n", "</cube>\r"},
      {"CUBEX.INDEX\1", "CUBEX.INDEX\2"},
      {"nouser", "nousex"},  // the checksum of a header
  };
  for (const auto& [from, to] : damages) {
    std::string bytes(good.begin(), good.end());
    bytes.replace(bytes.find(from), from.size(), to);
    const std::string path = file_in_temp("broken.cubex");
    ASSERT_TRUE(write_file(path, std::string_view(bytes)).ok());
    EXPECT_EQ(is_accepted(path), to == "DOUBLE") << to;
    std::filesystem::remove(path);
  }
}

TEST(CubexWriter, EverythingComesBack) {
  const Report report = sample_report();
  const Report back = read_back(report);
  const ReportStructure &a = report.structure, &b = back.structure;
  ASSERT_EQ(b.metrics.size(), a.metrics.size());
  for (std::size_t i = 0; i < a.metrics.size(); ++i) {
    EXPECT_EQ(b.metrics[i].unique_name, a.metrics[i].unique_name);
    EXPECT_EQ(b.metrics[i].display_name, a.metrics[i].display_name);
    EXPECT_EQ(b.metrics[i].kind, a.metrics[i].kind);
    EXPECT_EQ(b.metrics[i].type, a.metrics[i].type);
    EXPECT_EQ(b.metrics[i].parent, a.metrics[i].parent);
    EXPECT_EQ(b.metrics[i].is_ghost, a.metrics[i].is_ghost);
  }
  EXPECT_EQ(b.metrics[4].expression, a.metrics[4].expression);
  EXPECT_EQ(b.metrics[4].init_expression, a.metrics[4].init_expression);
  EXPECT_EQ(b.metrics[4].aggregations, a.metrics[4].aggregations);
  EXPECT_FALSE(b.metrics[4].is_rowwise);
  EXPECT_EQ(b.regions[1].name, a.regions[1].name);
  EXPECT_EQ(b.regions[1].url, "@mirror@x?a%26b");
  EXPECT_EQ(b.regions[2].attributes, a.regions[2].attributes);
  EXPECT_EQ(b.call_paths[1].numeric_parameters, a.call_paths[1].numeric_parameters);
  EXPECT_EQ(b.call_paths[4].string_parameters, a.call_paths[4].string_parameters);
  EXPECT_EQ(b.call_paths[3].attributes, a.call_paths[3].attributes);
  EXPECT_EQ(b.call_paths[4].line, 12);
  EXPECT_EQ(b.system_nodes[1].description, "the node");
  EXPECT_EQ(b.processes[1].rank, 1);
  EXPECT_EQ(b.locations[1].name, "OMP thread 1");
  EXPECT_EQ(b.mirrors, a.mirrors);
  EXPECT_EQ(b.topologies[0].coordinates, a.topologies[0].coordinates);
  EXPECT_EQ(back.files[0].bytes.size(), 513u);  // one byte more: no member may be a multiple of 512
}

TEST(CubexWriter, ValuesComeBack) {
  const Report report = sample_report();
  const Report back = read_back(report);
  for (std::uint32_t metric = 0; metric < 7; ++metric)
    for (std::uint32_t path = 0; path < 6; ++path)
      for (std::uint32_t location = 0; location < 3; ++location)
        EXPECT_EQ(back.exclusive(MetricId(metric), CallPathId(path), location),
                  report.exclusive(MetricId(metric), CallPathId(path), location))
            << metric << " " << path << " " << location;
}

TEST(CubexWriter, SameReportSameBytes) { EXPECT_EQ(written(sample_report(), false), written(sample_report(), false)); }

TEST(CubexWriter, AnyParentFirstOrderIsPutInOrder) {
  Report fresh;
  fresh.structure = sample_report().structure;
  fresh.structure.call_paths.push_back({2, CallPathId(1), -1, "", {}, {}, {}});  // a second child of 1, at the end
  fresh.structure.locations.push_back({"OMP thread 2", "thread", 2, 0, {}});     // of process 0, after process 1's
  fresh.row(MetricId(0), CallPathId(6))[1] = 77;
  fresh.row(MetricId(0), CallPathId(6))[3] = 99;
  fresh.row(MetricId(1), CallPathId(6))[2] = 0.5;
  fresh.structure.topologies[0].coordinates[3] = {1, 1};
  const Report back = read_back(fresh);
  EXPECT_EQ(back.structure.call_paths[4].parent, CallPathId(1));
  EXPECT_EQ(back.structure.locations[2].name, "OMP thread 2");
  EXPECT_EQ(back.exclusive(MetricId(0), CallPathId(4), 1), 77);
  EXPECT_EQ(back.exclusive(MetricId(0), CallPathId(4), 2), 99);
  EXPECT_EQ(back.exclusive(MetricId(1), CallPathId(4), 3), 0.5);
  EXPECT_EQ(back.structure.topologies[0].coordinates.at(2), (std::vector<std::int64_t>{1, 1}));
}

TEST(CubexWriter, EmptyMinimumStaysNeutral) {
  Report report = sample_report();
  ReportMetric metric;
  metric.unique_name = "max_time";
  metric.type = ValueType::kMaxDouble;
  report.add_metric(metric);
  const Report back = read_back(report);
  EXPECT_EQ(back.exclusive(back.find_metric("max_time"), CallPathId(0), 0), -DBL_MAX);
}

TEST(CubexWriter, SizesAreNeverMultiplesOf512) {
  for (int locations = 1; locations <= 70; ++locations) {
    Report report;
    report.structure = sample_report().structure;
    report.structure.metrics.resize(1);
    report.structure.topologies.clear();
    report.structure.locations.assign(locations, {"t", "thread", 0, 0, {}});
    report.structure.processes.resize(1);
    report.structure.metrics[0].type = locations % 2 ? ValueType::kUint8 : ValueType::kUint16;
    report.structure.attributes = {{"k", std::string(static_cast<std::size_t>(locations) * 7, 'x')}};
    for (std::uint32_t path = 0; path < 6; ++path) report.row(MetricId(0), CallPathId(path))[0] = path;
    EXPECT_TRUE(read_cubex(written(report, locations % 16 == 0), "test").ok());
  }
}

TEST(CubexWriter, RefusesWhatNobodyCouldRead) {
  const auto fails = [](auto&& damage) {
    Report report = sample_report();
    damage(report);
    return !write_cubex(report, "/nonexistent/x").ok() && !write_cubex(report, file_in_temp("bad")).ok();
  };
  EXPECT_TRUE(fails([](Report& r) { r.structure.metrics.clear(); }));
  EXPECT_TRUE(fails([](Report& r) { r.structure.regions.clear(); }));
  EXPECT_TRUE(fails([](Report& r) { r.structure.call_paths.clear(); }));
  EXPECT_TRUE(fails([](Report& r) { r.structure.call_paths[0].region = 99; }));
  EXPECT_TRUE(fails([](Report& r) { r.structure.locations.resize(2); }));
  EXPECT_TRUE(fails([](Report& r) { r.structure.processes[0].node = 99; }));
  EXPECT_TRUE(fails([](Report& r) { r.structure.metrics[1].unique_name = "visits"; }));
  EXPECT_TRUE(fails([](Report& r) { r.structure.metrics[3].kind = MetricKind::kInclusive; }));
  EXPECT_TRUE(fails([](Report& r) { r.files[0].name = "anchor.xml"; }));
  EXPECT_FALSE(write_cubex(sample_report(), "/nonexistent/x").ok());
}

}  // namespace
}  // namespace tarry
