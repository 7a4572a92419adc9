// figures.hpp -- a trace for each figure of Boehme's chapters 3 to 5 that shows the run of a program.
//
// The figures are drawn without a scale. The lengths here are ours: each claim of the text gives another number. Ranks
// count from 0 where the dissertation's processes count from 1. Communication takes no time but waiting, except where
// a figure is about communication. docs/pictures is drawn from these traces.
#pragma once

#include <algorithm>
#include <deque>
#include <initializer_list>
#include <map>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "tests/unit/replay/synthetic_source.hpp"

namespace tarry {

/// A run written down as what each process does next; when it happens follows. Every operation must come after the one
/// that it waits for. A tick is a second.
class FigureTrace {
 public:
  explicit FigureTrace(std::uint32_t ranks) : trace_(ranks), now_(ranks, 0) {
    for (std::uint32_t r = 0; r < ranks; ++r) trace_.on(r).enter(0, "main").visit(0, 0, "MPI_Init");
  }

  FigureTrace& work(std::uint32_t rank, const std::string& function, Ticks duration) {
    trace_.on(rank).visit(now_[rank], now_[rank] + duration, function);
    now_[rank] += duration;
    return *this;
  }

  /// The same function on all ranks, with a duration for each.
  FigureTrace& work(const std::string& function, std::initializer_list<Ticks> durations) {
    std::uint32_t rank = 0;
    for (const Ticks duration : durations) work(rank++, function, duration);
    return *this;
  }

  /// A send that waits for nobody.
  FigureTrace& send(std::uint32_t from, std::uint32_t to) {
    trace_.on(from).enter(now_[from], "MPI_Send").send(now_[from], to).leave(now_[from]);
    on_the_way_[{from, to}].push_back(now_[from]);
    return *this;
  }

  /// A receive; once the message is on its way, it takes `rest`.
  FigureTrace& receive(std::uint32_t rank, std::uint32_t from, Ticks rest = 0) {
    std::deque<Ticks>& sent = on_the_way_[{from, rank}];
    const Ticks end = std::max(now_[rank], sent.front()) + rest;
    sent.pop_front();
    trace_.on(rank).enter(now_[rank], "MPI_Recv").recv(end, from).leave(end);
    now_[rank] = end;
    return *this;
  }

  /// A synchronous send and its receive: the message goes when both are there, and takes `transfer`.
  FigureTrace& rendezvous(std::uint32_t from, std::uint32_t to, Ticks transfer) {
    const Ticks end = std::max(now_[from], now_[to]) + transfer;
    trace_.on(from).enter(now_[from], "MPI_Ssend").send(now_[from], to).leave(end);
    trace_.on(to).enter(now_[to], "MPI_Recv").recv(end, from).leave(end);
    now_[from] = now_[to] = end;
    return *this;
  }

  FigureTrace& barrier() {
    const Ticks end = latest();
    for (std::uint32_t r = 0; r < now_.size(); ++r) {
      trace_.on(r).collective(now_[r], end, CollectiveOp::kBarrier, {.sent = 0, .received = 0});
      now_[r] = end;
    }
    return *this;
  }

  /// Ends the run: all wait in MPI_Finalize for the last.
  SyntheticTrace& finish() {
    end_ = latest();
    for (std::uint32_t r = 0; r < now_.size(); ++r) trace_.on(r).visit(now_[r], end_, "MPI_Finalize").leave(end_);
    return trace_;
  }

  SyntheticStream& events_of(std::uint32_t rank) { return trace_.on(rank); }
  std::uint32_t ranks() const { return static_cast<std::uint32_t>(now_.size()); }
  Ticks end() const { return end_; }

 private:
  Ticks latest() const { return *std::max_element(now_.begin(), now_.end()); }

