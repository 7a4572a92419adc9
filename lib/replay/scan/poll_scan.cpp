// poll_scan.cpp -- runs of unsuccessful tests and probes of one thread, and what they waited for.
#include "replay/scan/poll_scan.hpp"

namespace tarry {
namespace {

// What a program does between two calls of a loop that only polls, in seconds: at most, and without a look at the
// calls. A coalesced visit has thousands of calls; what lies behind it is more only where the thread lost its
// processor.
constexpr double kLongestGap = 20e-6, kShortGap = 2e-6;

}  // namespace

// One that is neither a poll nor an inquiry, or that has completed something, ends the run.
void PollScan::add(const OpenVisit& visit, CallClass call, Ticks leave) {
  if (call == CallClass::kInquiry) return;
  const bool follows = is_followed(visit.enter);
  settle_last(visit.enter);
  if (!is_poll(call) || visit.call.is_valid()) return forget();
  polls_.push_back({.poll = {visit.enter, leave, visit.position},
                    .leave = leave,
                    .path = visit.path,
                    .calls = visit.calls,
                    .is_probe = call == CallClass::kPoll,
                    .follows = follows});
}

// Whether not much time passes behind each call of the last poll, nor more than in it. Or the thread sleeps there most
// of the time.
bool PollScan::is_followed(Ticks next_enter) const {
  if (polls_.empty() || polls_.back().is_blocked) return false;
  const OpenPoll& last = polls_.back();
  const Ticks gap = next_enter - last.leave, asleep = last.sleep.end - last.sleep.enter;
  if (asleep > 0) return last.sleep.end == next_enter && asleep >= gap - asleep;
  const double ticks_per_second = thread_.process.source.definitions().clock.ticks_per_second;
  const auto is_within = [&](double seconds) {
    return static_cast<double>(gap) <= seconds * ticks_per_second * static_cast<double>(last.calls);
  };
  return is_within(kShortGap) || (gap <= last.leave - last.poll.enter && is_within(kLongestGap));
}

void PollScan::settle_last(Ticks next_enter) {
  if (!polls_.empty() && !polls_.back().follows && !is_followed(next_enter)) polls_.pop_back();
}

// Nothing else has been recorded since the last poll: the time until now becomes part of it.
void PollScan::credit_gap(CallClass entered, Ticks time) {
  OpenPoll& last = polls_.back();
  if (!thread_.process.keeps.poll_gaps || !is_poll(entered)) return;
  if (thread_.times.credited() != last.leave || thread_.open.is_empty() || !is_followed(time)) return;
  if (last.sleep.end > last.sleep.enter) credit_sleep(last);
  thread_.times.credit(last.path, time);
  if (!last.is_asleep) last.poll.end = time;
}

// Time before the sleep belongs to the surrounding call path. The sleep becomes part of the polls, and is subtracted
// from the blocked time of that path.
void PollScan::credit_sleep(OpenPoll& last) {
  thread_.credit(last.sleep.enter);
  thread_.times.take_blocked(thread_.open.path(), last.sleep.enter, last.sleep.end);
  last.sleep.position = thread_.logical.log.mark();
  last.is_asleep = true;
}

// The thread was blocked, perhaps because it sleeps before it polls again.
void PollScan::block_after(OpenPoll& last, Ticks begin, Ticks end) {
  last.is_blocked |=
      !thread_.process.keeps.poll_sleeps || thread_.times.credited() != last.leave || last.sleep.end > last.sleep.enter;
  last.sleep = {begin, end};
}

// What a call has polled for are the calls of that kind, at the call path of the last one. kNoPath: for nothing.
PathIndex PollScan::path_of_run(bool is_probe) const {
  const CallClass call = thread_.facts().call;
  const bool can_complete = call == CallClass::kTest || call == CallClass::kWaitOne || call == CallClass::kWaitMany;
  if (!is_probe && !can_complete) return kNoPath;
  for (std::size_t i = polls_.size(); i-- > 0;)
    if (polls_[i].is_probe == is_probe) return polls_[i].path;
  return kNoPath;
}

void PollScan::end(bool is_probe) {
  if (polls_.empty() || !thread_.is_in_mpi()) return;
  settle_last(thread_.open.innermost().enter);
  PollRun run{.path = path_of_run(is_probe), .first = thread_.rank.polls.next_id(), .is_probe = is_probe};
  for (const OpenPoll& open : polls_) {
    if (open.is_probe != is_probe || open.path != run.path) continue;
    thread_.rank.polls.push_back(open.poll);
    if (open.is_asleep) thread_.rank.polls.push_back(open.sleep);
  }
  run.end = thread_.rank.polls.next_id();
  forget();
  if (run.first == run.end) return;
  run.call = thread_.current_call();
  thread_.rank.poll_runs.push_back(run);
}

}  // namespace tarry
