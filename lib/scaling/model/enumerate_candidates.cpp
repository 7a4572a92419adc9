// enumerate_candidates.cpp -- which models are compared, and how likely each is before anything is measured.
#include <algorithm>
#include <bit>
#include <cmath>
#include <numeric>
#include <utility>

#include "scaling/model/candidates.hpp"
#include "scaling/model/term_families.hpp"

namespace tarry {
namespace {

// Shares of the prior. Most values do not depend on most parameters; most that do have one term that counts.
constexpr double kConstantPrior = 0.6;
constexpr double kTwoTermShare = 0.9;           // of models of one parameter: most costs are sums
constexpr double kTwoTermShareOfSeveral = 0.3;  // the same where other parameters may explain what a term leaves

// Two terms, the constant, and two points to tell whether they fit.
constexpr std::size_t kLeastPointsOfTwoTerms = 5;

// Growths of each parameter that models of three and more are made of.
constexpr std::size_t kShortList[kMostParameters + 1] = {0, 0, 0, 6, 3};

// Algorithms have simple exponents more often than odd ones, and few costs grow faster than linearly. This decides
// where a sum and an odd exponent fit alike: it is more often the sum.
double growth_weight(const Growth& growth) {
  static constexpr double kByDenominator[] = {0, 1, 0.5, 0.06, 0.04, 0.03};
  static constexpr double kByLog[] = {1, 0.6, 0.02};
  const double power = growth.power.value();
  const double size = power > 2 ? 0.05 : power > 1 ? 0.12 : 1;
  return kByDenominator[growth.power.denominator] * kByLog[growth.log] * size;
}

const std::vector<double>& log_growth_priors() {
  static const std::vector<double> kPriors = [] {
    std::vector<double> weights;
    for (const Growth& growth : all_growths()) weights.push_back(growth_weight(growth));
    const double sum = std::accumulate(weights.begin(), weights.end(), 0.0);
    for (double& weight : weights) weight = std::log(weight / sum);
    return weights;
  }();
  return kPriors;
}

TermGrowths no_growths() {
  TermGrowths none;
  none.fill(kNoGrowth);
  return none;
}

// Growths of a parameter that are worth trying in products with others.
using GrowthList = std::vector<std::uint8_t>;

GrowthList whole_list() {
  GrowthList list(all_growths().size());
  std::iota(list.begin(), list.end(), std::uint8_t{0});
  return list;
}

class Enumeration {
 public:
  Enumeration(const std::vector<MeasuredPoint>& points, CandidateFits& fits) : points_(points), fits_(fits) {}

  std::vector<Candidate> run() {
    const std::size_t parameters = fits_.parameters();
    add({}, std::log(kConstantPrior));
    // Half of what is left goes to single parameters, half to all together.
    const double alone = (1 - kConstantPrior) * (parameters == 1 ? 1.0 : 0.5 / static_cast<double>(parameters));
    two_term_share_ = parameters == 1 ? kTwoTermShare : kTwoTermShareOfSeveral;
    for (std::size_t k = 0; k < parameters; ++k) add_one_parameter(k, alone);
    if (parameters > 1) add_families((1 - kConstantPrior) / 2);
    return std::move(candidates_);
  }

 private:
  void add(Candidate candidate, double log_prior) {
    candidate.structure = structure_;
    fits_.judge(candidate, log_prior);
    if (std::isfinite(candidate.log_evidence)) candidates_.push_back(candidate);
  }

  void add_one_parameter(std::size_t parameter, double prior) {
    const auto& priors = log_growth_priors();
    const std::size_t growths = priors.size();
    Candidate candidate;
    candidate.growths.fill(no_growths());
    candidate.terms = 1;
    ++structure_;
    for (std::size_t a = 0; a < growths; ++a) {
      candidate.growths[0][parameter] = static_cast<std::uint8_t>(a);
      add(candidate, std::log(prior * (1 - two_term_share_)) + priors[a]);
    }
    if (longest_line(points_, parameter).at.size() < kLeastPointsOfTwoTerms) return;
    candidate.terms = 2;
    ++structure_;
    for (std::size_t a = 0; a < growths; ++a) {
      for (std::size_t b = a + 1; b < growths; ++b) {
        if (all_growths()[a].falls() && all_growths()[b].falls()) continue;
        candidate.growths[0][parameter] = static_cast<std::uint8_t>(a);
        candidate.growths[1][parameter] = static_cast<std::uint8_t>(b);
        add(candidate, std::log(2 * prior * two_term_share_) + priors[a] + priors[b]);
      }
    }
  }

