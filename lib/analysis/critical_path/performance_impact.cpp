// performance_impact.cpp -- critical-path imbalance and performance impact of each call path.
//
// g(c): time of call path c on the critical path, over all locations; l(c): a location's own time in c without waits.
//   activities:      min(g, l): work that all do as long as the path does it
//   imbalance:       where g > l, a location waits while the path works; its whole waiting time is shared out over
//                    those call paths, and booked where the path runs
//   inter-partition: the part of it on call paths that the waiting location does not have at all
//   non-critical:    l above g
// Programs of one world start together: nobody waits for the MPI_Init of another program. So all calls of MPI_Init
// share what a location lacks of them together.
// Of several worlds, a location counts only while its world is there.
// Source: docs/METRICS.md, "Performance impact"; Boehme, section 5.2.
#include "analysis/critical_path/performance_impact.hpp"

#include <algorithm>
#include <array>
#include <cstdint>

#include "analysis/column_blocks.hpp"
#include "report/metrics/wait_kinds.hpp"

namespace tarry {
namespace {

double sum(const std::vector<double>& values) {
  double total = 0;
  for (const double value : values) total += value;
  return total;
}

// Time that the average location has without waiting, against the time on the path.
constexpr Metric kNotWork[] = {Metric::kOmpManagement, Metric::kOmpOrdered, Metric::kIdleThreads};

// What a value of each metric adds to the working time.
std::array<double, kMetricCount> work_weights(const Compatibility& compatibility) {
  std::array<double, kMetricCount> weights{};
  for (const Metric metric : {Metric::kTime, Metric::kDeviceTime}) weights[static_cast<std::size_t>(metric)] = 1;
  for (const Metric metric : kNotWork) weights[static_cast<std::size_t>(metric)] = -1;
  for (const WaitInfo& wait : wait_states())
    if (compatibility.is_no_work(wait.role)) weights[static_cast<std::size_t>(wait.metric)] = -1;
  return weights;
}

// Sums over all threads.
struct PathWork {
  std::vector<double> path, work;  // time on the critical path, time without waiting
  std::vector<double> takes_part;  // threads that have visited the call path or a child; of several worlds, the sum
  std::vector<double> longest;     // of their lengths, and the longest of these

  void operator+=(const PathWork& other) {
    add_up(path, other.path);
    add_up(work, other.work);
    add_up(takes_part, other.takes_part);
    for (std::size_t c = 0; c < longest.size(); ++c) longest[c] = std::max(longest[c], other.longest[c]);
  }

  // A thread whose world is there for half of the time of others counts half.
  double count_visitors(std::size_t path) const {
    return longest[path] > 0 ? takes_part[path] / longest[path] : takes_part[path];
  }
};

double sum_of(const double* row, const ColumnBlock& block) {
  double total = 0;
  for (std::size_t column = block.begin; row && column < block.end; ++column) total += row[column];
  return total;
}

// Who has visited a call path or one below, for the threads of a block.
void note_visitors(const ValueRows& values, const CallTree& tree, const std::vector<double>& lengths,
                   const ColumnBlock& block, PathWork& sums) {
  std::vector<std::uint8_t> visits(tree.size() * block.size());
  for (PathIndex path = static_cast<PathIndex>(tree.size()); path-- > 0;) {
    std::uint8_t* here = &visits[path * block.size()];
    if (const double* row = values.find(Metric::kVisits, path))
      for (std::size_t i = 0; i < block.size(); ++i) here[i] |= row[block.begin + i] > 0;
    if (lengths.empty()) sums.takes_part[path] += static_cast<double>(std::count(here, here + block.size(), 1));
    for (std::size_t i = 0; i < block.size() && !lengths.empty(); ++i) {
      if (!here[i]) continue;
      sums.takes_part[path] += lengths[block.begin + i];
      sums.longest[path] = std::max(sums.longest[path], lengths[block.begin + i]);
    }
    if (tree[path].parent == kNoPath) continue;
    std::uint8_t* above = &visits[tree[path].parent * block.size()];
    for (std::size_t i = 0; i < block.size(); ++i) above[i] |= here[i];
  }
}

PathWork sum_work(const ColumnBlocks& blocks, const ValueRows& values, const CallTree& tree,
                  const std::vector<double>& lengths, const Compatibility& compatibility) {
  const std::array<double, kMetricCount> weights = work_weights(compatibility);
  const std::vector<double> none(tree.size());
  return blocks.sum(PathWork{none, none, none, none}, [&](const ColumnBlock& block, PathWork& sums) {
    for (PathIndex path = 0; path < tree.size(); ++path) {
      sums.path[path] += sum_of(values.find(Metric::kCriticalPath, path), block);
      for (const Metric metric : catalogue())
        if (const double weight = weights[static_cast<std::size_t>(metric)]; weight != 0)
          sums.work[path] += weight * sum_of(values.find(metric, path), block);
    }
    note_visitors(values, tree, lengths, block, sums);
  });
}

class Impact {
 public:
  // `total_path`: g, per call path. `starts`: the call paths of MPI_Init.
  Impact(const ColumnBlocks& blocks, Results& results, const std::vector<double>& total_path,
         const std::vector<double>& lengths, const std::vector<PathIndex>& starts, const Compatibility& compatibility)
      : blocks_(blocks),
        values_(results.values),
        activities_(results.activities),
        paths_(static_cast<PathIndex>(total_path.size())),
        compatibility_(compatibility),
        total_path_(total_path),
        length_(sum(total_path)),
        lengths_(lengths),
        starts_(starts) {
    for (const PathIndex c : starts) start_length_ += total_path[c];
  }

