// poll_scan.cpp -- runs of unsuccessful tests and probes, and what they waited for.
//
//   MPI_Irecv [Test] [Test]  computes  [Test] [Test] [Test: received]        the run: all Tests but the last
//
// A poll counts if another one comes right before or behind it. So a program that works, and now and then looks for a
// message, does not wait. The time between two polls that follow each other closely belongs to the first of them. So
// does the time between them in which the thread sleeps.
// Source: docs/METRICS.md, "Polled".
#include <utility>

#include "replay/scan/thread_scan.hpp"

namespace tarry {
namespace {

// What a program does between two calls of a loop that only polls, in seconds: at most, and without a look at the
// calls. A coalesced visit has thousands of calls; what lies behind it is more only where the thread lost its
// processor.
constexpr double kLongestGap = 20e-6, kShortGap = 2e-6;

bool is_poll(CallClass call) {
  return call == CallClass::kPoll || call == CallClass::kTest || call == CallClass::kStatusTest;
}

}  // namespace

// An MPI function is left. One that is neither a poll nor an inquiry, or that has completed something, ends the run.
void ThreadScan::polled(const Frame& frame, CallClass call, Ticks leave) {
  if (call == CallClass::kInquiry || (polls_.empty() && !is_poll(call))) return;
  const bool follows = is_followed(frame.enter);
  settle_last_poll(frame.enter);
  if (!is_poll(call) || frame.call.is_valid()) return forget_polls();
  polls_.push_back({.poll = {frame.enter, leave, frame.position},
                    .leave = leave,
                    .path = frame.path,
                    .calls = frame.calls,
                    .is_probe = call == CallClass::kPoll,
                    .follows = follows});
}

// Whether not much time passes behind each call of the last poll, nor more than in it. Or the thread sleeps there most
// of the time.
bool ThreadScan::is_followed(Ticks next_enter) const {
  if (polls_.empty() || polls_.back().is_blocked) return false;
  const OpenPoll& last = polls_.back();
  const Ticks gap = next_enter - last.leave, asleep = last.sleep.end - last.sleep.enter;
  if (asleep > 0) return last.sleep.end == next_enter && asleep >= gap - asleep;
  const double ticks_per_second = process_.source.definitions().clock.ticks_per_second;
  const auto is_within = [&](double seconds) {
    return static_cast<double>(gap) <= seconds * ticks_per_second * static_cast<double>(last.calls);
  };
  return is_within(kShortGap) || (gap <= last.leave - last.poll.enter && is_within(kLongestGap));
}

void ThreadScan::settle_last_poll(Ticks next_enter) {
  if (!polls_.empty() && !polls_.back().follows && !is_followed(next_enter)) polls_.pop_back();
}

// Nothing else has been recorded since the last poll: the time until now becomes part of it.
void ThreadScan::credit_gap(CallClass entered, Ticks time) {
  OpenPoll& last = polls_.back();
  if (!process_.keeps.poll_gaps || !is_poll(entered) || last_time_ != last.leave || stack_.empty()) return;
  if (!is_followed(time)) return;
  if (last.sleep.end > last.sleep.enter) credit_sleep(last);
  const PathIndex around = std::exchange(stack_.back().path, last.path);
  credit(time);
  stack_.back().path = around;
  if (!last.is_asleep) last.poll.end = time;
}

// Time before the sleep belongs to the surrounding call path. The sleep becomes part of the polls, and is subtracted
// from the blocked time of that path.
void ThreadScan::credit_sleep(OpenPoll& last) {
  credit(last.sleep.enter);
  thread_.blocked_time[stack_.back().path] -= thread_.counted(last.sleep.enter, last.sleep.end);
  last.sleep.position = thread_.log.mark();
  last.is_asleep = true;
}

// The thread was blocked, perhaps because it sleeps before it polls again.
void ThreadScan::blocked_after_poll(Ticks begin, Ticks end) {
  OpenPoll& last = polls_.back();
  last.is_blocked |= !process_.keeps.poll_sleeps || last_time_ != last.leave || last.sleep.end > last.sleep.enter;
  last.sleep = {begin, end};
}

// The innermost call posts a receive, or completes one or a collective. What it polled for are the calls of that kind,
// at the call path of the last one.
void ThreadScan::end_polls(bool is_probe) {
  if (polls_.empty() || !is_in_mpi()) return;
  settle_last_poll(stack_.back().enter);
  const CallClass call = process_.regions[stack_.back().region].call;
  const bool can_complete = call == CallClass::kTest || call == CallClass::kWaitOne || call == CallClass::kWaitMany;
  PollRun run{.first = rank_.polls.next_id(), .is_probe = is_probe};
  for (std::size_t i = polls_.size(); i-- > 0 && (is_probe || can_complete) && run.path == kNoPath;)
    if (polls_[i].is_probe == is_probe) run.path = polls_[i].path;
  for (const OpenPoll& open : polls_) {
    if (open.is_probe != is_probe || open.path != run.path) continue;
    rank_.polls.push_back(open.poll);
    if (open.is_asleep) rank_.polls.push_back(open.sleep);
  }
  run.end = rank_.polls.next_id();
  forget_polls();
  if (run.first == run.end) return;
  run.call = current_call();
  rank_.poll_runs.push_back(run);
}

}  // namespace tarry
