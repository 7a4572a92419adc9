// cause_rows_test.cpp -- the causes of waits at one call path: who, where, and through whose waits.
#include "analysed_figure.hpp"

namespace tarry {
namespace {

using Kind = CauseRow::Kind;

// What the analysis tells of the waits at MPI_Recv in messages.
class CausesAt {
 public:
  CausesAt(const AnalysedFigure& figure, WaitKind kind, const std::string& path) : figure_(figure) {
    const CausesOfWaits& all = figure.found().result().causes;
    for (GroupNumber group = 0; group < all.groups.size(); ++group)
      if (all.groups[group].kind == kind && figure.found().path_name(all.groups[group].path) == path) group_ = group;
  }

  bool exists() const { return group_ != kNoGroup; }
  Ticks waiting() const { return figure_.found().result().causes.groups[group_].wait; }

  // {direct, indirect}, at a function that main calls.
  std::pair<double, double> of(Kind kind, const std::string& function, std::uint32_t rank) const {
    std::pair<double, double> sum;
    for (const CauseRow& row : figure_.found().result().causes.rows)
      if (row.group == group_ && row.kind == kind && row.rank == RankIndex(rank) && row.path != kNoPath &&
          figure_.found().path_name(row.path) == "main/" + function) {
        sum.first += row.direct;
        sum.second += row.indirect;
      }
    return sum;
  }

  double explained() const {
    double sum = 0;
    for (const CauseRow& row : figure_.found().result().causes.rows)
      if (row.group == group_ && row.kind == Kind::kDelay) sum += row.direct + row.indirect;
    return sum;
  }

 private:
  const AnalysedFigure& figure_;
  GroupNumber group_ = kNoGroup;
};

using Costs = std::pair<double, double>;

// Figure 4.1: rank 1 waits 30 for rank 0, and rank 2 waits 36, of which 30 are rank 0's fault through rank 1.
TEST(WaitCauses, TellsWhoDelaysAndWhoPassesItOn) {
  const AnalysedFigure figure(kWaitStateFormation);
  const CausesAt causes(figure, WaitKind::kLateSender, "main/MPI_Recv");
  ASSERT_TRUE(causes.exists());
  EXPECT_EQ(causes.waiting(), 66);
  EXPECT_EQ(causes.of(Kind::kDelay, "comp", 0), Costs(30, 30));
  EXPECT_EQ(causes.of(Kind::kDelay, "MPI_Recv", 1), Costs(6, 0));
  EXPECT_EQ(causes.of(Kind::kPassing, "MPI_Recv", 1), Costs(30, 0));
  EXPECT_EQ(causes.of(Kind::kPassing, "MPI_Recv", 2), Costs(0, 0));
  EXPECT_DOUBLE_EQ(causes.explained(), 66);
}

// Figure 4.4: two functions share a wait by their delays, and so they do what it causes elsewhere.
TEST(WaitCauses, FunctionsShareByTheirDelays) {
  const AnalysedFigure figure(kCostAccounting);
  const CausesAt causes(figure, WaitKind::kLateSender, "main/MPI_Recv");
  ASSERT_TRUE(causes.exists());
  EXPECT_EQ(causes.of(Kind::kDelay, "comp1", 0), Costs(20, 20));
  EXPECT_EQ(causes.of(Kind::kDelay, "comp2", 0), Costs(10, 10));
  EXPECT_EQ(causes.of(Kind::kDelay, "comp1", 1), Costs(10, 0));
  EXPECT_DOUBLE_EQ(causes.explained(), static_cast<double>(causes.waiting()));
}

// Waits at the end have causes in messages, too: each group has its own costs.
TEST(WaitCauses, GroupsAreApart) {
  const AnalysedFigure figure(kOutwardPropagation);
  const CausesAt receives(figure, WaitKind::kLateSender, "main/MPI_Recv");
  const CausesAt ends(figure, WaitKind::kFinalize, "main/MPI_Finalize");
  ASSERT_TRUE(receives.exists());
  ASSERT_TRUE(ends.exists());
  EXPECT_EQ(receives.of(Kind::kDelay, "i", 0), Costs(30, 60));
  EXPECT_DOUBLE_EQ(receives.explained(), 90);
  EXPECT_DOUBLE_EQ(ends.explained(), static_cast<double>(ends.waiting()));
}

TEST(WaitCauses, AreNotLookedForUnlessWanted) {
  FigureTrace trace(kWaitStateFormation.ranks);
  kWaitStateFormation.build(trace);
  AnalysisOf found(trace.finish(), AnalysisOptions{.wants_causes = false});
  EXPECT_TRUE(found.result().causes.groups.empty());
  EXPECT_TRUE(found.result().causes.rows.empty());
  EXPECT_EQ(found.total(Metric::kDelayLateSenderAll), 66);
}

// Iterations of a loop are one call path.
TEST(WaitCauses, IterationsCountTogether) {
  SyntheticTrace trace(2);
  for (Ticks step = 0; step < 3; ++step)
    trace.define_region("step=" + std::to_string(step), Paradigm::kUser, RegionRole::kDynamicPhase);
  for (std::uint32_t rank = 0; rank < 2; ++rank) trace.on(rank).enter(0, "main").visit(0, 0, "MPI_Init");
  for (Ticks step = 0; step < 3; ++step) {
    const Ticks begin = 100 * step, sent = begin + 50;
    const std::string name = "step=" + std::to_string(step);
    trace.on(0)
        .enter(begin, name)
        .visit(begin, sent, "work")
        .enter(sent, "MPI_Send")
        .send(sent, 1)
        .leave(sent)
        .leave(sent);
    trace.on(1).enter(begin, name).enter(begin, "MPI_Recv").recv(sent, 0).leave(sent).leave(sent);
  }
  for (std::uint32_t rank = 0; rank < 2; ++rank) trace.on(rank).visit(300, 300, "MPI_Finalize").leave(300);
  const AnalysisOf found(trace);
  ASSERT_EQ(found.result().causes.groups.size(), 1u);
  EXPECT_EQ(found.result().causes.groups[0].wait, 150);
  EXPECT_EQ(found.path_name(found.result().causes.groups[0].path), "main/step=0/MPI_Recv");
}

}  // namespace
}  // namespace tarry
