// plan_locks.cpp -- gates of the locks and conditions of a process.
//
//   a lock                    acquired after the one before has released it, in the recorded order
//   a read-write lock         a reader after the writer before; a writer after all readers since, else after the writer
//   a wait for a condition    acquires its lock as above, and after a signal
//   a semaphore               acquired after the post that let the thread go on
#include <algorithm>
#include <span>
#include <tuple>

#include "prediction/simulation/gates.hpp"

namespace tarry {
namespace {

// The signals of conditions of a process, in the order of time.
class ConditionSignals {
 public:
  explicit ConditionSignals(const LogicalRank& rank) : all_(rank.calls.budget()) {
    for (const ThreadIndex t : rank.threads.ids()) {
      if (!rank.threads[t].ends) continue;
      const Rows<ThreadMoment>& signals = rank.threads[t].ends->signals;
      for (std::size_t i = 0; i < signals.size(); ++i)
        all_.push_back({signals[i].time, t, static_cast<std::uint32_t>(i)});
    }
    std::ranges::sort(all_, [](const Signal& a, const Signal& b) {
      return std::tie(a.time, a.thread, a.number) < std::tie(b.time, b.thread, b.number);
    });
  }

  struct Signal {
    Ticks time;
    ThreadIndex thread;
    std::uint32_t number;  // of ThreadEnds::signals
  };

  /// The latest one after `begin` and until `end` of a thread other than `waiter`; nullptr: none.
  const Signal* latest(Ticks begin, Ticks end, ThreadIndex waiter) const {
    constexpr int kMost = 64;  // who waits gives no signals itself: more of them are damage
    const Signal* at = std::ranges::upper_bound(all_, end, {}, &Signal::time);
    for (int tries = 0; tries < kMost && at != all_.begin() && (at - 1)->time > begin; ++tries)
      if ((--at)->thread != waiter) return at;
    return nullptr;
  }

 private:
  Rows<Signal> all_;
};

class LockGates {
 public:
  LockGates(const LogicalRank& rank, const RegionTable& regions, ThreadGates& into, Gates& gates)
      : rank_(rank), regions_(regions), into_(into), gates_(gates), signals_(rank), held_(rank.calls.budget()) {}

  void plan() {
    for (const ThreadIndex t : rank_.threads.ids())
      rank_.threads[t].locks.for_each([&](LockIndex number, const LockAcquisition& lock, const LockPlace&) {
        if (!is_end_of_thread(lock.lock) && !lock.is_unsuccessful)  // plan_threads.cpp; no cause
          held_.push_back({lock.lock, lock.order, lock.enter, lock.acquire, lock.release, t, number, lock.is_shared,
                           is_wait(lock), is_signal(lock)});
        into_.threads[t].acquired.emplace_back();
        into_.threads[t].released.emplace_back();
      });
    std::sort(held_.begin(), held_.end(), [](const Held& a, const Held& b) {
      return std::tie(a.lock, a.order, a.thread, a.number) < std::tie(b.lock, b.order, b.thread, b.number);
    });
    for (std::size_t first = 0, i = 1; i <= held_.size(); ++i) {
      if (i < held_.size() && held_[i].lock == held_[first].lock) continue;
      plan_lock(std::span(held_.begin() + first, i - first));
      first = i;
    }
  }

 private:
  struct Held {
    std::uint64_t lock, order;
    Ticks enter, acquire, release;
    ThreadIndex thread;
    LockIndex number;
    bool is_shared;  // with others that read
    bool is_wait;    // for a condition
    bool is_signal;  // gives one, and waits for nobody

    bool is_released() const { return release > acquire; }
  };

  bool is_wait(const LockAcquisition& lock) const {
    return lock.path != kNoPath && regions_[rank_.tree[lock.path].region].condition == ConditionClass::kWait;
  }

  bool is_signal(const LockAcquisition& lock) const {
    return lock.path != kNoPath && regions_[rank_.tree[lock.path].region].signal == SignalClass::kGives;
  }

  GateIndex& acquired(const Held& held) { return into_.threads[held.thread].acquired[held.number]; }

  // The gate that its end causes, alone or with others.
  GateIndex& released(const Held& held) { return into_.threads[held.thread].released[held.number]; }

  // All that was held of one lock. Readers have no order, so they come first.
  void plan_lock(std::span<Held> held) {
    if (held.front().is_shared || held.front().is_signal) return plan_shared(held);
    for (std::size_t i = 0; i < held.size(); ++i) {
      if (i > 0) plan_pair(held[i - 1], held[i]);
      if (held[i].is_wait) plan_wait(held[i], i > 0 ? held[i - 1].release : kNoCause);
    }
  }

  void plan_pair(const Held& before, const Held& after) {
    if (before.thread != after.thread && before.is_released()) acquired(after) = gate_of(before);
  }

  GateIndex gate_of(const Held& before) {
    GateIndex& gate = released(before);
    if (gate.is_valid()) return gate;
    gate = gates_.add();
    gates_.cause(gate, before.release);
    return gate;
  }

  // Without any cause it takes as long as recorded. A signal that was given with the lock held came before the release.
  // Of those later, the latest is meant: the trace does not tell of which condition a signal is.
  void plan_wait(const Held& wait, Ticks release_before) {
    GateIndex& gate = acquired(wait);
    const Ticks known = gate.is_valid() ? std::max(release_before, wait.enter) : wait.enter;
    if (!gate.is_valid()) gate = gates_.add();
    const ConditionSignals::Signal* const signal = signals_.latest(known, wait.acquire, wait.thread);
    if (!signal) return;
    gates_.cause(gate, signal->time);
    into_.threads[signal->thread].wake_ups.push_back({signal->number, gate});
  }

  // In the order of time: the threads of a process have one clock.
  void plan_shared(std::span<Held> held) {
    std::ranges::sort(held, [](const Held& a, const Held& b) {
      return std::tie(a.acquire, a.thread, a.number) < std::tie(b.acquire, b.thread, b.number);
    });
    const Held* writer = nullptr;
    std::size_t first_reader = 0;
    for (std::size_t i = 0; i < held.size(); ++i) {
      const Held& one = held[i];
      const bool has_readers =
          !one.is_shared && !one.is_signal && plan_writer(one, held.subspan(first_reader, i - first_reader));
      if (!has_readers && !one.is_signal && writer && is_waited_for(*writer, one)) plan_pair(*writer, one);
      if (one.is_shared) continue;
      writer = &one;
      first_reader = i + 1;
    }
  }

  // A signal that came before the wait has not ended it.
  static bool is_waited_for(const Held& writer, const Held& after) {
    return writer.release <= after.acquire && !(writer.is_signal && writer.release <= after.enter);
  }

  // False if no reader was in its way.
  bool plan_writer(const Held& writer, std::span<const Held> readers) {
    GateIndex gate;
    for (const Held& reader : readers) {
      if (reader.thread == writer.thread || !reader.is_released() || reader.release > writer.acquire) continue;
      if (!gate.is_valid()) gate = gates_.add();
      gates_.cause(gate, reader.release);
      released(reader) = gate;
    }
    if (gate.is_valid()) acquired(writer) = gate;
    return gate.is_valid();
  }

  const LogicalRank& rank_;
  const RegionTable& regions_;
  ThreadGates& into_;
  Gates& gates_;
  const ConditionSignals signals_;
  Rows<Held> held_;
};

}  // namespace

void plan_locks(const LogicalRank& rank, const RegionTable& regions, ThreadGates& into, Gates& gates) {
  LockGates(rank, regions, into, gates).plan();
}

}  // namespace tarry