  SyntheticTrace trace_;
  std::vector<Ticks> now_;
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::deque<Ticks>> on_the_way_;  // when each message was sent
  Ticks end_ = 0;
};

/// One panel of a figure.
struct Figure {
  const char* picture;  // file in docs/pictures, which may have several panels
  const char* caption;
  std::uint32_t ranks;
  void (*build)(FigureTrace&);
};

// ---- chapter 3: what imbalance looks like ---------------------------------------------------------------------------

// Processes work, send and receive; those that are done early wait for the end.
inline constexpr Figure kTimeLineModel = {
    "3.1-time-line", "", 3, [](FigureTrace& f) {
      f.work("A", {50, 20, 20}).send(0, 1).receive(1, 0, 4).work("B", {30, 40, 26}).send(1, 2).receive(2, 1, 4);
      f.work(2, "C", 20);
    }};

// One process has 30 more than the others, or 30 less.
inline constexpr Figure kOverloadedMinority = {"3.3-minorities", "One process has more to do", 4, [](FigureTrace& f) {
                                                 f.work("A", {60, 30, 30, 30}).barrier();
                                               }};
inline constexpr Figure kUnderloadedMinority = {"3.3-minorities", "One process has less to do", 4, [](FigureTrace& f) {
                                                  f.work("A", {30, 60, 60, 60}).barrier();
                                                }};

// The same two functions, with the same work in each, in three arrangements.
inline constexpr Figure kCancelling = {"3.4-interference", "a) Opposite imbalances cancel each other", 2,
                                       [](FigureTrace& f) {
                                         f.work("A", {60, 20}).work("B", {20, 60}).barrier();
                                       }};
inline constexpr Figure kSeparated = {"3.4-interference", "b) A barrier between them keeps them apart", 2,
                                      [](FigureTrace& f) {
                                        f.work("A", {60, 20}).barrier().work("B", {20, 60}).barrier();
                                      }};
inline constexpr Figure kAggravating = {"3.4-interference", "c) Equal imbalances add up", 2, [](FigureTrace& f) {
                                          f.work("A", {60, 20}).work("B", {60, 20}).barrier();
                                        }};

// In each of three iterations one process has 20 more than the others: always the same, or another each time.
inline constexpr Figure kStatic = {"3.5-static-dynamic", "a) Static: the same process in each iteration", 3,
                                   [](FigureTrace& f) {
                                     for (int i = 0; i < 3; ++i) f.work("A", {30, 10, 10}).barrier();
                                   }};
inline constexpr Figure kDynamic = {
    "3.5-static-dynamic", "b) Dynamic: another process in each iteration", 3, [](FigureTrace& f) {
      f.work("A", {30, 10, 10}).barrier().work("A", {10, 30, 10}).barrier().work("A", {10, 10, 30}).barrier();
    }};

// Ranks 0 and 1 do `blue`, ranks 2 and 3 do `yellow`, then they exchange data.
inline void two_partitions(FigureTrace& f, Ticks blue0, Ticks blue1, Ticks yellow) {
  f.work(0, "blue", blue0).work(1, "blue", blue1).work(2, "yellow", yellow).work(3, "yellow", yellow).barrier();
}
inline constexpr Figure kIntraPartition = {"3.6-partitions", "a) Imbalance within a partition", 4,
                                           [](FigureTrace& f) { two_partitions(f, 60, 40, 60); }};
inline constexpr Figure kInterPartition = {"3.6-partitions", "b) Imbalance between partitions", 4,
                                           [](FigureTrace& f) { two_partitions(f, 60, 60, 40); }};

// ---- chapter 4: where waiting comes from ----------------------------------------------------------------------------

// Rank 0 computes 30 longer; rank 1 waits for it, and so rank 2 for rank 1. Receiving takes 6.
inline constexpr Figure kWaitStateFormation = {
    "4.1-formation", "", 3, [](FigureTrace& f) {
      f.work("comp", {50, 20, 20}).send(0, 1).receive(1, 0, 6).send(1, 2).receive(2, 1, 6);
    }};

// Between two messages, rank 1 computes 18 longer than rank 2, and waits 18 for rank 0.
inline constexpr Figure kDelayDetection = {
    "4.3-detection", "", 3, [](FigureTrace& f) {
      f.work(2, "comp1", 20).send(2, 1).work(1, "comp1", 10).receive(1, 2);
      f.work(0, "other", 48).send(0, 1).work(1, "comp1", 10).receive(1, 0).work(1, "comp2", 30).send(1, 2);
      f.work(2, "comp1", 10).work(2, "comp2", 12).receive(2, 1);
    }};

// Since their first message, rank 0 has done 30 more than rank 1, in two functions; rank 1 then keeps rank 2 waiting.
inline constexpr Figure kCostAccounting = {
    "4.4-accounting", "", 3, [](FigureTrace& f) {
      f.work(1, "comp1", 20).send(1, 0).work(0, "comp1", 10).receive(0, 1);
      f.work(0, "comp1", 30).work(0, "comp2", 20).send(0, 1);
      f.work(1, "comp1", 10).work(1, "comp2", 10).receive(1, 0).work(1, "comp3", 10).send(1, 2);
      f.work(2, "comp1", 30).work(2, "comp2", 10).work(2, "comp3", 10).receive(2, 1);
    }};

// Every phase is computation and a message to the next rank. Rank 0 computes 30 longer in the first; rank 4 does not
// take part.
inline constexpr Figure kOutwardPropagation = {"4.9-propagation", "", 5, [](FigureTrace& f) {
                                                 for (const char* phase : {"i", "j", "k"}) {
                                                   for (std::uint32_t r = 0; r < 4; ++r)
                                                     f.work(r, phase, r == 0 && *phase == 'i' ? 45 : 15);
                                                   for (std::uint32_t r = 0; r < 3; ++r) f.send(r, r + 1);
                                                   for (std::uint32_t r = 1; r < 4; ++r) f.receive(r, r - 1);
                                                 }
                                               }};

// Each rank but the last sends to the next before it receives, so only the last can receive at once.
inline constexpr Figure kSelfImpeding = {
    "4.13-self-impeding", "", 4, [](FigureTrace& f) {
      f.work("comp", {20, 20, 20, 20}).rendezvous(2, 3, 20).rendezvous(1, 2, 20).rendezvous(0, 1, 20);
    }};

// ---- chapter 5: what determines the run time ------------------------------------------------------------------------

// All pass a message on in a ring between A and B; receiving takes 2, but 8 at rank 1.
inline constexpr Figure kSpmd = {
    "5.1-critical-path", "", 3, [](FigureTrace& f) {
      f.work("A", {40, 26, 30}).send(0, 1).send(1, 2).send(2, 0).receive(0, 2, 2).receive(1, 0, 8).receive(2, 1, 2);
      f.work("B", {20, 20, 20}).work("C", {10, 36, 20});
    }};

// B is done by one after the other, each as long as the other.
inline constexpr Figure kSerialised = {
    "5.2-serialised", "", 3, [](FigureTrace& f) {
      f.work("A", {30, 30, 30}).work(0, "B", 20).send(0, 1).receive(1, 0).work(1, "B", 20).send(1, 2).receive(2, 1);
      f.work(2, "B", 20).work("C", {20, 20, 20});
    }};

// Two partitions; the path is on rank 2 alone.
inline constexpr Figure kMpmd = {"5.3-mpmd", "", 4, [](FigureTrace& f) {
                                   f.work(0, "A", 55).work(1, "A", 55).work(2, "B", 100).work(3, "B", 70).barrier();
                                 }};

// The path ends on rank 1 and comes there from rank 0 at a message that rank 1, or rank 0, waited for.
inline constexpr Figure kPathThroughLateSender = {"5.4-detection", "Through a Late Sender", 2, [](FigureTrace& f) {
                                                    f.work("A", {40, 20}).send(0, 1).receive(1, 0).work("B", {10, 40});
                                                  }};
inline constexpr Figure kPathThroughLateReceiver = {"5.4-detection", "Through a Late Receiver", 2, [](FigureTrace& f) {
                                                      f.work("A", {40, 20}).rendezvous(1, 0, 4).work("B", {10, 40});
                                                    }};

// Six processes for particles, two for the mesh; a larger mesh takes work from the one to the other.
inline void particles_and_mesh(FigureTrace& f, Ticks particles, Ticks mesh) {
  for (std::uint32_t r = 0; r < 6; ++r) f.work(r, "particles", particles);
  f.work(6, "mesh", mesh).work(7, "mesh", mesh).barrier();
}
inline constexpr Figure kSmallMesh = {"5.5-partition-sizes", "Small mesh", 8,
                                      [](FigureTrace& f) { particles_and_mesh(f, 80, 50); }};
inline constexpr Figure kLargeMesh = {"5.5-partition-sizes", "Large mesh", 8,
                                      [](FigureTrace& f) { particles_and_mesh(f, 60, 80); }};

/// All panels, in the order of the dissertation.
inline constexpr Figure kFigures[] = {kTimeLineModel,
                                      kOverloadedMinority,
                                      kUnderloadedMinority,
                                      kCancelling,
                                      kSeparated,
                                      kAggravating,
                                      kStatic,
                                      kDynamic,
                                      kIntraPartition,
                                      kInterPartition,
                                      kWaitStateFormation,
                                      kDelayDetection,
                                      kCostAccounting,
                                      kOutwardPropagation,
                                      kSelfImpeding,
                                      kSpmd,
                                      kSerialised,
                                      kMpmd,
                                      kPathThroughLateSender,
                                      kPathThroughLateReceiver,
                                      kSmallMesh,
                                      kLargeMesh};

}  // namespace tarry
