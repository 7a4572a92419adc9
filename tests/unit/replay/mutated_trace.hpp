// mutated_trace.hpp -- a trace with something of everything, and ways to damage it.
#pragma once

#include <random>
#include <vector>

#include "tests/unit/analysis/golden_traces.hpp"
#include "tests/unit/analysis/rma_trace.hpp"
#include "synthetic_source.hpp"
#include "trace/event_codec.hpp"

namespace tarry {

/// Something of everything: messages in and out of order, cancelled requests, all kinds of collectives, a flush.
inline void add_mixture(SyntheticTrace& trace) {
  const std::uint64_t pair = trace.comm({2, 0}), bridge = trace.comm({0}, {1, 2}), self = trace.comm({});
  for (std::uint32_t r = 0; r < 3; ++r) trace.on(r).enter(0, "main").visit(1 + r, 9, "MPI_Init");
  trace.on(0)
      .enter(10, "MPI_Isend")
      .isend(10, 1, 1)
      .isend(11, 2, 2)
      .leave(12)
      .enter(13, "MPI_Isend")
      .isend(13, 3, 1)
      .leave(14);
  trace.on(0).enter(15, "MPI_Waitall").isend_complete(20, 1).isend_complete(20, 2).cancelled(20, 3).leave(20);
  trace.on(1).enter(10, "MPI_Irecv").irecv_request(10, 1).irecv_request(10, 2).leave(11);
  trace.on(1).enter(12, "MPI_Waitsome").irecv(19, 1, 0).leave(19).enter(19, "MPI_Test").cancelled(20, 2).leave(20);
  trace.on(2).enter(14, "MPI_Recv").recv(20, 0).leave(20);
  Ticks at = 30;
  for (const CollectiveOp op : {CollectiveOp::kBarrier, CollectiveOp::kBcast, CollectiveOp::kAllreduce,
                                CollectiveOp::kGather, CollectiveOp::kScan, CollectiveOp::kAlltoallv}) {
    for (std::uint32_t r = 0; r < 3; ++r) trace.on(r).collective(at + r, at + 8, op, {.root = 1});
    at += 10;
  }
  trace.on(0).collective(at, at + 5, CollectiveOp::kReduce, {.root = 0, .comm = pair}).visit(at + 6, at + 7, "f");
  trace.on(2).collective(at + 3, at + 5, CollectiveOp::kReduce, {.root = 0, .comm = pair});
  trace.on(1)
      .add(at, record::BufferFlush{.duration = 4})
      .collective(at + 5, at + 6, CollectiveOp::kBarrier, {.comm = self});
  trace.on(1).enter(at + 8, "MPI_Send").send(at + 8, 0, 8, 1, bridge).leave(at + 9);
  trace.on(0).enter(at + 7, "MPI_Recv").recv(at + 9, 0, 8, 1, bridge).leave(at + 9);
  for (std::uint32_t r = 0; r < 3; ++r) trace.on(r).visit(at + 10 + r, at + 20, "MPI_Finalize").leave(at + 25);
}

/// Ranks 0 and 1 spawn rank 2, and exchange messages and collectives with it (three processes).
inline void add_worlds(SyntheticTrace& trace) {
  trace.spawn_world(2);
  const std::uint64_t between = trace.comm({0, 1}, {2}), all = trace.comm({0, 1, 2});
  for (const std::uint64_t comm : {between, all}) trace.edit_definitions().comms[comm].uid = comm;
  for (std::uint32_t r = 0; r < 2; ++r) {
    trace.on(r).enter(0, "main").visit(1 + r, 9, "MPI_Init").enter(12 + 5 * r, "MPI_Comm_spawn").begin(12 + 5 * r);
    trace.on(r).add(30, record::CommCreate{.comm = CommId(between)});
    trace.on(r).end(30, CollectiveOp::kCreateHandle, {.root = 0, .sent = 0, .received = 0}).leave(30);
  }
  trace.on(2).enter(20, "child").visit(25, 29, "MPI_Init").visit(29, 40, "work");
  trace.on(2).enter(40, "MPI_Send").send(40, 1, 8, 0, between).leave(41);
  trace.on(1).enter(32, "MPI_Recv").recv(41, 0, 8, 0, between).leave(41);
  for (std::uint32_t r = 0; r < 3; ++r) {
    trace.on(r).collective(50 + r, 55, CollectiveOp::kBarrier, {.comm = between});
    trace.on(r).collective(62 - r, 65, CollectiveOp::kAllreduce, {.comm = all});
    trace.on(r).visit(70 + r, 75, "MPI_Finalize").leave(80);
  }
}

/// Locks of one process, between two threads of a team and one that the master created. They are critical constructs, a
/// mutex and a condition.
inline void add_locks(SyntheticTrace& trace) {
  constexpr const char* kCritical = "!$omp critical @x.c:4";
  for (const char* name : {"pthread_create", "pthread_mutex_lock", "pthread_mutex_unlock", "pthread_cond_wait"})
    trace.define_region(name, Paradigm::kPthread, RegionRole::kFunction);
  const auto critical = [&](std::uint32_t thread, Ticks enter, Ticks acquire, Ticks release, std::uint64_t order) {
    trace.on(0, thread).enter(enter, kCritical).acquire(acquire, 1, order);
    trace.on(0, thread).visit(acquire, release, "c").release(release, 1, order);
    trace.on(0, thread).leave(release + 1);
  };
  const auto mutex = [&](std::uint32_t thread, Ticks enter, Ticks acquire, Ticks release, std::uint64_t order) {
    trace.on(0, thread).enter(enter, "pthread_mutex_lock").acquire(acquire, 2, order, Paradigm::kOpenMp);
    trace.on(0, thread).leave(acquire).visit(acquire, release, "c").enter(release, "pthread_mutex_unlock");
    trace.on(0, thread).release(release, 2, 0, Paradigm::kOpenMp).leave(release + 1);
  };
  trace.on(0)
      .enter(0, "main")
      .enter(5, "pthread_create")
      .add(5, record::ThreadCreate{.contingent = TeamId(0), .sequence = 1})
      .leave(7);
  trace.on(0).fork(10, 2).team_begin(10).enter(11, kParallel);
  trace.on(0, 1).team_begin(10).enter(11, kParallel).visit(12, 20, "w");
  trace.on(0, 2).add(9, record::ThreadBegin{.contingent = TeamId(0), .sequence = 1}).enter(9, "worker");
  critical(0, 12, 12, 30, 1);
  critical(1, 20, 31, 40, 2);
  critical(0, 33, 41, 50, 3);
  mutex(2, 12, 12, 60, 1);
  mutex(0, 52, 62, 70, 2);
  trace.on(0, 2).enter(64, "pthread_mutex_lock").acquire(72, 2, 3, Paradigm::kOpenMp).leave(72);
  trace.on(0, 2).enter(74, "pthread_cond_wait").release(75, 2, 0, Paradigm::kOpenMp);
  mutex(1, 73, 76, 85, 4);
  trace.on(0, 2).acquire(87, 2, 5, Paradigm::kOpenMp).leave(87).leave(90);
  trace.on(0, 2).add(91, record::ThreadEnd{.contingent = TeamId(0), .sequence = 1});
  for (std::uint32_t t = 0; t < 2; ++t) trace.on(0, t).visit(90, 95, kImplicitBarrier).leave(96).team_end(96);
  trace.on(0).join(97).leave(100);
}

/// A window from its creation to its end: fences, epochs of groups, locks.
inline void add_windows(SyntheticTrace& trace) {
  for (std::uint32_t r = 0; r < 3; ++r) trace.on(r).enter(0, "main").visit(1 + r, 9, "MPI_Init");
  for (std::uint32_t r = 0; r < 3; ++r)
    RmaStream(trace, r).create(10 + r, 14).put(15, 16, (r + 1) % 3).fence(17 + 2 * r, 25);
  RmaStream(trace, 0).start(30, 36, {1, 2}).put(36, 38, 1).complete(38, 45);
  RmaStream(trace, 1).post(33, 34, {0}).wait(34, 46);
  RmaStream(trace, 2).post(40, 41, {0}).wait(41, 46);
  RmaStream(trace, 0).lock(50, 51, 2).get(51, 53, 2).unlock(60, 62, 2);
  RmaStream(trace, 1).lock(52, 64, 2).atomic(64, 65, 2, 8, 8).unlock(65, 67, 2).lock_all(68, 69).unlock_all(70, 71);
  RmaStream(trace, 2).visit(61, 66, "MPI_Recv");
  for (std::uint32_t r = 0; r < 3; ++r) RmaStream(trace, r).free(80 + r, 90);
  for (std::uint32_t r = 0; r < 3; ++r) trace.on(r).visit(95 + r, 99, "MPI_Finalize").leave(100);
}

/// Damages a trace: drops, doubles, swaps, cuts off and garbles records.
class Mutator {
 public:
  Mutator(SyntheticTrace& trace, std::uint32_t seed) : trace_(trace), random_(seed) {}

