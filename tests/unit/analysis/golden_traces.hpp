// golden_traces.hpp -- the traces whose values docs/METRICS.md derives by hand; ticks are hundredths of a second.
#pragma once

#include "tests/unit/replay/synthetic_source.hpp"

namespace tarry {

/// A chain: rank 1 waits for rank 0, and because of that rank 2 for rank 1.
inline void add_chain(SyntheticTrace& trace) {
  for (std::uint32_t r = 0; r < 3; ++r) trace.on(r).enter(0, "main").visit(0, 100, "MPI_Init");
  trace.on(0).visit(100, 500, "c").enter(500, "MPI_Send").send(500, 1).leave(510).visit(510, 550, "MPI_Finalize");
  trace.on(1).visit(100, 200, "c").enter(200, "MPI_Recv").recv(520, 0).leave(520);
  trace.on(1).enter(520, "MPI_Send").send(520, 2).leave(530).visit(530, 550, "MPI_Finalize");
  trace.on(2).visit(100, 200, "c").enter(200, "MPI_Recv").recv(540, 1).leave(540).visit(540, 550, "MPI_Finalize");
  for (std::uint32_t r = 0; r < 3; ++r) trace.on(r).leave(550);
}

/// Rank 0 waits for rank 2 while an earlier message of rank 1, sent at 3, lies ready.
inline void add_messages_in_wrong_order(SyntheticTrace& trace, Ticks sent = 3, Ticks left = 4) {
  trace.on(1).enter(0, "main").enter(3, "MPI_Send").send(sent, 0).leave(left).leave(20);
  trace.on(2).enter(0, "main").enter(5, "MPI_Send").send(5, 0).leave(6).leave(20);
  trace.on(0)
      .enter(0, "main")
      .enter(1, "MPI_Recv")
      .recv(6, 2)
      .leave(6)
      .enter(7, "MPI_Recv")
      .recv(8, 1)
      .leave(8)
      .leave(20);
}

inline constexpr const char* kParallel = "!$omp parallel @x.c:1";
inline constexpr const char* kBarrier = "!$omp barrier @x.c:2";
inline constexpr const char* kImplicitBarrier = "!$omp implicit barrier @x.c:3";

/// One parallel region of three threads with an explicit and the implicit barrier (one process of three threads).
inline void add_team_of_three(SyntheticTrace& trace) {
  SyntheticStream& master = trace.on(0, 0);
  master.enter(0, "main").visit(50, 150, "c").fork(200, 3);
  master.team_begin(210).enter(220, kParallel).visit(230, 330, "w").visit(340, 510, kBarrier);
  master.visit(520, 700, "w").visit(710, 740, kImplicitBarrier).leave(750).team_end(760);
  master.join(790).visit(800, 900, "c").leave(1000);
  trace.on(0, 1).team_begin(230).enter(235, kParallel).visit(240, 440, "w");
  trace.on(0, 1).visit(450, 515, kBarrier).visit(520, 600, "w").visit(610, 745, kImplicitBarrier).leave(755);
  trace.on(0, 1).team_end(756);
  trace.on(0, 2).team_begin(240).enter(245, kParallel).visit(250, 490, "v");
  trace.on(0, 2).visit(500, 512, kBarrier).visit(520, 630, "w").visit(640, 742, kImplicitBarrier).leave(760);
  trace.on(0, 2).team_end(761);
}

/// Two processes of two threads: a parallel region each, then a barrier of MPI.
inline void add_hybrid(SyntheticTrace& trace) {
  struct Side {
    Ticks parallel_end, barrier_begin, join, mpi_enter, mpi_end;
    Ticks work_end, worker_begin_wait, worker_end_wait, worker_end;
  };
  const Side sides[] = {{620, 290, 640, 700, 720, 580, 600, 615, 625}, {310, 290, 330, 350, 725, 260, 270, 295, 305}};
  for (std::uint32_t r = 0; r < 2; ++r) {
    const Side& side = sides[r];
    SyntheticStream& master = trace.on(r, 0);
    master.enter(0, "main").visit(0, 100, "MPI_Init").fork(150, 2);
    master.team_begin(160).enter(170, kParallel).visit(180, 280, "w");
    master.visit(side.barrier_begin, side.parallel_end - 10, kImplicitBarrier).leave(side.parallel_end);
    master.team_end(side.parallel_end).join(side.join);
    master.enter(side.mpi_enter, "MPI_Barrier").begin(side.mpi_enter + 10);
    master.end(side.mpi_end, CollectiveOp::kBarrier, {.sent = 0, .received = 0}).leave(730);
    master.visit(740, 800, "MPI_Finalize").leave(810);
    trace.on(r, 1).team_begin(170).enter(175, kParallel).visit(180, side.work_end, "w");
    trace.on(r, 1).visit(side.worker_begin_wait, side.worker_end_wait, kImplicitBarrier).leave(side.worker_end);
    trace.on(r, 1).team_end(side.worker_end);
  }
}

}  // namespace tarry
