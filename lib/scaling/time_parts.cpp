// time_parts.cpp -- what the time of a run was spent on, by kind.
#include "scaling/time_parts.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

#include "findings/causes/wait_metrics.hpp"
#include "report/tree/metric_tree.hpp"

namespace tarry {
namespace {

constexpr double kRounding = 1e-12;  // of the whole: what a difference may be although both sides are equal
constexpr std::size_t kLongestPartTitle = 200;

// Also what an operation takes to complete behind a wait: only analyses tell it apart.
bool is_wait_state(const std::string& name) {
  if (wait_family(name) != WaitFamily::kNone) return true;
  const auto is_it = [&](const WaitInfo& wait) { return name == info_of(wait.metric).unique_name; };
  return std::any_of(wait_states().begin(), wait_states().end(), is_it);
}

// The metrics below `time`, parents first. A part is one of them; what is below a wait state belongs to its part.
class TimeTree {
 public:
  explicit TimeTree(CubeValues& values) : metrics_(values.source().structure().metrics), part_of_(metrics_.size()) {
    const MetricId time = find_metric(values.source().structure(), "time");
    if (!time.is_valid() || values.is_void(time)) return;
    own_.resize(metrics_.size());
    is_inner_.resize(metrics_.size());
    for (std::size_t i = 0; i < metrics_.size(); ++i) {
      const bool is_root = i == time.value;
      if (!is_root && !has_part_above(i)) continue;
      if (metrics_[i].is_ghost || values.is_void(MetricId(i))) continue;
      const std::size_t above = is_root ? i : *part_of_[metrics_[i].parent.value];
      is_inner_[i] = !is_root && (is_inner_[metrics_[i].parent.value] || is_wait_state(metrics_[i].unique_name));
      part_of_[i] = is_inner_[i] ? above : i;
      if (!is_inner_[i]) take(values, i, above);
    }
    whole_ = values.totals(time).whole;
  }

  std::vector<TimePart> parts() const {
    std::vector<TimePart> parts;
    for (std::size_t i = 0; i < own_.size(); ++i)
      if (part_of_[i] == i && std::abs(own_[i]) > kRounding * std::abs(whole_))
        parts.push_back({metrics_[i].unique_name, title_of(i), own_[i]});
    return parts;
  }

 private:
  bool has_part_above(std::size_t i) const {
    const MetricId parent = metrics_[i].parent;
    return parent.is_valid() && parent.value < i && part_of_[parent.value].has_value();
  }

  void take(CubeValues& values, std::size_t i, std::size_t above) {
    const double inclusive = values.totals(MetricId(i)).whole;
    own_[i] += inclusive;
    if (above != i) own_[above] -= inclusive;
  }

  // Without `time` and `execution`, which are above all.
  std::string title_of(std::size_t i) const {
    std::string title = metrics_[i].display_name;
    for (MetricId up = metrics_[i].parent; up.is_valid() && part_of_[up.value]; up = metrics_[up.value].parent) {
      const ReportMetric& above = metrics_[up.value];
      if (above.unique_name == "time" || above.unique_name == "execution") break;
      if (title.size() > kLongestPartTitle) return "... / " + title;
      title = above.display_name + " / " + title;
    }
    return title;
  }

  const std::vector<ReportMetric>& metrics_;
  std::vector<std::optional<std::size_t>> part_of_;  // [metric]; nothing: not below `time`
  std::vector<bool> is_inner_;                       // a wait state, or below one
  std::vector<double> own_;
  double whole_ = 0;
};

}  // namespace

std::vector<TimePart> time_parts(CubeValues& values) { return TimeTree(values).parts(); }

}  // namespace tarry
