// plan_windows.cpp -- gates of one-sided synchronisation.
//
//   fence, creation, freeing    all processes of the window need all
//   Win_start or Win_complete   needs the Win_post of the targets: the first of the two that was left after them
//   Win_wait                    needs the Win_complete of the origins
//   Win_lock or Win_unlock      needs the Win_unlock of the exclusive lock before; an exclusive one those of the shared
//                               locks since, too
#include <vector>

#include "prediction/simulation/gates.hpp"
#include "replay/matching/match_windows.hpp"

namespace tarry {
namespace {

class WindowGates {
 public:
  explicit WindowGates(Gates& gates) : gates_(gates) {}

  WindowVisitor visitor() {
    return {.collective = [this](const WindowCollective& operation) { add(operation); },
            .access = [this](const AccessEpoch& epoch) { add(epoch); },
            .exposure = [this](const ExposureEpoch& epoch) { add(epoch); },
            .locks = [this](std::span<const LockEpoch> epochs) { add(epochs); }};
  }

 private:
  void signal(GateIndex gate, const WindowPart& part) {
    gates_.signal(gate, part.rank, part.record->call, part.record->enter);
  }
  void await(GateIndex gate, const WindowPart& part) { gates_.await(gate, part.rank, part.record->call); }

  void add(const WindowCollective& operation) {
    const std::lock_guard lock(gates_.mutex());
    const GateIndex gate = gates_.add();
    for (const WindowCollective::Member& member : operation.members) signal(gate, member.part);
    for (const WindowCollective::Member& member : operation.members) await(gate, member.part);
  }

  void add(const AccessEpoch& epoch) {
    const std::lock_guard lock(gates_.mutex());
    const GateIndex gate = gates_.add();
    Ticks last = kNoCause;
    for (const AccessEpoch::Target& target : epoch.targets) {
      if (!target.post.record) continue;
      last = std::max(last, target.post.record->enter);
      signal(gate, target.post);
    }
    await(gate, epoch.start.record->leave >= last ? epoch.start : epoch.complete);
  }

  void add(const ExposureEpoch& epoch) {
    const std::lock_guard lock(gates_.mutex());
    const GateIndex gate = gates_.add();
    for (const AccessEpoch* origin : epoch.origins) signal(gate, origin->complete);
    await(gate, epoch.wait);
  }

  void add(std::span<const LockEpoch> epochs) {
    const std::lock_guard lock(gates_.mutex());
    Held writer;
    std::vector<Held> readers;  // since the writer
    for (const LockEpoch& epoch : epochs) {
      if (writer.epoch) await(writer, epoch);
      if (epoch.lock.record->is_exclusive) {
        for (Held& reader : readers) await(reader, epoch);
        readers.clear();
        writer = {&epoch};
      } else {
        readers.push_back({&epoch});
      }
    }
  }

  // A lock, and the gate that opens when it is released; none as long as nobody waits for it.
  struct Held {
    const LockEpoch* epoch = nullptr;
    GateIndex released{};
  };

  // The first of the two calls that was left after the release. A process does not wait for itself.
  void await(Held& before, const LockEpoch& after) {
    const WindowPart& unlock = before.epoch->unlock;
    if (unlock.rank == after.unlock.rank) return;
    if (!before.released.is_valid()) signal(before.released = gates_.add(), unlock);
    await(before.released, after.lock.record->leave >= unlock.record->enter ? after.lock : after.unlock);
  }

  Gates& gates_;
};

}  // namespace

void plan_windows(const Trace& trace, Gates& gates) {
  WindowGates windows(gates);
  visit_windows(trace, [&](WindowId) { return windows.visitor(); });
}

}  // namespace tarry
