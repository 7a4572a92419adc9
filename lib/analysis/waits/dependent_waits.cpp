// dependent_waits.cpp -- collectives in which a member waits for those alone whose data it needs.
//
//   non-blocking       start S, later a completing call E..L         wait = min(max S, L) - E
//   Alltoallv, w       who receives needs those it receives from; where the trace does not tell, all who send
//   neighbourhood      the sources that send
//   two groups         each needs the other group, of which only the root if there is one
//   creation           all need all
//
// Needs: when each member has started, when it waited and ended, bytes, the root. Leaves: waits with a cause each.
// Source: docs/METRICS.md, "Who needs whom".
#include <algorithm>

#include "analysis/waits/dependencies.hpp"

namespace tarry {
namespace {

// Of one operation.
class Needs {
 public:
  explicit Needs(const CollectiveOperation& instance) : instance_(instance), found_(instance) {}

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
      case CollectiveKind::kNeighborhood: return add_neighbors();
      case CollectiveKind::kVector: return add_vector(waiting, needed);
      case CollectiveKind::kAllToAll:
        return found_.add([&](std::size_t i) { return waiting(i) && instance_[i].receives(); },
                          [&](std::size_t i) { return needed(i) && instance_[i].sends(); });
      case CollectiveKind::kInit:
      case CollectiveKind::kFinalize:
      case CollectiveKind::kUnanalysed: return;
    }
  }

  void add_vector(const Which& waiting, const Which& needed) {
    const auto is_told = [&](std::size_t i) { return instance_[i].masks.is_valid(); };
    found_.add([&](std::size_t i) { return waiting(i) && instance_[i].receives() && !is_told(i); },
               [&](std::size_t i) { return needed(i) && instance_[i].sends(); });
    for (std::size_t i = 0; i < instance_.size(); ++i) {
      if (!waiting(i) || !is_told(i)) continue;
      const std::size_t first = instance_.is_inter() && i < instance_.local_size() ? instance_.local_size() : 0;
      instance_.for_each_partner(i, [&](CommRank partner) { add_pair(i, first + partner.value, needed); });
    }
  }

  void add_pair(std::size_t waiting, std::size_t from, const Which& needed) {
    if (from < instance_.size() && needed(from) && instance_[from].sends()) found_.add(waiting, from);
  }

  void add_neighbors() {
    const NeighborLists* lists = instance_.trace().neighbors().find(instance_[0].comm);
    if (!lists) return;
    const auto all = [](std::size_t) { return true; };
    for (std::size_t i = 0; i < instance_.size(); ++i) {
      if (!instance_[i].receives() || !lists->is_known(CommRank(i))) continue;
      const auto sources = lists->sources(CommRank(i));
      if (!instance_[i].masks.is_valid())
        for (const CommRank source : sources) add_pair(i, source.value, all);
      else
        instance_.for_each_source(i, [&](std::uint32_t place) {
          if (place < sources.size()) add_pair(i, sources[place].value, all);
        });
    }
  }

  void add_rooted(const Which& waiting, const Which& needed) {
    const std::size_t root = instance_.root();
    const auto is_root = [&](std::size_t i) { return i == root; };
    const bool is_one_to_all = instance_.kind() == CollectiveKind::kOneToAll;
    found_.add([&](std::size_t i) { return waiting(i) && instance_[i].receives() && (is_one_to_all || is_root(i)); },
               [&](std::size_t i) { return needed(i) && instance_[i].sends() && (!is_one_to_all || is_root(i)); });
  }

  const CollectiveOperation& instance_;
  Dependencies found_;
};

}  // namespace

void dependent_waits(const CollectiveOperation& instance) { Needs(instance).run(); }

}  // namespace tarry