  /// One change, in one stream.
  void mutate() {
    std::vector<Event>& events = trace_.streams()[pick(trace_.streams().size())].events();
    if (events.empty()) return;
    const std::size_t at = pick(events.size()), other = pick(events.size());
    const auto here = events.begin() + static_cast<std::ptrdiff_t>(at);
    switch (pick(8)) {
      case 0: events.erase(here); break;
      case 1: events.insert(here, Event(*here)); break;
      case 2: std::swap(events[at], events[other]); break;  // times run backwards then
      case 3:
        std::swap(events[at], events[other]);
        std::swap(events[at].time, events[other].time);
        break;
      case 4: events.resize(at); break;
      case 5: events.erase(events.begin(), here); break;
      case 6: events[at].kind = static_cast<EventKind>(pick(kEventKindCount + 2)); break;
      case 7: change_field(events[at]); break;
    }
  }

  /// A number from 0 to below - 1.
  std::size_t pick(std::size_t below) { return random_() % below; }

 private:
  std::uint64_t value() {
    const std::uint64_t values[] = {0, 1, 2, 3, 7, 50, 0xffffffffu, std::uint64_t{1} << 40, kNoField, random_()};
    return values[pick(std::size(values))];
  }

  // Any number, as a damaged file may have it in place of an id. Of an event with fewer fields nothing is changed.
  void change_field(Event& event) {
    const std::uint64_t number = value();
    const std::size_t changed = pick(kMaxEventFields);
    std::uint8_t bytes[kMaxRecordBytes];
    std::uint8_t* end = bytes;
    visit_record(event, [&](const auto& record) {
      std::size_t at = 0;
      for_each_field(record, [&](auto field, auto is_optional, std::string_view) {
        end = encode_varint(end, at++ == changed ? number + is_optional : stored_field(field, is_optional));
      });
    });
    decode_fields(bytes, end, event);
  }

  SyntheticTrace& trace_;
  std::mt19937 random_;
};

}  // namespace tarry
