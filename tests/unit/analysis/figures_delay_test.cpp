// figures_delay_test.cpp -- the figures of Boehme's chapter 4: where wait states come from and where they lead.
#include "analysed_figure.hpp"

namespace tarry {
namespace {

using enum Metric;

// Figure 4.1: computing longer makes the next process wait, and that wait delays its own send. So the process after it
// waits too, without a message from the first one. The first delay pays for both waits: for one directly (short-term),
// for the other indirectly (long-term). Receiving delays the send on rank 1 a little more: a direct wait of rank 2.
TEST(FigureFormation, ADelayAndItsConsequences) {
  const AnalysedFigure figure(kWaitStateFormation);
  figure.expect_invariants();
  // Rank 0 sends at 50, rank 1 waits from 20 and sends at 56; rank 2 waits from 20.
  EXPECT_EQ(figure.at(kLateSender, "MPI_Recv", 1), 30);
  EXPECT_EQ(figure.at(kLateSender, "MPI_Recv", 2), 36);
  EXPECT_EQ(figure.at(kDelayLateSender, "comp", 0), 30);
  EXPECT_EQ(figure.at(kDelayLateSenderLongTerm, "comp", 0), 30);
  EXPECT_EQ(figure.at(kDelayLateSender, "MPI_Recv", 1), 6);
  EXPECT_EQ(figure.at(kDelayLateSenderLongTerm, "MPI_Recv", 1), 0);
  EXPECT_EQ(figure.at(kDirectLateSender, "MPI_Recv", 1), 30);
  EXPECT_EQ(figure.at(kIndirectLateSender, "MPI_Recv", 1), 0);
  EXPECT_EQ(figure.at(kDirectLateSender, "MPI_Recv", 2), 6);
  EXPECT_EQ(figure.at(kIndirectLateSender, "MPI_Recv", 2), 30);
  EXPECT_EQ(figure.at(kPropagatingLateSender, "MPI_Recv", 1), 30);
  EXPECT_EQ(figure.at(kTerminalLateSender, "MPI_Recv", 1), 0);
  EXPECT_EQ(figure.at(kPropagatingLateSender, "MPI_Recv", 2), 0);
  EXPECT_EQ(figure.at(kTerminalLateSender, "MPI_Recv", 2), 36);
}

// Figure 4.3: only what happened since the two last met can have caused the wait. Rank 1 is late by 18 + 18 units. Half
// of them are more computation in comp2, half are its own wait for a third process. The wait of 36 is half direct, half
// indirect. comp1 is equal in the interval and costs nothing, although rank 2 did more of it before.
TEST(FigureDetection, DelayAndPropagatingWaitShareTheBlame) {
  const AnalysedFigure figure(kDelayDetection);
  figure.expect_invariants();
  // R1 of rank 1 waits from 10 to 20, R2 from 30 to 48; R3 of rank 2 from 42 to 78.
  EXPECT_EQ(figure.at(kLateSender, "MPI_Recv", 1), 10 + 18);
  EXPECT_EQ(figure.at(kLateSender, "MPI_Recv", 2), 36);
  EXPECT_EQ(figure.at(kDelayLateSender, "comp2", 1), 18);
  EXPECT_EQ(figure.at(kDirectLateSender, "MPI_Recv", 2), 18);
  EXPECT_EQ(figure.at(kIndirectLateSender, "MPI_Recv", 2), 18);
  EXPECT_EQ(figure.at(kPropagatingLateSender, "MPI_Recv", 1), 18);
  EXPECT_EQ(figure.at(kTerminalLateSender, "MPI_Recv", 1), 10);
  // The wait from 10 to 20 was caused by comp1 of rank 2. Rank 0 caused that from 30 to 48, and with it 18 of the wait
  // of rank 2.
  EXPECT_EQ(figure.at(kDelayLateSender, "comp1", 2), 10);
  EXPECT_EQ(figure.at(kDelay, "comp1", 1), 0);
  EXPECT_EQ(figure.at(kDelayLateSender, "other", 0), 18);
  EXPECT_EQ(figure.at(kDelayLateSenderLongTerm, "other", 0), 18);
}

// Figure 4.4: the waiting time of the last process travels backwards to the wait that caused it. With that wait it
// travels on to the two functions that are to blame, in proportion to their delays (20 in comp1, 10 in comp2).
TEST(FigureAccounting, LongTermCostsTravelToTheirSource) {
  const AnalysedFigure figure(kCostAccounting);
  figure.expect_invariants();
  // Rank 1: R3 from 40 to 70, its send at 80; rank 2: R4 from 50. Rank 0: R1 from 10 to 20.
  EXPECT_EQ(figure.at(kLateSender, "MPI_Recv", 0), 10);
  EXPECT_EQ(figure.at(kLateSender, "MPI_Recv", 1), 30);
  EXPECT_EQ(figure.at(kLateSender, "MPI_Recv", 2), 30);
  EXPECT_EQ(figure.at(kDelayLateSender, "comp1", 0), 20);
  EXPECT_EQ(figure.at(kDelayLateSender, "comp2", 0), 10);
  EXPECT_EQ(figure.at(kDelayLateSenderLongTerm, "comp1", 0), 20);
  EXPECT_EQ(figure.at(kDelayLateSenderLongTerm, "comp2", 0), 10);
  EXPECT_EQ(figure.at(kDelayLateSender, "comp1", 1), 10);
  EXPECT_EQ(figure.total(kDelay) - figure.total(kDelayFinalizeAll), 30 + 30 + 10);
  EXPECT_EQ(figure.at(kIndirectLateSender, "MPI_Recv", 2), 30);
  EXPECT_EQ(figure.at(kPropagatingLateSender, "MPI_Recv", 1), 30);
  EXPECT_EQ(figure.at(kTerminalLateSender, "MPI_Recv", 0), 10);
}

// Figures 4.9 and 4.11: a delay makes the neighbours wait in the next communication phase. Those make theirs wait in
// the phase after, and so on outwards. Direct waits are found next to the delay only, terminal ones only where the
// chain ends, and all is charged to the one delay. A process that takes no part in the exchange waits for the end only.
TEST(FigurePropagation, WaitsMoveOutwardsFromPhaseToPhase) {
  const AnalysedFigure figure(kOutwardPropagation);
  figure.expect_invariants();
  for (std::uint32_t r = 1; r < 4; ++r) {
    EXPECT_EQ(figure.at(kLateSender, "MPI_Recv", r), 30) << r;
    EXPECT_EQ(figure.at(kDirectLateSender, "MPI_Recv", r), r == 1 ? 30 : 0) << r;
    EXPECT_EQ(figure.at(kTerminalLateSender, "MPI_Recv", r), r == 3 ? 30 : 0) << r;
  }
  EXPECT_EQ(figure.at(kDelayLateSender, "i", 0), 30);
  EXPECT_EQ(figure.at(kDelayLateSenderLongTerm, "i", 0), 60);
  EXPECT_EQ(figure.total(kDelay) - figure.total(kDelayFinalizeAll), 90);
  EXPECT_EQ(figure.at(kTime, "MPI_Recv", 4), 0);
  EXPECT_EQ(figure.at(kFinalizeWait, "MPI_Finalize", 4), 75);
}

// Figures 4.12 and 4.13: all compute the same, and wait nevertheless, for receivers that are late because they have to
// send first. The delay is the transfer itself, most of the waiting is indirect, and no computation is to blame.
TEST(FigureSelfImpeding, CommunicationCanBeItsOwnDelay) {
  const AnalysedFigure figure(kSelfImpeding);
  figure.expect_invariants();
  // Transfers from 20 to 40 (to rank 3), to 60 (to rank 2) and to 80 (to rank 1).
  EXPECT_EQ(figure.at(kLateReceiver, "MPI_Ssend", 2), 0);
  EXPECT_EQ(figure.at(kLateReceiver, "MPI_Ssend", 1), 20);
  EXPECT_EQ(figure.at(kLateReceiver, "MPI_Ssend", 0), 40);
  EXPECT_EQ(figure.total(kLateSender), 0);
  EXPECT_EQ(figure.at(kDelay, "comp"), 0);
  EXPECT_EQ(figure.at(kDelayLateReceiver, "MPI_Ssend", 2), 20);
  EXPECT_EQ(figure.at(kDelayLateReceiver, "MPI_Ssend", 1), 20);
  EXPECT_EQ(figure.at(kDelayLateReceiverLongTerm, "MPI_Ssend", 2), 20);
  EXPECT_EQ(figure.at(kIndirectLateReceiver, "MPI_Ssend", 0), 20);
  EXPECT_EQ(figure.at(kDirectLateReceiver, "MPI_Ssend", 0), 20);
  EXPECT_EQ(figure.at(kPropagatingLateReceiver, "MPI_Ssend", 1), 20);
}

// Section 4.1.3: costs are the waiting that goes away with the delay.
TEST(FigureFormation, WithoutTheDelayItsCostsAreGone) {
  const AnalysedFigure with_delay(kWaitStateFormation);
  const AnalysedFigure without({"", "", 3, [](FigureTrace& f) {
                                  f.work("comp", {20, 20, 20}).send(0, 1).receive(1, 0, 6).send(1, 2).receive(2, 1, 6);
                                }});
  without.expect_invariants();
  EXPECT_EQ(without.total(kLateSender), with_delay.total(kLateSender) - with_delay.at(kDelayLateSenderAll, "comp", 0));
}

// Section 4.1.1: a terminal wait leads to no other wait, of whatever kind. The receive on rank 1 keeps rank 2 waiting
// in the barrier; the reference analyser looks for waits in messages only and calls it terminal.
TEST(FigureFormation, WaitsPropagateIntoCollectives) {
  const Figure run = {"", "", 3, [](FigureTrace& f) {
                        f.work("comp", {50, 20, 20}).send(0, 1).receive(1, 0).work("comp2", {10, 20, 20}).barrier();
                      }};
  const AnalysedFigure figure(run);
  figure.expect_invariants();
  EXPECT_EQ(figure.at(kLateSender, "MPI_Recv", 1), 30);
  EXPECT_EQ(figure.at(kBarrierWait, "MPI_Barrier", 2), 30);
  EXPECT_EQ(figure.at(kPropagatingLateSender, "MPI_Recv", 1), 30);
  EXPECT_EQ(figure.at(kTerminalLateSender, "MPI_Recv", 1), 0);
  EXPECT_EQ(figure.at(kDelayBarrierLongTerm, "comp", 0), 30);
  FigureTrace again(3);
  run.build(again);
  EXPECT_EQ(AnalysisOf(again.finish(), Compatibility::reference()).total(kPropagatingLateSender), 0);
}

// Section 4.2.4: where in the interval a delay lies does not matter, and what the waiting process does more of is no
// cause. Section 4.2.5: that excess makes costs smaller than the delay; many waiters make them larger.
TEST(DelayCosts, AreNotAsLongAsTheDelay) {
  const AnalysedFigure mitigated(
      {"", "", 2, [](FigureTrace& f) {
         f.work(0, "f", 40).work(0, "g", 10).send(0, 1).work(1, "g", 20).work(1, "f", 10).receive(1, 0);
       }});
  mitigated.expect_invariants();
  EXPECT_EQ(mitigated.at(kDelayLateSender, "f", 0), 20);  // delay 30, of which 10 are made up for by g on rank 1
  EXPECT_EQ(mitigated.total(kDelay) - mitigated.total(kDelayFinalizeAll), 20);

  const AnalysedFigure multiplied({"", "", 5, [](FigureTrace& f) { f.work("f", {20, 10, 10, 10, 10}).barrier(); }});
  multiplied.expect_invariants();
  EXPECT_EQ(multiplied.at(kDelayBarrier, "f", 0), 4 * 10);
}

// Section 4.2.4: a process can be late because it did more things, not longer ones.
TEST(DelayCosts, CountEveryVisitOfACallPath) {
  const AnalysedFigure figure(
      {"", "", 2, [](FigureTrace& f) {
         f.work(0, "f", 10).work(0, "f", 10).work(0, "f", 10).send(0, 1).work(1, "f", 12).receive(1, 0);
       }});
  figure.expect_invariants();
  EXPECT_EQ(figure.at(kDelayLateSender, "f", 0), 18);
}

// A program of one collective on four ranks, entered at 10, 20, 40 and 30; done at 40.
class OneCollective {
 public:
  explicit OneCollective(CollectiveOp operation, std::uint64_t root = kNoField) : trace_(4) {
    const Ticks work[] = {10, 20, 40, 30};
    for (std::uint32_t r = 0; r < 4; ++r) {
      trace_.on(r).enter(0, "main").visit(0, 0, "MPI_Init").visit(0, work[r], "f");
      trace_.on(r).collective(work[r], 40, operation, {.root = root}).visit(40, 40, "MPI_Finalize").leave(40);
    }
  }
  SyntheticTrace& trace() { return trace_; }