  void run() {
    const Costs zero{std::vector<double>(paths_), std::vector<double>(paths_)};
    const Costs costs = blocks_.sum(zero, [&](const ColumnBlock& block, Costs& sums) {
      book_activities(block);
      share_waits(block, waits_of(block), sums);
    });
    blocks_.for_each([&](const ColumnBlock& block) { distribute(block, costs); });
  }

 private:
  struct Costs {
    std::vector<double> imbalance, inter;
    void operator+=(const Costs& other) {
      add_up(imbalance, other.imbalance);
      add_up(inter, other.inter);
    }
  };

  // Of one thread, over all call paths.
  struct Waits {
    double local = 0;      // l
    double waiting = 0;    // its whole waiting time
    double starting = 0;   // l of all calls of MPI_Init
    double lacking = 0;    // what it has less than the path
    double covered = 0;    // the longer of both where it has any time
    double elsewhere = 0;  // time of the path where it has none
  };

  // How long a thread waits: for the reference what it works less than the path is long.
  double waiting_time(const Waits& waits, double whole, std::size_t column) const {
    return compatibility_.subtracts_time_off_path() ? length_at(column) - waits.local : whole - waits.local;
  }

  double length_at(std::size_t column) const { return lengths_.empty() ? length_ : lengths_[column]; }

  static double time_of(const ValueRows& values, PathIndex path, std::size_t column) {
    const double* row = values.find(Metric::kTime, path);
    return row ? row[column] : 0;
  }
  double local_time(PathIndex path, std::size_t column) const { return time_of(activities_, path, column); }

  bool is_start(PathIndex c) const { return std::ranges::binary_search(starts_, c); }

  // What a thread has less of a call path than the critical path.
  double shortage(PathIndex c, std::size_t column, const Waits& waits) const {
    const double critical = total_path_[c];
    if (!is_start(c)) return std::max(0.0, critical - local_time(c, column));
    return start_length_ > 0 ? std::max(0.0, start_length_ - waits.starting) * (critical / start_length_) : 0;
  }

  bool is_absent(PathIndex c, std::size_t column, const Waits& waits) const {
    return (is_start(c) ? waits.starting : local_time(c, column)) <= 0;
  }

  void book_activities(const ColumnBlock& block) {
    for (PathIndex c = 0; c < paths_; ++c) {
      const double critical = total_path_[c];
      for (std::size_t column = block.begin; column < block.end && activities_.find(Metric::kTime, c); ++column) {
        const double local = local_time(c, column);
        if (critical > 0) values_.add(Metric::kCriticalPathActivities, c, column, std::min(critical, local));
        values_.add(Metric::kNonCriticalPathActivities, c, column, std::max(0.0, local - critical));
      }
    }
  }

  std::vector<Waits> waits_of(const ColumnBlock& block) const {
    std::vector<Waits> all(block.size());
    std::vector<double> whole(block.size());
    for (PathIndex c = 0; c < paths_; ++c)
      for (std::size_t i = 0; i < block.size(); ++i) {
        const double local = local_time(c, block.begin + i);
        whole[i] += time_of(values_, c, block.begin + i);
        all[i].local += local;
        if (is_start(c)) all[i].starting += local;
      }
    for (std::size_t i = 0; i < block.size(); ++i) all[i].waiting = waiting_time(all[i], whole[i], block.begin + i);
    for (PathIndex c = 0; c < paths_; ++c)
      for (std::size_t column = block.begin; column < block.end; ++column)
        compare_with_path(c, column, all[column - block.begin]);
    return all;
  }

