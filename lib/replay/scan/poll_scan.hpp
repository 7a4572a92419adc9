// poll_scan.hpp -- runs of unsuccessful tests and probes of one thread, and what they waited for.
//
//   MPI_Irecv [Test] [Test]  computes  [Test] [Test] [Test: received]        the run: all Tests but the last
//
// A poll counts if another one comes right before or behind it. So a program that works, and now and then looks for a
// message, does not wait. The time between two polls that follow each other closely belongs to the first of them. So
// does the time between them in which the thread sleeps.
// Source: docs/METRICS.md, "Polled".
#pragma once

#include <cstdint>
#include <vector>

#include "replay/scan/scanned_thread.hpp"

namespace tarry {

/// Leaves: LogicalRank::polls and poll_runs.
class [[gnu::visibility("hidden")]] PollScan {
 public:
  explicit PollScan(ScannedThread & thread) : thread_(thread) {}

  /// An MPI function is entered: time between two polls is credited.
  void enter(CallClass call, Ticks time) {
    if (!polls_.empty()) credit_gap(call, time);
  }

  /// An MPI function is left.
  void leave(const OpenVisit& visit, CallClass call, Ticks time) {
    if (!polls_.empty() || is_poll(call)) add(visit, call, time);
  }

  /// The thread was blocked in [begin, end), where nothing else happened.
  void block(Ticks begin, Ticks end) {
    if (!polls_.empty()) block_after(polls_.back(), begin, end);
  }

  /// The innermost call posts a receive (`is_probe`), or completes one or a collective.
  void end(bool is_probe);

  /// Forgets the polls so far: another record follows them, so they do not form a run.
  void forget() { polls_.clear(); }

 private:
  struct OpenPoll {
    Poll poll;
    Ticks leave;
    PathIndex path;
    std::uint64_t calls;
    bool is_probe;
    bool follows;             // the one before closely
    bool is_blocked = false;  // the thread was, after it, but not as `sleep` tells
    Poll sleep{};             // the thread slept right before whatever comes next; without a duration: it did not
    bool is_asleep = false;   // that is part of the polls
  };

  static bool is_poll(CallClass call) {
    return call == CallClass::kPoll || call == CallClass::kTest || call == CallClass::kStatusTest;
  }

  void add(const OpenVisit& visit, CallClass call, Ticks leave);
  bool is_followed(Ticks next_enter) const;
  void settle_last(Ticks next_enter);
  void credit_gap(CallClass entered, Ticks time);
  void credit_sleep(OpenPoll & last);
  void block_after(OpenPoll & last, Ticks begin, Ticks end);
  PathIndex path_of_run(bool is_probe) const;

  ScannedThread& thread_;
  std::vector<OpenPoll> polls_;  // since the last MPI call of another kind
};

}  // namespace tarry
