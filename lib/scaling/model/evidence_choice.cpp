// evidence_choice.cpp -- our own choice of a model: by the evidence of all candidates.
#include "scaling/model/evidence_choice.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include "scaling/model/candidates.hpp"

namespace tarry {
namespace {

// Slopes in a plot of logarithms that count as the same growth.
constexpr double kSameSlope = 0.25;
// Candidates less likely than the best by this factor are not chosen, however many grow alike. A narrow window, as for
// models that are shown [Madigan, Raftery 1994: 20], would leave out those that stand for most of the probability.
constexpr double kOccamWindow = 1000;
// Less support than the most by this share is as good.
constexpr double kNearlyMostSupport = 0.99;
// Supported models that bands are made of.
constexpr double kSupportedShare = 1e-3;
constexpr std::size_t kMostSupported = 100;

using Slopes = std::array<double, kMostParameters>;

// A candidate and how it grows along each parameter.
struct Weighed {
  const Candidate* candidate = nullptr;
  double weight = 0;
  Slopes slopes{};
};

Slopes slopes_of(const Candidate& candidate, const std::vector<double>& largest) {
  Slopes slopes{};
  for (std::size_t k = 0; k < largest.size(); ++k) {
    Growth fastest;
    for (std::size_t t = 0; t < candidate.terms; ++t) {
      if (candidate.growths[t][k] == kNoGrowth) continue;
      const Growth& growth = all_growths()[candidate.growths[t][k]];
      if (fastest.is_constant() || grows_slower(fastest, growth)) fastest = growth;
    }
    slopes[k] = fastest.slope_beyond(largest[k]);
  }
  return slopes;
}

bool is_near(const Slopes& left, const Slopes& right) {
  for (std::size_t k = 0; k < left.size(); ++k)
    if (std::abs(left[k] - right[k]) > kSameSlope) return false;
  return true;
}

std::vector<Weighed> weigh_candidates(const std::vector<Candidate>& candidates, const std::vector<double>& largest) {
  double most = candidates[0].log_evidence, sum = 0;
  for (const Candidate& candidate : candidates) most = std::max(most, candidate.log_evidence);
  std::vector<Weighed> weighed;
  for (const Candidate& candidate : candidates) {
    const double weight = std::exp(candidate.log_evidence - most);
    sum += weight;
    if (weight > 1e-9) weighed.push_back({&candidate, weight, slopes_of(candidate, largest)});
  }
  for (Weighed& one : weighed) one.weight /= sum;
  std::stable_sort(weighed.begin(), weighed.end(),
                   [](const Weighed& left, const Weighed& right) { return left.weight > right.weight; });
  return weighed;
}

double support_of(const Weighed& one, const std::vector<Weighed>& all) {
  double support = 0;
  for (const Weighed& other : all)
    if (is_near(one.slopes, other.slopes)) support += other.weight;
  return support;
}

// What the values depend on: the structure with the most weight. With one parameter: whether they depend on it.
std::vector<Weighed> of_best_structure(const std::vector<Weighed>& all, bool is_one_parameter) {
  std::map<int, double> weights;
  const auto structure_of = [&](const Weighed& one) {
    return is_one_parameter ? one.candidate->terms > 0 : one.candidate->structure;
  };
  for (const Weighed& one : all) weights[structure_of(one)] += one.weight;
  const auto best = std::max_element(weights.begin(), weights.end(),
                                     [](const auto& left, const auto& right) { return left.second < right.second; });
  std::vector<Weighed> own;
  for (const Weighed& one : all)
    if (structure_of(one) == best->first) own.push_back(one);
  return own;
}

// Among the likely ones of the structure, the one whose growth has the most support. Of several whose support is nearly
// the same, the most likely one.
const Weighed& choose(const std::vector<Weighed>& own, const std::vector<Weighed>& all) {
  std::vector<double> supports;
  for (const Weighed& one : own) {
    if (one.weight * kOccamWindow < own[0].weight) break;
    supports.push_back(support_of(one, all));
  }
  const double enough = kNearlyMostSupport * *std::max_element(supports.begin(), supports.end());
  return own[std::find_if(supports.begin(), supports.end(), [&](double support) { return support >= enough; }) -
             supports.begin()];
}

SupportedModel supported_model(const Weighed& one, CandidateFits& fits, const WeightedValues& values) {
  SupportedModel supported{.model = {}, .fit = *fits.fit(*one.candidate), .weight = one.weight};
  supported.model = fits.model(*one.candidate, supported.fit);
  supported.has_constant = one.candidate->has_constant;
  supported.freedom = static_cast<double>(values.observations - supported.fit.columns);
  supported.variance = (supported.fit.remainder + values.within) / std::max(supported.freedom, 1.0);
  return supported;
}

}  // namespace

std::optional<EvidenceChoice> evidence_choice(const std::vector<MeasuredPoint>& points) {
  if (points.empty()) return std::nullopt;
  std::vector<double> largest;
  for (std::size_t k = 0; k < points[0].at.size(); ++k) {
    if (longest_line(points, k).at.size() < kLeastPoints) return std::nullopt;
    largest.push_back(largest_of(points, k));
  }
  const WeightedValues values = weigh(points);
  CandidateFits fits(points, values);
  const std::vector<Candidate> candidates = all_candidates(points, fits);
  if (candidates.empty()) return std::nullopt;
  const std::vector<Weighed> all = weigh_candidates(candidates, largest);
  const Weighed chosen = choose(of_best_structure(all, largest.size() == 1), all);
  EvidenceChoice choice{.model = fits.model(*chosen.candidate, *fits.fit(*chosen.candidate)), .supported = {}};
  choice.model.figures = figures_of(choice.model, points);
  choice.support = support_of(chosen, all);
  for (const Weighed& one : all) {
    if (one.weight < kSupportedShare * all[0].weight || choice.supported.size() == kMostSupported) break;
    choice.supported.push_back(supported_model(one, fits, values));
  }
  return choice;
}

}  // namespace tarry
