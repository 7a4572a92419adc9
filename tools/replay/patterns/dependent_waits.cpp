// dependent_waits.cpp -- collectives in which a member waits for those alone whose data it needs.
//
//   non-blocking       start S, later a completing call E..L         wait = min(max S, L) - E
//   Alltoallv, w       who receives needs all who send
//   two groups         each needs the other group, of which only the root if there is one
//   creation           everybody needs everybody
//
// Needs: when each member has started, when it waited and ended, bytes, the root. Leaves: waits with a cause each.
// Source: docs/METRICS.md, "Who needs whom".
#include <algorithm>

#include "dependencies.hpp"

namespace tarry {
namespace {

bool sends(const Collective& part) { return part.sent > 0; }
bool receives(const Collective& part) { return part.received > 0; }

// Of one operation.
class Needs {
 public:
  explicit Needs(const CollectiveInstance& instance) : instance_(instance), found_(instance) {}

  void run() {
    const std::size_t local = instance_.local_size();
    if (local == instance_.size()) {
      const auto all = [](std::size_t) { return true; };
      add(all, all);
    } else {
      const auto first = [local](std::size_t i) { return i < local; };
      const auto second = [local](std::size_t i) { return i >= local; };
      add(first, second);
      add(second, first);
    }
    found_.settle();
  }

 private:
  using Which = Dependencies::Which;

  void add(const Which& waiting, const Which& needed) {
    switch (instance_.kind()) {
      case CollectiveKind::kBarrier:
      case CollectiveKind::kCreation: return found_.add(waiting, needed);
      case CollectiveKind::kPrefix: return found_.add_prefix();
      case CollectiveKind::kOneToAll:
      case CollectiveKind::kAllToOne: return add_rooted(waiting, needed);
      case CollectiveKind::kAllToAll:
      case CollectiveKind::kVector:
        return found_.add([&](std::size_t i) { return waiting(i) && receives(instance_[i]); },
                          [&](std::size_t i) { return needed(i) && sends(instance_[i]); });
      case CollectiveKind::kInit:
      case CollectiveKind::kFinalize:
      case CollectiveKind::kUnanalysed: return;
    }
  }

  void add_rooted(const Which& waiting, const Which& needed) {
    const Collective* root = instance_.root();
    const auto is_root = [&](std::size_t i) { return &instance_[i] == root; };
    const bool is_one_to_all = instance_.kind() == CollectiveKind::kOneToAll;
    found_.add([&](std::size_t i) { return waiting(i) && receives(instance_[i]) && (is_one_to_all || is_root(i)); },
               [&](std::size_t i) { return needed(i) && sends(instance_[i]) && (!is_one_to_all || is_root(i)); });
  }

  const CollectiveInstance& instance_;
  Dependencies found_;
};

}  // namespace

void dependent_waits(const CollectiveInstance& instance) { Needs(instance).run(); }

}  // namespace tarry