 private:
  SyntheticTrace trace_;
};

// Section 4.3.2, collective communication: of n-to-n and n-to-1 operations the last to enter pays, of 1-to-n operations
// the root.
TEST(DelayCosts, OfCollectivesAreTheLastOnesOrTheRoots) {
  OneCollective all_to_all(CollectiveOp::kAllreduce), to_one(CollectiveOp::kReduce, 0);
  OneCollective from_one(CollectiveOp::kBcast, 3);
  const AnalysisOf n2n(all_to_all.trace()), n21(to_one.trace()), to_all(from_one.trace());
  EXPECT_EQ(n2n.value(kDelayAllToAll, "main/f", 2), 30 + 20 + 10);
  EXPECT_EQ(n2n.total(kDelay) - n2n.total(kDelayFinalizeAll), n2n.total(kNxnWait));
  EXPECT_EQ(n21.value(kDelayAllToOne, "main/f", 2), 30);
  EXPECT_EQ(n21.total(kDelay) - n21.total(kDelayFinalizeAll), n21.total(kEarlyReduce));
  EXPECT_EQ(to_all.value(kDelayOneToAll, "main/f", 3), 20 + 10);
  EXPECT_EQ(to_all.total(kDelay) - to_all.total(kDelayFinalizeAll), to_all.total(kLateBroadcast));
}

// Of more than a thousand that wait for one process several threads look at a part each: as if it were one that does.
// Process 0 has met its two neighbours before, so that what it did until then is no reason why they wait.
TEST(FigureDelay, ManyWaitForOne) {
  constexpr std::uint32_t kRanks = 1100;
  const AnalysedFigure figure({"", "", kRanks, [](FigureTrace& f) {
                                 f.work(0, "A", 10);
                                 for (const std::uint32_t neighbour : {1u, 2u})
                                   f.send(0, neighbour).receive(neighbour, 0);
                                 f.work(0, "B", 20).barrier();
                               }});
  figure.expect_invariants();
  EXPECT_EQ(figure.total(kLateSender), 2 * 10);
  EXPECT_EQ(figure.total(kBarrierWait), (kRanks - 3) * 30 + 2 * 20);
  EXPECT_EQ(figure.at(kDelayBarrier, "A", 0), (kRanks - 3) * 10);
  EXPECT_EQ(figure.at(kDelayBarrier, "B", 0), (kRanks - 1) * 20);
  EXPECT_EQ(figure.at(kDelayLateSender, "A", 0), 2 * 10);
}

}  // namespace
}  // namespace tarry
