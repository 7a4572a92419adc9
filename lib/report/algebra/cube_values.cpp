// cube_values.cpp -- values of a report as people ask for them.
#include "report/algebra/cube_values.hpp"

#include <algorithm>
#include <numeric>

#include "report/tree/call_path_tree.hpp"
#include "report/tree/metric_tree.hpp"

namespace tarry {
namespace {

// Enough for what the tools of the field ship: their init programs take some thousand steps for each call path.
constexpr std::uint64_t kStepsPerValue = 1'000'000;
constexpr std::uint64_t kInitSteps = 1'000'000, kInitStepsPerElement = 20'000, kMostInitSteps = 4'000'000'000;
constexpr std::uint64_t kEvaluations = 20'000, kEvaluationsPerPath = 64;

double sum_of(const std::vector<double>& numbers) { return std::accumulate(numbers.begin(), numbers.end(), 0.0); }

}  // namespace

CubeValues::CubeValues(const CubeSource& source)
    : source_(source),
      reader_(source),
      machine_(source.structure()),
      derived_(source.structure().metrics.size()),
      totals_(derived_.size()),
      is_void_(derived_.size()) {
  for (std::uint32_t metric = 0; metric < derived_.size(); ++metric) {
    is_void_[metric] = facts(MetricId(metric)).is_void;
    if (is_derived(facts(MetricId(metric)).kind)) compile(MetricId(metric));
  }
  run_init_programs();
}

void CubeValues::compile(MetricId metric) {
  Derived& derived = derived_[metric.value].emplace();
  auto program = parse_cubepl(facts(metric).expression);
  if (!program.ok()) return break_metric(metric, "its expression " + program.error().why);
  derived.program = std::move(*program);
  for (const CubeplOperand& operand : derived.program.operands)
    derived.operands.push_back(find_metric(source_.structure(), operand.metric));
  if (facts(metric).init_expression.empty()) return;
  auto init = parse_cubepl(facts(metric).init_expression);
  if (!init.ok()) return break_metric(metric, "its initialisation " + init.error().why);
  derived.init_program = std::move(*init);
}

void CubeValues::run_init_programs() {
  const ReportStructure& report = source_.structure();
  const std::uint64_t elements = report.call_paths.size() + report.regions.size() + report.locations.size();
  const std::uint64_t steps = std::min(kMostInitSteps, kInitSteps + kInitStepsPerElement * elements);
  for (std::uint32_t metric = 0; metric < derived_.size(); ++metric) {
    if (!derived_[metric] || derived_[metric]->init_program.empty()) continue;
    const CubeplProgram& program = derived_[metric]->init_program;
    const std::vector<std::vector<double>> operands(program.operands.size(), std::vector<double>(1));
    double nothing = 0;
    machine_.allow(steps);
    machine_.run(program, {metric, 0, 0}, operands, [](auto&&...) { return 0.0; }, steps, {&nothing, 1});
    if (!machine_.fault().empty()) break_metric(MetricId(metric), machine_.fault());
  }
  for (const auto& [name, is_void] : machine_.voided())
    if (const MetricId metric = find_metric(report, name); metric.is_valid()) is_void_[metric.value] = is_void;
}

void CubeValues::break_metric(MetricId metric, const std::string& why) {
  if (derived_[metric.value]->is_broken) return;
  derived_[metric.value]->is_broken = true;
  damage_.push_back("metric '" + facts(metric).unique_name + "': " + why);
}

std::vector<std::string> CubeValues::damage() const {
  std::vector<std::string> all = source_.damage();
  all.insert(all.end(), damage_.begin(), damage_.end());
  return all;
}

bool CubeValues::row(MetricId metric, CallPathId path, Flavour flavour, std::vector<double>& numbers) {
  budget_ = kEvaluations + kEvaluationsPerPath * source_.structure().call_paths.size();
  return compute(metric, path, flavour, numbers);
}

bool CubeValues::has_budget() {
  if (budget_ > 0) --budget_;
  return budget_ > 0;
}

bool CubeValues::compute(MetricId metric, CallPathId path, Flavour flavour, std::vector<double>& numbers) {
  if (derived_[metric.value]) return compute_derived(metric, path, flavour, numbers);
  const ValueFormat format = facts(metric).format();
  const bool is_exclusive = flavour == Flavour::kExclusive;
  const bool is_there = is_exclusive ? reader_.has_exclusive(metric, path) : reader_.has_inclusive(metric, path);
  if (!is_there) {
    std::vector<double> neutral(format.components());
    fill_neutral(format, neutral);
    numbers.assign(source_.structure().locations.size(), is_additive(format.type) ? 0 : neutral[0]);
    return false;
  }
  stored_.resize(source_.structure().locations.size() * format.components());
  if (is_exclusive) {
    reader_.read_exclusive(metric, path, stored_);
  } else {
    reader_.read_inclusive(metric, path, stored_);
  }
  numbers_of_row(format, stored_, numbers);
  return true;
}

bool CubeValues::compute_derived(MetricId metric, CallPathId path, Flavour flavour, std::vector<double>& numbers) {
  Derived& derived = *derived_[metric.value];
  numbers.assign(source_.structure().locations.size(), 0);
  if (derived.is_active) break_metric(metric, "it is derived from itself");
  if (derived.is_broken) return false;
  if (!has_budget()) {
    break_metric(metric, "it takes too many others to compute it");
    return false;
  }
  derived.is_active = true;
  const MetricKind kind = facts(metric).kind;
  const Flavour own = kind == MetricKind::kPreDerivedInclusive ? Flavour::kInclusive : Flavour::kExclusive;
  if (kind == MetricKind::kPostDerived || flavour == own) {
    evaluate(metric, path, flavour, numbers);
    derived.is_active = false;
    return std::any_of(numbers.begin(), numbers.end(), [](double number) { return number != 0; });
  }
  // The other flavour: the sum of the subtree, or what the children leave.
  std::vector<double> part;
  std::vector<std::uint32_t> open{path.value};
  if (own == Flavour::kInclusive) evaluate(metric, path, own, numbers);
  while (!open.empty() && !derived.is_broken) {
    const std::uint32_t at = open.back();
    open.pop_back();
    const bool is_below = at != path.value;
    if (own == Flavour::kExclusive || is_below) {
      part.assign(numbers.size(), 0);
      evaluate(metric, CallPathId(at), own, part);
      for (std::size_t i = 0; i < part.size(); ++i)
        numbers[i] = own == Flavour::kExclusive ? numbers[i] + part[i] : without_children(numbers[i], part[i]);
    }
    if (own == Flavour::kInclusive && is_below) continue;
    const auto children = source_.call_tree().children(at);
    open.insert(open.end(), children.begin(), children.end());
  }
  derived.is_active = false;
  return std::any_of(numbers.begin(), numbers.end(), [](double number) { return number != 0; });
}

void CubeValues::evaluate(MetricId metric, CallPathId path, Flavour flavour, std::vector<double>& numbers) {
  const Derived& derived = *derived_[metric.value];
  std::vector<std::vector<double>> operands;
  for (std::size_t i = 0; i < derived.operands.size(); ++i)
    operands.push_back(operand_row(derived, i, facts(metric).kind, path, flavour));
  if (derived.is_broken) return;
  const auto other_path = [&](const CubeplOperand& operand, std::uint32_t at, std::uint32_t location) {
    return on_other_path(operand, at, flavour, location);
  };
  machine_.run(derived.program, {metric.value, path.value, 0}, operands, other_path, kStepsPerValue, numbers);
  if (!machine_.fault().empty()) break_metric(metric, machine_.fault());
}

std::vector<double> CubeValues::operand_row(const Derived& derived, std::size_t operand, MetricKind kind,
                                            CallPathId path, Flavour flavour) {
  const CubeplOperand& wanted = derived.program.operands[operand];
  const MetricId metric = derived.operands[operand];
  std::vector<double> numbers(source_.structure().locations.size());
  if (!metric.is_valid()) return numbers;
  const bool has_flavour = wanted.flavour != CubeplOperand::Flavour::kContext;
  if (wanted.is_fixed && !has_flavour && kind != MetricKind::kPostDerived) {
    std::fill(numbers.begin(), numbers.end(), totals(metric).whole);
    return numbers;
  }
  if (has_flavour)
    flavour = wanted.flavour == CubeplOperand::Flavour::kInclusive ? Flavour::kInclusive : Flavour::kExclusive;
  compute(metric, path, flavour, numbers);
  if (wanted.is_fixed) std::fill(numbers.begin(), numbers.end(), sum_of(numbers));
  return numbers;
}

double CubeValues::on_other_path(const CubeplOperand& operand, std::uint32_t path, Flavour flavour,
                                 std::uint32_t location) {
  const MetricId metric = find_metric(source_.structure(), operand.metric);
  if (!metric.is_valid() || derived_[metric.value] || path >= source_.structure().call_paths.size() || !has_budget())
    return 0;
  if (operand.flavour != CubeplOperand::Flavour::kContext)
    flavour = operand.flavour == CubeplOperand::Flavour::kInclusive ? Flavour::kInclusive : Flavour::kExclusive;
  std::vector<double> numbers;
  compute(metric, CallPathId(path), flavour, numbers);
  return location < numbers.size() ? numbers[location] : 0;
}

// ---- over all locations ---------------------------------------------------------------------------------------------

const MetricTotals& CubeValues::totals(MetricId metric) {
  auto& known = totals_[metric.value];
  if (known) return *known;
  if (!derived_[metric.value]) {
    known = total_stored(metric);
  } else {
    MetricTotals nothing;
    nothing.exclusive.resize(source_.structure().call_paths.size());
    nothing.inclusive = nothing.exclusive;
    known = nothing;  // for those that depend on themselves
    MetricTotals computed =
        facts(metric).kind == MetricKind::kPostDerived ? total_postderived(metric) : total_prederived(metric);
    known = std::move(computed);
  }
  return *known;
}

MetricTotals CubeValues::total_stored(MetricId metric) { return total_of(source_, metric); }

MetricTotals CubeValues::total_prederived(MetricId metric) {
  const auto& paths = source_.structure().call_paths;
  const bool is_inclusive = facts(metric).kind == MetricKind::kPreDerivedInclusive;
  MetricTotals totals;
  totals.exclusive.resize(paths.size());
  totals.inclusive.resize(paths.size());
  std::vector<double> numbers;
  for (std::uint32_t path = 0; path < paths.size(); ++path) {
    row(metric, CallPathId(path), Flavour::kExclusive, numbers);
    totals.exclusive[path] = sum_of(numbers);
    if (!is_inclusive) continue;
    row(metric, CallPathId(path), Flavour::kInclusive, numbers);
    totals.inclusive[path] = sum_of(numbers);
  }
  if (!is_inclusive) add_up(paths, totals);
  for (const std::uint32_t root : source_.call_tree().roots()) totals.whole += totals.inclusive[root];
  return totals;
}

MetricTotals CubeValues::total_postderived(MetricId metric) {
  const std::vector<MetricId> operands = derived_[metric.value]->operands;
  const std::size_t paths = source_.structure().call_paths.size();
  MetricTotals result;
  result.exclusive.resize(paths);
  result.inclusive.resize(paths);
  const auto value_of = [&](std::size_t operand, CallPathId path, Flavour flavour) {
    if (!operands[operand].is_valid()) return 0.0;
    const auto wanted = derived_[metric.value]->program.operands[operand].flavour;
    if (wanted != CubeplOperand::Flavour::kContext)
      flavour = wanted == CubeplOperand::Flavour::kInclusive ? Flavour::kInclusive : Flavour::kExclusive;
    const MetricTotals& known = totals(operands[operand]);
    if (!path.is_valid()) return known.whole;
    return flavour == Flavour::kInclusive ? known.inclusive[path.value] : known.exclusive[path.value];
  };
  std::vector<double> values(operands.size());
  const auto evaluate_at = [&](CallPathId path, Flavour flavour) {
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = value_of(i, path, flavour);
    return evaluate_once(metric, path.is_valid() ? path : CallPathId(0), flavour, values);
  };
  for (std::uint32_t path = 0; path < paths && !derived_[metric.value]->is_broken; ++path) {
    result.exclusive[path] = evaluate_at(CallPathId(path), Flavour::kExclusive);
    result.inclusive[path] = evaluate_at(CallPathId(path), Flavour::kInclusive);
  }
  result.whole = evaluate_at(CallPathId(), Flavour::kInclusive);
  return result;
}

double CubeValues::evaluate_once(MetricId metric, CallPathId path, Flavour flavour, const std::vector<double>& values) {
  if (derived_[metric.value]->is_broken) return 0;
  std::vector<std::vector<double>> operands;
  for (const double value : values) operands.emplace_back(1, value);
  double result = 0;
  const auto other_path = [&](const CubeplOperand& operand, std::uint32_t at, std::uint32_t) {
    const MetricId other = find_metric(source_.structure(), operand.metric);
    if (!other.is_valid() || at >= source_.structure().call_paths.size()) return 0.0;
    const MetricTotals& known = totals(other);
    return flavour == Flavour::kInclusive ? known.inclusive[at] : known.exclusive[at];
  };
  machine_.run(derived_[metric.value]->program, {metric.value, path.value, 0}, operands, other_path, kStepsPerValue,
               {&result, 1});
  if (!machine_.fault().empty()) break_metric(metric, machine_.fault());
  return result;
}

}  // namespace tarry
