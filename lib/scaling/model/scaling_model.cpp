// scaling_model.cpp -- a model in the performance model normal form, and how well it fits.
#include "scaling/model/scaling_model.hpp"

#include <cmath>
#include <numeric>

#include "base/text/format.hpp"

namespace tarry {
namespace {

std::size_t count_factors(const ScalingModel& model) {
  std::size_t factors = 0;
  for (const ModelTerm& term : model.terms)
    for (const Growth& growth : term.growths) factors += growth.is_constant() ? 0 : 1;
  return factors;
}

}  // namespace

double ModelTerm::factor_at(std::span<const double> parameters) const {
  double product = 1;
  for (std::size_t k = 0; k < growths.size(); ++k)
    if (!growths[k].is_constant()) product *= growths[k].at(parameters[k]);
  return product;
}

double ScalingModel::at(std::span<const double> parameters) const {
  double sum = constant;
  for (const ModelTerm& term : terms) sum += term.coefficient * term.factor_at(parameters);
  return sum;
}

Growth ScalingModel::leading(std::size_t parameter) const {
  Growth fastest;
  for (const ModelTerm& term : terms) {
    const Growth& growth = term.growths[parameter];
    const bool is_first = fastest.is_constant();
    if (!growth.is_constant() && (is_first || grows_slower(fastest, growth))) fastest = growth;
  }
  return fastest;
}

std::string ScalingModel::text(const std::vector<std::string>& parameters) const {
  std::string text = constant != 0 || terms.empty() ? format_number(constant) : "";
  for (const ModelTerm& term : terms) {
    if (text.empty()) text = format_number(term.coefficient);
    else text += (term.coefficient < 0 ? " - " : " + ") + format_number(std::abs(term.coefficient));
    for (std::size_t k = 0; k < term.growths.size(); ++k)
      if (!term.growths[k].is_constant()) text += " " + term.growths[k].text(parameters[k]);
  }
  return text;
}

double symmetric_error(double predicted, double measured) {
  const double size = std::abs(predicted) + std::abs(measured);
  return size > 0 ? 200 * std::abs(predicted - measured) / size : 0;
}

double adjusted_r2(double rss, double total, std::size_t points, std::size_t factors) {
  if (factors == 0) return 1;
  if (points <= factors + 1 || !(total > 0)) return 0;
  const double r2 = 1 - rss / total;
  return 1 - (1 - r2) * static_cast<double>(points - 1) / static_cast<double>(points - factors - 1);
}

double total_squares(std::span<const double> means) {
  const double mean = std::accumulate(means.begin(), means.end(), 0.0) / static_cast<double>(means.size());
  double total = 0;
  for (const double value : means) total += (value - mean) * (value - mean);
  return total;
}

ModelFigures figures_of(const ScalingModel& model, const std::vector<MeasuredPoint>& points) {
  ModelFigures figures;
  std::vector<double> means;
  for (const MeasuredPoint& point : points) {
    const double measured = point.mean(), predicted = model.at(point.at);
    means.push_back(measured);
    figures.rss += (predicted - measured) * (predicted - measured);
    figures.smape += symmetric_error(predicted, measured);
  }
  figures.smape /= static_cast<double>(points.size());
  figures.adjusted_r2 = adjusted_r2(figures.rss, total_squares(means), points.size(), count_factors(model));
  return figures;
}

}  // namespace tarry
