// collate_summary_test.cpp -- profiles of two processes, one of which takes a path the other does not.
#include "summary/collate_summary.hpp"

#include <gtest/gtest.h>

#include <unistd.h>

#include <cfloat>
#include <random>

#include "base/files/file.hpp"
#include "report/tree/call_path_tree.hpp"
#include "report/cubex/cubex_writer.hpp"
#include "tools/measure/closing_lines.hpp"

namespace tarry {
namespace {

struct TwoProcesses {
  Definitions definitions;
  std::vector<ThreadProfile> profiles;

  TwoProcesses() {
    definitions.clock.ticks_per_second = 1000;
    const auto text = [this](const char* name) { return definitions.strings.intern(name); };
    for (const char* name : {"app", "solve"})
      definitions.regions.push_back(
          {text(name), text(name), text(""), 0, 0, Paradigm::kCompiler, RegionRole::kFunction});
    for (const char* name : {"MPI_Waitall", "MPI_Init"})
      definitions.regions.push_back(
          {text(name), text(name), text("MPI"), 0, 0, Paradigm::kMpi,
           name == std::string_view("MPI_Init") ? RegionRole::kOtherCollective : RegionRole::kPointToPoint});
    definitions.system_nodes = {{text("machine"), text("machine"), {}}, {text("n0"), text("node"), SystemNodeId(0)}};
    for (std::uint32_t rank = 0; rank < 2; ++rank) {
      definitions.processes.push_back({text("MPI Rank"), rank, SystemNodeId(1), true});
      definitions.locations.push_back({text("Master thread"), ProcessId(rank), 0, 0});
    }
    constexpr std::uint32_t kNone = ProfileNode::kNoParent;
    profiles = {{LocationId(0), {{kNone, 0, 1, 1000, 1000, 1000}, {0, 1, 2, 700, 300, 400}, {1, 2, 4, 500, 50, 200}}},
                {LocationId(1), {{kNone, 0, 1, 900, 900, 900}, {0, 2, 1, 100, 100, 100}}}};
    TransferCounts& of_first = profiles[0].nodes[2].transfers;
    for (int i = 0; i < 5; ++i)
      of_first.count_message(Transfer::kEmptySends, Transfer::kSends, Transfer::kBytesSent, 16);
    of_first.count_message(Transfer::kEmptyReceives, Transfer::kReceives, Transfer::kBytesReceived, 40);
    of_first.count_message(Transfer::kEmptyReceives, Transfer::kReceives, Transfer::kBytesReceived, 0);
    profiles[1].nodes[1].transfers.count_collective(7, 0);
  }
};

TEST(CollateSummary, CallPathsOfAllProcessesAreUnified) {
  const TwoProcesses run;
  const Report report = collate_summary(run.definitions, run.profiles);
  ASSERT_EQ(report.structure.call_paths.size(), 4u);
  EXPECT_EQ(call_path_text(report.structure, CallPathId(2)), "app/solve/MPI_Waitall");
  EXPECT_EQ(call_path_text(report.structure, CallPathId(3)), "app/MPI_Waitall");
  EXPECT_EQ(report.structure.processes.size(), 2u);
  EXPECT_EQ(report.structure.system_nodes[1].class_name, "node");
}

// Thread 1 is in a team that thread 2 has forked, which is in one of thread 0. Thread 3 is in one that nothing knows
// of.
TEST(CollateSummary, WorkersAreBelowThePathOfTheirFork) {
  TwoProcesses run;
  for (std::uint32_t thread = 1; thread <= 3; ++thread)
    run.definitions.locations.push_back({run.definitions.strings.intern("worker"), ProcessId(1), thread, 0});
  constexpr std::uint32_t kNone = ProfileNode::kNoParent;
  run.profiles[1].forks = {{1, 77}};
  const ThreadProfile worker = {LocationId(2), {{kNone, 1, 1, 10, 10, 10}, {0, 2, 1, 5, 5, 5}}};
  for (std::uint32_t thread = 1; thread <= 3; ++thread) {
    run.profiles.push_back(worker);
    run.profiles.back().location = LocationId(thread + 1);
    run.profiles.back().teams = {{0, thread == 1 ? 88u : thread == 2 ? 77u : 99u}};
  }
  run.profiles[3].forks = {{1, 88}};
  const Report report = collate_summary(run.definitions, run.profiles);
  const MetricId visits = report.find_metric("visits");
  std::vector<std::string> paths;
  for (std::size_t location = 2; location < 5; ++location)
    for (std::uint32_t path = 0; path < report.structure.call_paths.size(); ++path)
      if (report.exclusive(visits, CallPathId(path), location) > 0)
        paths.push_back(call_path_text(report.structure, CallPathId(path)));
  const std::string of_second = "app/MPI_Waitall/solve";
  EXPECT_EQ(paths,
            (std::vector<std::string>{of_second + "/MPI_Waitall/solve", of_second + "/MPI_Waitall/solve/MPI_Waitall",
                                      of_second, of_second + "/MPI_Waitall", "solve", "solve/MPI_Waitall"}));
}

// They have no values of their own.
TEST(CollateSummary, InlinedFunctionsAreBetweenCallersAndCalls) {
  TwoProcesses run;
  std::vector<Region>& regions = run.definitions.regions;
  const auto inlined = static_cast<std::uint32_t>(regions.size());
  regions.push_back(regions[1]);
  regions.back().name = regions.back().mangled_name = run.definitions.strings.intern("exchange");
  for (const std::uint32_t base : {inlined, 2u}) {
    regions.push_back(regions[base]);
    regions.back().base = RegionId(base);
  }
  regions.back().inlined_in = RegionId(inlined + 1);
  run.profiles[0].nodes[2].region = inlined + 2;
  const Report report = collate_summary(run.definitions, run.profiles);
  ASSERT_EQ(report.structure.call_paths.size(), 5u);
  EXPECT_EQ(call_path_text(report.structure, CallPathId(2)), "app/solve/exchange");
  EXPECT_EQ(call_path_text(report.structure, CallPathId(3)), "app/solve/exchange/MPI_Waitall");
  const MetricId time = report.find_metric("time"), visits = report.find_metric("visits");
  EXPECT_DOUBLE_EQ(report.exclusive(visits, CallPathId(2), 0), 0);
  EXPECT_DOUBLE_EQ(report.exclusive(time, CallPathId(2), 0), 0);
  EXPECT_DOUBLE_EQ(report.inclusive(time, CallPathId(2), 0), 0.5);
  EXPECT_DOUBLE_EQ(report.exclusive(time, CallPathId(1), 0), 0.2);
}

TEST(CollateSummary, ValuesKeepTheirMeaning) {
  const TwoProcesses run;
  const Report report = collate_summary(run.definitions, run.profiles);
  const MetricId time = report.find_metric("time");
  EXPECT_DOUBLE_EQ(report.inclusive(time, CallPathId(0), 0), 1.0);
  EXPECT_DOUBLE_EQ(report.exclusive(time, CallPathId(0), 0), 0.3);
  EXPECT_DOUBLE_EQ(report.exclusive(time, CallPathId(1), 0), 0.2);
  EXPECT_DOUBLE_EQ(report.exclusive(time, CallPathId(0), 1), 0.8);
  EXPECT_DOUBLE_EQ(report.exclusive(report.find_metric("visits"), CallPathId(2), 0), 4);
  EXPECT_DOUBLE_EQ(report.exclusive(report.find_metric("min_time"), CallPathId(1), 0), 0.3);
  EXPECT_DOUBLE_EQ(report.exclusive(report.find_metric("max_time"), CallPathId(1), 0), 0.4);
}

// Both were killed as they began.
TEST(CollateSummary, NoTimeIsATime) {
  TwoProcesses run;
  for (ThreadProfile& profile : run.profiles) profile.nodes = {{ProfileNode::kNoParent, 0, 1, 0, 0, 0}};
  const Report report = collate_summary(run.definitions, run.profiles);
  const MetricId time = report.find_metric("time");
  ASSERT_TRUE(time.is_valid());
  EXPECT_EQ(report.inclusive(time, CallPathId(0), 0), 0);
}

// Rank 1 was never in "solve": there is no shortest and no longest visit, in whatever unit.
TEST(CollateSummary, WhatWasNotVisitedHasNoShortestVisit) {
  const TwoProcesses run;
  const Report report = collate_summary(run.definitions, run.profiles);
  EXPECT_EQ(report.exclusive(report.find_metric("min_time"), CallPathId(1), 1), DBL_MAX);
  EXPECT_EQ(report.exclusive(report.find_metric("max_time"), CallPathId(1), 1), -DBL_MAX);
}

// Metrics are those of analysis reports; what nothing has a value of is left out.
TEST(CollateSummary, HasTheHierarchyOfAnAnalysis) {
  const TwoProcesses run;
  const Report report = collate_summary(run.definitions, run.profiles);
  const auto value = [&report](const char* metric, std::uint32_t path, std::size_t location) {
    const MetricId id = report.find_metric(metric);
    return id.is_valid() ? report.exclusive(id, CallPathId(path), location) : -1;
  };
  EXPECT_EQ(value("comms_send", 2, 0), 5);
  EXPECT_EQ(value("comms_p2p", 2, 0), 6);
  EXPECT_EQ(value("comms", 2, 0), 6);
  EXPECT_EQ(value("syncs", 2, 0), 1);
  EXPECT_EQ(value("bytes_sent", 2, 0), 80);
  EXPECT_EQ(value("bytes_rcvd", 2, 0), 40);
  EXPECT_EQ(value("bytes", 2, 0), 120);
  EXPECT_EQ(value("comms_csrc", 3, 1), 1);
  EXPECT_EQ(value("bytes_cout", 3, 1), 7);
  EXPECT_EQ(value("bytes_put", 3, 1), -1);
  EXPECT_DOUBLE_EQ(value("mpi_point2point", 2, 0), 0.5);
  EXPECT_DOUBLE_EQ(value("execution", 2, 0), 0.5);
  EXPECT_DOUBLE_EQ(value("comp", 1, 0), 0.2);
  EXPECT_EQ(value("comp", 2, 0), 0);
  // The second process computes 0.8 s in the program itself, the first one 0.3 s there and 0.2 s in a function.
  EXPECT_DOUBLE_EQ(value("imbalance_above", 0, 1), 0.25);
  EXPECT_DOUBLE_EQ(value("imbalance_below", 0, 0), 0.25);
  EXPECT_DOUBLE_EQ(value("imbalance_below_bypass", 1, 1), 0.1);
  EXPECT_EQ(value("omp_idle_threads", 0, 0), -1);
  const ReportMetric& sends = report.structure.metrics[report.find_metric("comms_send").value];
  EXPECT_EQ(report.structure.metrics[sends.parent.value].unique_name, "comms_p2p");
}

// Outside parallel regions the worker has nothing to do, and of the region it misses the beginning.
TEST(CollateSummary, WorkersAreIdleOutsideParallelRegions) {
  TwoProcesses run;
  run.definitions.processes.resize(1);
  run.definitions.locations[1].process = ProcessId(0);
  run.definitions.regions[1].paradigm = Paradigm::kOpenMp;
  run.definitions.regions[1].role = RegionRole::kParallel;
  run.profiles[1].nodes = {run.profiles[0].nodes[0], run.profiles[0].nodes[1]};
  run.profiles[1].nodes[0].visits = 0;
  run.profiles[1].nodes[0].time = run.profiles[1].nodes[1].time = 600;
  const Report report = collate_summary(run.definitions, run.profiles);
  const auto value = [&report](const char* metric, std::uint32_t path) {
    return report.exclusive(report.find_metric(metric), CallPathId(path), 1);
  };
  EXPECT_DOUBLE_EQ(value("omp_idle_threads", 0), 0.3);
  EXPECT_DOUBLE_EQ(value("time", 0), 0.3);
  EXPECT_DOUBLE_EQ(value("omp_limited_parallelism", 1), 0.1);
  EXPECT_DOUBLE_EQ(value("omp_idle_threads", 1), 0.1);
  EXPECT_DOUBLE_EQ(value("time", 1), 0.7);
  EXPECT_DOUBLE_EQ(report.inclusive(report.find_metric("time"), CallPathId(0), 1), 1.0);
}

// However many rows are gathered at a time, the file is the same.
TEST(CollateSummary, BlocksOfRowsMakeTheSameFile) {
  TwoProcesses run;
  std::mt19937 random(8);
  for (std::uint32_t rank = 2; rank < 40; ++rank) {
    run.definitions.processes.push_back({run.definitions.strings.intern("MPI Rank"), rank, SystemNodeId(1), true});
    run.definitions.locations.push_back({run.definitions.strings.intern("Master thread"), ProcessId(rank), 0, 0});
    ThreadProfile& profile = run.profiles.emplace_back();
    profile.location = LocationId(rank);
    for (std::uint32_t n = 0; n < 1 + random() % 20; ++n) {
      const std::uint32_t parent = n == 0 ? ProfileNode::kNoParent : static_cast<std::uint32_t>(random() % n);
      profile.nodes.push_back(
          {parent, static_cast<std::uint32_t>(random() % 4), random() % 3, 100, 5, 60, random() % 9, random() % 50});
      profile.nodes.back().transfers.count_collective(random() % 2 * 8, random() % 3 * 8);
    }
  }
  const auto bytes_of = [](const CubeSource& report) {
    const std::string path = "/tmp/tarry-test-collate-" + std::to_string(::getpid()) + ".cubex";
    EXPECT_TRUE(write_cubex(report, path).ok());
    auto bytes = read_file(path);
    ::unlink(path.c_str());
    return std::move(*bytes);
  };
  std::size_t walks = 0;
  const ProfileWalk walk = [&](const auto& visit) {
    ++walks;
    for (const ThreadProfile& profile : run.profiles) visit(profile);
  };
  const auto expected = bytes_of(SummaryCube(run.definitions, walk));
  EXPECT_EQ(walks, 2u);  // one that plans and one that gathers everything
  for (const std::size_t rows : {1u, 30u}) {
    walks = 0;
    const SummaryCube cube(run.definitions, walk, rows * 40 * sizeof(double));
    EXPECT_TRUE(bytes_of(cube) == expected) << rows << " rows";
    EXPECT_GT(walks, 2u);
    EXPECT_TRUE(bytes_of(ReportCube(load_report(cube))) ==
                bytes_of(ReportCube(collate_summary(run.definitions, run.profiles))));
  }
}

TEST(ClosingLines, NameWhatDominated) {
  const TwoProcesses run;
  EXPECT_EQ(summary_line(ReportCube(collate_summary(run.definitions, run.profiles))),
            "1.9 s in 2 processes: 31.6% MPI; most in MPI_Waitall under app/solve (500 ms)");
  const Recorded trace{
      .processes = 8, .threads = 8, .events = 1000, .event_bytes = 5240, .has_trace = true, .has_summary = false};
  EXPECT_EQ(where_line("run", trace), "run holds a trace of 8 processes");
  EXPECT_EQ(trace_line(trace), "1000 events, 5.2 bytes each on disk");
  EXPECT_EQ(next_line("run", trace), "next: tarry replay run && tarry report run");
}

// One line has one definition of MPI: what it leaves out of the largest call it leaves out of the share, too.
TEST(ClosingLines, KeepTheManagementOfMpiApart) {
  TwoProcesses run;
  run.definitions.regions[3].role = RegionRole::kFunction;
  run.profiles[1].nodes[1].region = 3;
  EXPECT_EQ(summary_line(ReportCube(collate_summary(run.definitions, run.profiles))),
            "1.9 s in 2 processes: 26.3% MPI, 5.3% MPI management; most in MPI_Waitall under app/solve (500 ms)");
}

TEST(ClosingLines, NameTheParadigmThatMatters) {
  TwoProcesses run;
  run.definitions.regions[2] = run.definitions.regions[1];
  run.definitions.regions[3].role = RegionRole::kFunction;
  run.profiles[1].nodes[1].region = 3;
  const auto line = [&run] { return summary_line(ReportCube(collate_summary(run.definitions, run.profiles))); };
  EXPECT_EQ(line(), "1.9 s in 2 processes: 5.3% MPI management");
  run.profiles[1].nodes[1].region = 1;
  EXPECT_EQ(line(), "1.9 s in 2 processes: 100.0% computation");
  run.definitions.regions[2].paradigm = Paradigm::kOpenMp;
  run.definitions.regions[2].role = RegionRole::kImplicitBarrier;
  EXPECT_EQ(line(), "1.9 s in 2 processes: 26.3% OpenMP; most in solve under app/solve (500 ms)");
}

TEST(ClosingLines, TellThatThereIsNoRegion) {
  EXPECT_EQ(summary_line(ReportCube(Report())), "no time was recorded in any region");
}

}  // namespace
}  // namespace tarry
