// recorded_kinds_test.cpp -- our choice on 2,000 seeded cases of the kinds of tests/data/peer/models.tar.xz.
#include <gtest/gtest.h>

#include <iostream>
#include <map>

#include "scaling/model/evidence_choice.hpp"
#include "tests/unit/scaling/model_cases.hpp"

namespace tarry {
namespace {

constexpr int kCasesOfAKind = 10;
constexpr int kNoises[] = {0, 2, 5, 10};  // percent

struct Truth {
  const char* kind;
  ScalingModel model;
};

ScalingModel sum_of(double constant, std::vector<ModelTerm> terms) { return {constant, std::move(terms), {}}; }

const Growth kNone, kLog = growth(0, 1, 1), kRoot = growth(1, 2, 0), kLinear = growth(1, 1, 0);
const Growth kLinearLog = growth(1, 1, 1), kSquare = growth(2, 1, 0), kOdd = growth(2, 3, 1);

std::vector<Truth> truths_of_one() {
  return {{"constant", sum_of(42, {})},
          {"term", sum_of(5, {{3, {kLog}}})},
          {"term", sum_of(3, {{2, {kLinear}}})},
          {"term", sum_of(1, {{0.5, {kLinearLog}}})},
          {"term", sum_of(7, {{4, {kRoot}}})},
          {"term", sum_of(2, {{0.03, {kSquare}}})},
          {"term", sum_of(10, {{0.5, {kOdd}}})},
          {"two terms", sum_of(5, {{2, {kLog}}, {0.1, {kLinear}}})},
          {"two terms", sum_of(3, {{4, {kRoot}}, {0.002, {kSquare}}})},
          {"two terms", sum_of(8, {{0.2, {kLinear}}, {0.05, {kLinearLog}}})}};
}

std::vector<Truth> truths_of_two() {
  return {{"sum", sum_of(5, {{2, {kLog, kNone}}, {0.1, {kNone, kLinear}}})},
          {"sum", sum_of(3, {{0.5, {kLinear, kNone}}, {0.01, {kNone, kSquare}}})},
          {"sum", sum_of(2, {{3, {kRoot, kNone}}, {0.05, {kNone, kLinearLog}}})},
          {"product", sum_of(1, {{0.02, {kLinear, kLinear}}})},
          {"product", sum_of(2, {{0.05, {kLog, kLinear}}})},
          {"product", sum_of(10, {{0.01, {kRoot, kLinearLog}}})},
          {"product", sum_of(10, {{0.003, {kOdd, growth(3, 2, 0)}}})},
          {"mixed", sum_of(4, {{0.2, {kNone, kLinear}}, {0.02, {kLog, kLinear}}})},
          {"one of two", sum_of(6, {{0.03, {kNone, kLinearLog}}})},
          {"constant", sum_of(17, {})}};
}

// A grid of 25 places, or a cross of 11 of them.
Places places_of_two(bool is_grid) {
  Places places;
  for (const double p : {4, 8, 16, 32, 64})
    for (const double n : {10, 20, 30, 40, 50})
      if (is_grid || p == 4 || n == 10 || (p == 16 && n == 30) || (p == 64 && n == 50)) places.push_back({p, n});
  return places;
}

struct Tally {
  int cases = 0, near = 0, structures = 0;

  double near_share() const { return static_cast<double>(near) / cases; }
  double structure_share() const { return static_cast<double>(structures) / cases; }
};

using Tallies = std::map<std::string, std::map<int, Tally>>;  // by kind and noise

void try_cases(const std::vector<Truth>& truths, const std::vector<Places>& sets, std::mt19937_64& random,
               Tallies& tallies) {
  for (const Truth& truth : truths)
    for (const Places& places : sets)
      for (const int noise : kNoises)
        for (int i = 0; i < kCasesOfAKind; ++i) {
          const auto choice = evidence_choice(measure(truth.model, places, noise / 100.0, random));
          ASSERT_TRUE(choice);
          Tally& tally = tallies[truth.kind][noise];
          ++tally.cases;
          tally.near += is_leading_near(truth.model, choice->model, places);
          tally.structures += structure_of(choice->model) == structure_of(truth.model);
        }
}

TEST(RecordedKinds, AreFoundOftenEnough) {
  const auto seed = static_cast<unsigned>(GTEST_FLAG_GET(random_seed));
  std::mt19937_64 random(seed == 0 ? 2026 : seed);
  Tallies tallies;
  const std::vector<Places> lines = {line_of({4, 8, 16, 32, 64}), line_of({16, 32, 64, 128, 256, 512}),
                                     line_of({8, 12, 16, 24, 32, 48, 64})};
  try_cases(truths_of_one(), lines, random, tallies);
  try_cases(truths_of_two(), {places_of_two(true), places_of_two(false)}, random, tallies);
  int cases = 0;
  for (const auto& [kind, by_noise] : tallies) {
    for (const auto& [noise, tally] : by_noise) {
      std::cout << kind << ", " << noise << "%: near " << 100 * tally.near_share() << "%, structure "
                << 100 * tally.structure_share() << "% of " << tally.cases << "\n";
      cases += tally.cases;
    }
  }
  EXPECT_EQ(cases, 2000);
  const std::map<int, double> near = {{0, 1}, {2, 0.99}, {5, 0.99}, {10, 0.96}};
  const std::map<int, double> structure = {{0, 1}, {2, 0.8}, {5, 0.6}, {10, 0.4}};
  for (const int noise : kNoises) {
    EXPECT_GE(tallies["constant"][noise].structure_share(), 0.95) << noise;
    EXPECT_GE(tallies["term"][noise].near_share(), near.at(noise)) << noise;
    EXPECT_GE(tallies["two terms"][noise].near_share(), 0.6) << noise;
    EXPECT_GE(tallies["product"][noise].near_share(), near.at(noise) - 0.05) << noise;
    EXPECT_GE(tallies["product"][noise].structure_share(), structure.at(noise)) << noise;
  }
}

}  // namespace
}  // namespace tarry