  void compare_with_path(PathIndex c, std::size_t column, Waits& waits) const {
    const double local = local_time(c, column);
    waits.lacking += shortage(c, column, waits);
    if (local > 0) waits.covered += std::max(local, total_path_[c]);
    else waits.elsewhere += total_path_[c];
  }

  // Each thread's waiting time is shared out in proportion to what it lacks of each call path; 0/0 if it lacks nothing.
  void share_waits(const ColumnBlock& block, const std::vector<Waits>& all, Costs& costs) const {
    const bool is_apart = compatibility_.scales_inter_partition_apart(),
               empties = compatibility_.empties_on_zero_division();
    for (PathIndex c = 0; c < paths_; ++c)
      for (std::size_t column = block.begin; column < block.end; ++column) {
        const Waits& waits = all[column - block.begin];
        const bool lacks_all = is_absent(c, column, waits);
        const double cost = shortage(c, column, waits) * waits.waiting / waits.lacking;
        if (waits.lacking != 0 || empties) costs.imbalance[c] += cost;
        if (is_apart && (waits.elsewhere != 0 || empties))
          costs.inter[c] += (lacks_all ? total_path_[c] : 0) * (length_at(column) - waits.covered) / waits.elsewhere;
        if (!is_apart && lacks_all && waits.lacking != 0) costs.inter[c] += cost;
      }
  }

  // Costs land on the threads that own the critical-path time of the call path.
  void distribute(const ColumnBlock& block, const Costs& costs) {
    for (PathIndex c = 0; c < paths_; ++c) {
      const double* path = values_.find(Metric::kCriticalPath, c);
      for (std::size_t column = block.begin; path && column < block.end; ++column) {
        if (path[column] == 0) continue;
        const double share = path[column] / total_path_[c];
        if (const double cost = share * costs.imbalance[c]; cost > 0)
          values_.add(Metric::kImbalanceImpact, c, column, cost);
        if (const double cost = share * costs.inter[c]; cost > 0)
          values_.add(Metric::kInterPartitionImbalance, c, column, cost);
      }
    }
  }

  const ColumnBlocks& blocks_;
  ValueRows& values_;
  const ValueRows& activities_;
  const PathIndex paths_;
  const Compatibility& compatibility_;
  const std::vector<double>& total_path_;
  const double length_;
  const std::vector<double>& lengths_;
  const std::vector<PathIndex>& starts_;
  double start_length_ = 0;  // of the critical path, what is in MPI_Init
};

// `all`: inclusive along the call tree.
void critical_path_imbalance(const ColumnBlocks& blocks, ValueRows& values, const PathWork& all, double threads,
                             const Compatibility& compatibility) {
  blocks.for_each([&](const ColumnBlock& block) {
    for (PathIndex c = 0; c < all.path.size(); ++c) {
      const double* own = values.find(Metric::kCriticalPath, c);
      if (!own || all.path[c] == 0) continue;
      const double average = all.work[c] / compatibility.sharers(threads, all.count_visitors(c));
      const double part = std::max(0.0, (all.path[c] - average) / all.path[c]);
      for (std::size_t column = block.begin; column < block.end; ++column)
        values.add(Metric::kCriticalPathImbalance, c, column, part * own[column]);
    }
  });
}

void make_inclusive(std::vector<double>& values, const CallTree& tree) {
  for (std::size_t c = values.size(); c-- > 0;)
    if (const PathIndex parent = tree[static_cast<PathIndex>(c)].parent; parent != kNoPath) values[parent] += values[c];
}

}  // namespace

void performance_impact(Results& results, const CallTree& tree, const std::vector<double>& lengths,
                        const std::vector<PathIndex>& starts, const Compatibility& compatibility, unsigned workers) {
  const ColumnBlocks blocks(results.threads.size(), tree.size(), workers);
  PathWork all = sum_work(blocks, results.values, tree, lengths, compatibility);
  Impact(blocks, results, all.path, lengths, starts, compatibility).run();
  make_inclusive(all.path, tree);
  make_inclusive(all.work, tree);
  critical_path_imbalance(blocks, results.values, all, static_cast<double>(results.threads.size()), compatibility);
}

}  // namespace tarry
