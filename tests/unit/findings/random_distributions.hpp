// random_distributions.hpp -- distributions of work over processes that are built to be of a kind, with noise.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <random>
#include <string>
#include <vector>

#include "findings/imbalance/imbalance_kind.hpp"

namespace tarry {

/// What was built, and what it must be called.
struct BuiltDistribution {
  std::string what;  // for messages
  ImbalanceShape shape = ImbalanceShape::kUnclear;
  bool is_mixture = false;            // several kinds at once: unclear is right, too
  std::vector<std::size_t> minority;  // ascending
  std::vector<double> values;
};

/// Draws them one after the other. Steps between groups are `clearness` times the noise or more. Noise is given as the
/// half width that holds 95 % of the processes: two standard deviations.
class DistributionMaker {
 public:
  DistributionMaker(std::uint64_t seed, double clearness) : random_(seed), clearness_(clearness) {}

  BuiltDistribution next() {
    processes_ = static_cast<std::size_t>(std::lround(std::exp2(uniform(2, 12))));  // 4 to 4096
    base_ = std::exp(uniform(-7, 7));
    const double step = log_uniform(0.05, 1);
    const double noise = log_uniform(0.005, std::clamp(step / clearness_, 0.0050001, 0.05));
    switch (count_++ % 8) {
      case 0: return finish("balanced", ImbalanceShape::kBalanced, flat(), log_uniform(0.005, 0.05));
      case 1: return minority(step, noise);
      case 2: return minority(-step / (1 + step), noise);
      case 3: return clusters(step, noise);
      case 4: return spread("linear", [this](std::size_t i) { return double(i) / double(processes_ - 1); });
      case 5: return spread("uniform", [this](std::size_t) { return uniform(0, 1); });
      case 6: return spread("normal", [this](std::size_t) { return 0.5 + normal() * 0.2; });
      default: return mixture(step, noise);
    }
  }

 private:
  double uniform(double low, double high) { return std::uniform_real_distribution<>(low, high)(random_); }
  double log_uniform(double low, double high) { return std::exp(uniform(std::log(low), std::log(high))); }
  double normal() { return std::clamp(std::normal_distribution<>()(random_), -3.0, 3.0); }
  std::size_t number(std::size_t low, std::size_t high) {
    return std::uniform_int_distribution<std::size_t>(low, high)(random_);
  }

  std::vector<double> flat() const { return std::vector<double>(processes_, 1); }

  // 1 % to 25 % of the processes, at least one.
  std::vector<std::size_t> some_processes() {
    const auto most = processes_ / 4;
    const auto wanted = static_cast<std::size_t>(log_uniform(0.01, 0.25) * double(processes_));
    std::vector<std::size_t> all(processes_);
    for (std::size_t i = 0; i < processes_; ++i) all[i] = i;
    std::shuffle(all.begin(), all.end(), random_);
    all.resize(std::clamp<std::size_t>(wanted, 1, most));
    std::sort(all.begin(), all.end());
    return all;
  }

  BuiltDistribution finish(std::string what, ImbalanceShape shape, std::vector<double> work, double noise) {
    BuiltDistribution built{std::move(what), shape, false, {}, std::move(work)};
    built.what += " of " + std::to_string(processes_) + ", noise " + std::to_string(noise);
    for (double& value : built.values) value *= base_ * (1 + normal() * noise / 2);
    return built;
  }

  BuiltDistribution minority(double step, double noise) {
    const std::vector<std::size_t> members = some_processes();
    std::vector<double> work = flat();
    for (const std::size_t member : members) work[member] += step;
    const auto shape = step > 0 ? ImbalanceShape::kOverloadedMinority : ImbalanceShape::kUnderloadedMinority;
    BuiltDistribution built = finish("minority of " + std::to_string(members.size()) + " by " + std::to_string(step),
                                     shape, std::move(work), noise);
    built.minority = members;
    return built;
  }

  // Groups of about the same size: none has three quarters of all.
  BuiltDistribution clusters(double step, double noise) {
    const std::size_t groups = number(2, std::min<std::size_t>(4, processes_ / 2));
    std::vector<double> work;
    double level = 1;
    for (std::size_t i = 0, group = 0; i < processes_; ++i) {
      if (i * groups >= (group + 1) * processes_) {
        ++group;
        level *= 1 + step * uniform(1, 2);
      }
      work.push_back(level);
    }
    std::shuffle(work.begin(), work.end(), random_);
    return finish(std::to_string(groups) + " clusters by " + std::to_string(step), ImbalanceShape::kClusters,
                  std::move(work), noise);
  }

  // What is built decides whether it is a spread or as good as balanced: what is near the border is not built.
  template <class Position>
  BuiltDistribution spread(std::string what, Position position) {
    for (;;) {
      const double width = log_uniform(0.05, 1);
      std::vector<double> work;
      double sum = 0, squares = 0;
      for (std::size_t i = 0; i < processes_; ++i) {
        work.push_back(1 + width * std::max(position(i), 0.0));
        sum += work.back();
      }
      const double mean = sum / double(processes_);
      for (const double value : work) squares += (value - mean) * (value - mean);
      const double relative = std::sqrt(squares / double(processes_ - 1)) / mean;
      if (relative > 0.02 && relative < 0.055) continue;
      const auto shape = relative < 0.04 ? ImbalanceShape::kBalanced : ImbalanceShape::kSpread;
      return finish(what + " spread by " + std::to_string(width), shape, std::move(work), log_uniform(0.005, 0.02));
    }
  }

  // A minority among processes that are spread anyway, above and below: it may be called what it is, or unclear.
  BuiltDistribution mixture(double step, double noise) {
    BuiltDistribution built = minority(step, noise);
    const double width = log_uniform(0.05, 1);
    for (double& value : built.values) value *= 1 + width * uniform(0, 1);
    built.what = "spread by " + std::to_string(width) + " and " + built.what;
    built.is_mixture = true;
    return built;
  }

  std::mt19937_64 random_;
  double clearness_;
  std::size_t processes_ = 0;
  double base_ = 1;
  std::uint64_t count_ = 0;
};

}  // namespace tarry
