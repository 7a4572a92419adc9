// root_causes_test.cpp -- causes follow from delay costs alone: of call paths, or else of kinds of waits.
#include "findings/causes/root_causes.hpp"

#include <gtest/gtest.h>

#include "findings/causes/advice.hpp"
#include "findings/findings.hpp"
#include "tests/unit/findings/example_report.hpp"

namespace tarry {
namespace {

std::vector<Advice> advice_of(const Report& report) {
  const auto findings = find_findings(report, 10);
  return give_advice(report, findings.value(), 3);
}

RootCauses causes_in(const Report& report) { return find_root_causes(report, table_of_causes(report)); }

WaitCauses at_allreduce(const Example& example, std::vector<CauseAtPath> delays) {
  return {.kind = "delay_n2n_aggregate",
          .path = example.allreduce,
          .waiting = 6.75,
          .delays = std::move(delays),
          .passed_on = {}};
}

// Waiting of 6.75 in MPI_Allreduce and 1 in MPI_Recv, and what the test says of their causes.
struct WithCauses : Example {
  explicit WithCauses(std::vector<CauseAtPath> delays) {
    add_waits();
    report.structure.regions[1].module = "heat.c";
    report.structure.regions[1].begin_line = 45;
    add_causes({at_allreduce(*this, std::move(delays))}, report.files);
  }
};

TEST(RootCauses, AreThoseOfTheTable) {
  Example ids;
  const WithCauses example({{ids.compute, 6, 0.5, 1, {{2, 0, 6.5}}}, {ids.receive, 0.25, 0, 1, {{0, 0, 0.25}}}});
  const RootCauses found = causes_in(example.report);
  ASSERT_EQ(found.causes.size(), 2u);
  EXPECT_DOUBLE_EQ(found.waiting, 7.75);  // of the report: more than the table is about
  EXPECT_DOUBLE_EQ(found.explained, 6.75);
  const RootCause& first = found.causes[0];
  EXPECT_EQ(first.path, ids.compute);
  EXPECT_EQ(first.nature, CauseNature::kLoad);
  EXPECT_EQ(first.who.front().rank, ReportRank(2));
  EXPECT_DOUBLE_EQ(first.excess, 8 - 16.0 / 3);
  EXPECT_DOUBLE_EQ(first.share, 6.5 / 7.75);
  ASSERT_EQ(first.effects.size(), 1u);
  EXPECT_EQ(first.effects[0].kind, "Wait at N x N");
  EXPECT_EQ(found.causes[1].nature, CauseNature::kOperation);
  const auto advice = advice_of(example.report);
  ASSERT_FALSE(advice.empty());
  EXPECT_EQ(
      advice[0].sentence,
      "rank 2 spends 2.667 s more than the average in compute (heat.c:45): that causes 83.9% of the waiting, 6.5 s");
  EXPECT_EQ(
      advice[0].detail,
      "Wait at N x N at MPI_Allreduce of heat 6.5 s (96.3% of the waiting there); 7.7% of it through other waits");
  EXPECT_DOUBLE_EQ(advice[0].share, 6.5 / 7.75);
  EXPECT_EQ(advice[0].causes, std::vector<std::uint64_t>{1});
}

// Three threads of each process, of which two are idle there.
TEST(RootCauses, IdleThreadsSpendNoTimeThere) {
  Example ids;
  WithCauses example({{ids.compute, 6, 0.5, 1, {{2, 0, 6.5}}}});
  const MetricId idle =
      add_metric(example.report, "omp_idle_threads", "Idle Threads", MetricKind::kExclusive, example.time);
  set(example.report, idle, ids.compute, {3, 3, 6});
  const RootCauses found = causes_in(example.report);
  EXPECT_DOUBLE_EQ(found.causes.at(0).excess, 2 - 4.0 / 3);
  EXPECT_DOUBLE_EQ(found.causes.at(0).excess_share, 6.5 / 4);
}

// Accounts of a process are of the whole run: they are no part of what a region takes longer. Counters of the region
// are.
TEST(RootCauses, WhatIsNoWorkOfTheProgramIsSaid) {
  Example ids;
  WithCauses example({{ids.compute, 6, 0, 1, {{2, 0, 6}}}});
  Findings findings = find_findings(example.report, 10).value();
  ASSERT_FALSE(findings.root_causes.told.empty());
  CauseFinding outside{.cause = OutsideCause::kPreemption, .rank = ReportRank(2), .seconds = 2, .share = 0.75};
  const auto sentence = [&] {
    findings.root_causes.told[0].cause.outside = outside;
    return give_advice(example.report, findings, 3).at(0).sentence;
  };
  EXPECT_EQ(sentence(),
            "rank 2 (ready to run without a processor for 2 s more than the average in the whole run) "
            "spends 2.667 s more than the average in compute (heat.c:45): that causes 77.4% of the "
            "waiting, 6 s");
  outside.is_of_region = true;
  EXPECT_EQ(sentence(),
            "rank 2 spends 2.667 s more than the average in compute (heat.c:45), 75.0% of it ready to run "
            "without a processor: that causes 77.4% of the waiting, 6 s");
  outside.is_of_region = false;
  outside.least_share = 0.88;
  EXPECT_NE(sentence().find("(heat.c:45), at least 88.0% of it ready to run without"), std::string::npos) << sentence();
  outside.least_share = 0.2;
  findings.root_causes.told[0].cause.who.push_back({ReportRank(1), ReportThread(0), 0.1});
  EXPECT_EQ(sentence().find("ranks 1,2 (rank 2: ready to run"), 0u) << sentence();
}

TEST(RootCauses, FewAreNamed) {
  std::vector<CausingThread> who;
  for (const Seconds part : {4.0, 3.0, 2.0, 1.0}) who.push_back({ReportRank(0), ReportThread(0), part});
  std::vector<CausingThread> few = who;
  EXPECT_TRUE(keep_few(few, 8, 4));
  EXPECT_EQ(few.size(), 2u);
  std::vector<CausingThread> many = who;
  EXPECT_FALSE(keep_few(many, 10, 4));  // three of four are not few
  EXPECT_EQ(many.size(), 4u);
  EXPECT_TRUE(keep_few(many, 10, 12));
  EXPECT_EQ(many.size(), 3u);
  EXPECT_FALSE(keep_few(who, 100, 64));  // the rest of them is not known
  EXPECT_EQ(who.size(), 4u);
}

// Without a table: the metrics of delay costs, for each kind of waits as a whole.
TEST(RootCauses, ElseThoseOfTheMetrics) {
  Example example;
  example.add_waits();
  EXPECT_TRUE(causes_in(example.report).causes.empty());
  const MetricId direct = add_metric(example.report, "delay_n2n", "Short-term", MetricKind::kExclusive);
  const MetricId indirect = add_metric(example.report, "delay_n2n_longterm", "Long-term", MetricKind::kExclusive);
  set(example.report, direct, example.compute, {0, 0, 5});
  set(example.report, indirect, example.compute, {0, 0, 1});
  const RootCauses found = causes_in(example.report);
  ASSERT_EQ(found.causes.size(), 1u);
  EXPECT_DOUBLE_EQ(found.waiting, 7.75);
  EXPECT_DOUBLE_EQ(found.causes[0].direct, 5);
  EXPECT_DOUBLE_EQ(found.causes[0].indirect, 1);
  EXPECT_EQ(found.causes[0].threads, 1u);
  EXPECT_EQ(found.causes[0].effects[0].path, example.allreduce);  // the only call path with such waits
}

// The table has the largest waits only. All count: those that it does not have, by the metrics.
TEST(RootCauses, AllWaitsCount) {
  WithCauses example({{Example().compute, 3, 0, 1, {{2, 0, 3}}}});
  const MetricId n2n = add_metric(example.report, "delay_n2n", "Short-term", MetricKind::kExclusive);
  const MetricId late = add_metric(example.report, "delay_latesender", "Short-term", MetricKind::kExclusive);
  set(example.report, n2n, example.compute, {0, 0, 4});
  set(example.report, n2n, example.root, {0, 1, 0});
  set(example.report, late, example.compute, {0, 0, 0.5});
  set(example.report, example.report.find_metric("mpi_wait_nxn"), example.receive, {0.25, 0, 0});
  const RootCauses found = causes_in(example.report);
  EXPECT_DOUBLE_EQ(found.explained, 5.5);
  ASSERT_EQ(found.causes.size(), 2u);
  EXPECT_DOUBLE_EQ(found.causes[0].seconds(), 4.5);
  EXPECT_DOUBLE_EQ(found.causes[0].share, 4.5 / 8);
  ASSERT_EQ(found.causes[0].effects.size(), 3u);  // at the MPI_Allreduce of the table, elsewhere, and late senders
  EXPECT_DOUBLE_EQ(found.causes[0].effects[0].seconds(), 3);
  EXPECT_DOUBLE_EQ(found.causes[0].effects[1].seconds(), 1);
  EXPECT_FALSE(found.causes[0].effects[1].path.is_valid());
}

// Costs that the table does not list belong to the only call path that has waits of their kind.
TEST(RootCauses, AllIsAtTheOnlyCallPath) {
  WithCauses example({{Example().compute, 3, 0, 1, {{2, 0, 3}}}});
  const MetricId n2n = add_metric(example.report, "delay_n2n", "Short-term", MetricKind::kExclusive);
  set(example.report, n2n, example.compute, {0, 0, 4});
  const RootCauses found = causes_in(example.report);
  ASSERT_EQ(found.causes[0].effects.size(), 1u);
  EXPECT_EQ(found.causes[0].effects[0].path, example.allreduce);
  EXPECT_DOUBLE_EQ(found.causes[0].effects[0].seconds(), 4);
  EXPECT_DOUBLE_EQ(found.causes[0].effects[0].waiting, 6.75);
}

// Three callers of one function: told together while none stands out, else apart.
TEST(RootCauses, CallersAreToldApartIfTheyStandOut) {
  const auto told = [](std::initializer_list<double> costs) {
    Example example;
    example.add_waits();
    const std::uint32_t shared = add_region(example.report, "exchange", "user", "function");
    const MetricId n2n = add_metric(example.report, "delay_n2n", "Short-term", MetricKind::kExclusive);
    for (const double cost : costs) {
      const std::uint32_t caller = add_region(example.report, "caller", "user", "function");
      const CallPathId path = add_path(example.report, shared, add_path(example.report, caller, example.root));
      set(example.report, n2n, path, {0, cost, 0});
    }
    return causes_in(example.report).told;
  };
  const auto alike = told({0.3, 0.2, 0.2});
  ASSERT_EQ(alike.size(), 1u);
  EXPECT_EQ(alike[0].numbers, (std::vector<std::uint64_t>{1, 2, 3}));
  EXPECT_EQ(alike[0].callers.size(), 3u);
  EXPECT_DOUBLE_EQ(alike[0].cause.seconds(), 0.7);
  EXPECT_EQ(alike[0].cause.who.size(), 1u);
  const auto one_large = told({3, 0.2, 0.2});
  ASSERT_EQ(one_large.size(), 2u);
  EXPECT_EQ(one_large[0].separators.size(), 1u);
  EXPECT_EQ(one_large[1].numbers.size(), 2u);
  EXPECT_EQ(told({2, 1.5, 1}).size(), 3u);
}

// All compute the same on the whole, so no rank is named.
TEST(RootCauses, EqualTimesAreNoLoad) {
  Example ids;
  const std::vector<CauseOfThread> all = {{0, 0, 2}, {1, 0, 2}, {2, 0, 2}};
  const auto nature = [&](Seconds direct, Seconds indirect, std::vector<CauseOfThread> who) {
    WithCauses example({{ids.compute, direct, indirect, 3, std::move(who)}});
    set(example.report, example.time, example.compute, {5, 5, 5});
    return causes_in(example.report).causes[0].nature;
  };
  EXPECT_EQ(nature(6, 0, all), CauseNature::kShiftingLoad);
  EXPECT_EQ(nature(3, 3, all), CauseNature::kSequence);
  EXPECT_EQ(nature(0.3, 0, {{0, 0, 0.1}, {1, 0, 0.1}, {2, 0, 0.1}}), CauseNature::kNoise);
}

TEST(RootCauses, FilesOfAFunctionAreOneCause) {
  Example ids;
  Example model;
  const std::uint32_t write = add_region(model.report, "write", "io", "file_io");
  const CallPathId first = add_path(model.report, write, model.compute),
                   second = add_path(model.report, write, model.compute);
  model.add_waits();
  add_causes({at_allreduce(model, {{first, 3, 0, 1, {{1, 0, 3}}}, {second, 2, 0, 1, {{1, 0, 2}}}})},
             model.report.files);
  const RootCauses found = causes_in(model.report);
  ASSERT_EQ(found.causes.size(), 1u);
  EXPECT_EQ(found.causes[0].path, model.compute);
  EXPECT_EQ(found.causes[0].nature, CauseNature::kFiles);
  EXPECT_DOUBLE_EQ(found.causes[0].seconds(), 5);
  EXPECT_EQ(found.causes[0].effects.size(), 1u);
}

TEST(RootCauses, FunctionsThatMoveNoBytesAreMetadata) {
  const auto nature = [](Seconds renaming, Seconds writing) {
    Example model;
    const CallPathId write = add_path(model.report, add_region(model.report, "write", "io", "file_io"), model.compute);
    const std::uint32_t region = add_region(model.report, "rename", "io", "file io metadata");
    const CallPathId rename = add_path(model.report, region, model.compute);
    model.add_waits();
    add_causes({at_allreduce(
                   model, {{rename, renaming, 0, 1, {{1, 0, renaming}}}, {write, writing, 0, 1, {{1, 0, writing}}}})},
               model.report.files);
    const auto advice = advice_of(model.report);
    EXPECT_EQ(advice[0].sentence.starts_with("rank 1 works on metadata of files in compute"), renaming > writing);
    return causes_in(model.report).causes[0].nature;
  };
  EXPECT_EQ(nature(3, 2), CauseNature::kFileMetadata);
  EXPECT_EQ(nature(2, 3), CauseNature::kFiles);
}

TEST(RootCauses, WhatHasNoCauseIsSaid) {
  Example ids;
  const WithCauses example({{ids.compute, 1, 0, 1, {{2, 0, 1}}}});
  const auto advice = advice_of(example.report);
  ASSERT_EQ(advice.size(), 3u);
  EXPECT_EQ(advice[0].sentence, "no single cause has much of the waiting");
  EXPECT_NE(advice[1].sentence.find("causes 12.9% of the waiting"), std::string::npos) << advice[1].sentence;
}

TEST(RootCauses, OfManySmallOnesNoneIsToLookFor) {
  Example example;
  const MetricId nxn =
      add_metric(example.report, "mpi_wait_nxn", "Wait at N x N", MetricKind::kExclusive, example.time);
  set(example.report, nxn, example.allreduce, {0.24, 0, 0});
  const auto half = [](CallPathId path, std::uint32_t rank) {
    return CauseAtPath{path, 0.12, 0, 1, {{rank, 0, 0.12}}};
  };
  add_causes({at_allreduce(example, {half(example.compute, 2), half(example.receive, 0)})}, example.report.files);
  const auto advice = advice_of(example.report);
  ASSERT_EQ(advice.size(), 1u);
  EXPECT_EQ(advice[0].sentence, "no cause to look for: the largest is 0.4% of the allocation time");
}

TEST(RootCauses, HardlyAnyWaitingHasNone) {
  Example example;
  const MetricId late =
      add_metric(example.report, "mpi_latesender", "Late Sender", MetricKind::kExclusive, example.time);
  set(example.report, late, example.receive, {0.001, 0, 0});
  const auto advice = advice_of(example.report);
  ASSERT_EQ(advice.size(), 1u);
  EXPECT_EQ(advice[0].sentence.find("no cause to look for"), 0u);
}

}  // namespace
}  // namespace tarry