  // Models of two parameters or more: those of each choice of parameters have the same share of the prior.
  void add_families(double prior) {
    const std::size_t parameters = fits_.parameters();
    for (std::size_t k = 0; k < parameters; ++k) lists_.push_back(parameters == 2 ? whole_list() : short_list(k));
    const std::size_t choices = (std::size_t{1} << parameters) - 1 - parameters;
    for (unsigned set = 1; set >> parameters == 0; ++set)
      if (std::popcount(set) > 1) add_families_of(set, prior / static_cast<double>(choices));
  }

  void add_families_of(unsigned set, double prior) {
    std::vector<std::size_t> chosen;
    for (std::size_t k = 0; k < fits_.parameters(); ++k)
      if (set >> k & 1) chosen.push_back(k);
    const auto families = covering_families(chosen.size());
    double weights = 0;
    for (const TermFamily& family : families) weights += family_weight(family);
    for (const TermFamily& family : families) {
      ++structure_;
      add_family(family, chosen, std::log(prior * family_weight(family) / weights));
    }
  }

  static double family_weight(const TermFamily& family) {
    return std::pow(0.5, static_cast<double>(family.size() - 1));
  }

  // All growths of the chosen parameters, one after the other as a counter counts.
  void add_family(const TermFamily& family, const std::vector<std::size_t>& chosen, double log_prior) {
    std::vector<std::size_t> digits(chosen.size(), 0);
    Candidate candidate;
    candidate.growths.fill(no_growths());
    candidate.terms = static_cast<std::uint8_t>(family.size());
    for (std::size_t k = 0; k < digits.size();) {
      double log_growths = 0;
      for (std::size_t i = 0; i < chosen.size(); ++i) {
        const std::uint8_t growth = lists_[chosen[i]][digits[i]];
        log_growths += log_growth_priors()[growth];
        for (std::size_t t = 0; t < family.size(); ++t)
          if (family[t] >> i & 1) candidate.growths[t][chosen[i]] = growth;
      }
      add(candidate, log_prior + log_growths);
      for (k = 0; k < digits.size() && ++digits[k] == lists_[chosen[k]].size(); ++k) digits[k] = 0;
    }
  }

  // The growths that explain the longest lines of a parameter best.
  GrowthList short_list(std::size_t parameter) const {
    const ParameterLine line = longest_line(points_, parameter);
    std::vector<MeasuredPoint> points;
    for (std::size_t i = 0; i < line.at.size(); ++i) points.push_back({{line.at[i]}, {line.values[i]}});
    const WeightedValues values = weigh(points);
    CandidateFits fits(points, values);
    std::vector<std::pair<double, std::uint8_t>> ranked;
    for (const std::uint8_t growth : whole_list()) {
      Candidate candidate;
      candidate.growths.fill(no_growths());
      candidate.terms = 1;
      candidate.growths[0][0] = growth;
      fits.judge(candidate, log_growth_priors()[growth]);
      ranked.emplace_back(-candidate.log_evidence, growth);
    }
    std::sort(ranked.begin(), ranked.end());
    GrowthList list;
    for (std::size_t i = 0; i < kShortList[fits_.parameters()]; ++i) list.push_back(ranked[i].second);
    return list;
  }

  const std::vector<MeasuredPoint>& points_;
  CandidateFits& fits_;
  std::vector<GrowthList> lists_;  // [parameter]
  std::vector<Candidate> candidates_;
  double two_term_share_ = 0;
  std::uint8_t structure_ = 0;
};

}  // namespace

std::vector<Candidate> all_candidates(const std::vector<MeasuredPoint>& points, CandidateFits& fits) {
  return Enumeration(points, fits).run();
}

}  // namespace tarry
