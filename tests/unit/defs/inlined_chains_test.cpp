// inlined_chains_test.cpp -- which inlined functions are between a function and what it calls.
#include "defs/inlined_chains.hpp"

#include <gtest/gtest.h>

namespace tarry {
namespace {

constexpr RegionId kMain{0}, kStep{1}, kExchange{2}, kSend{3}, kPhase{4}, kParallel{5};
constexpr RegionId kStepHere{6}, kExchangeHere{7}, kSendHere{8};

// main() calls MPI_Send, in exchange(), which is inlined in step(), which is inlined in main().
struct ChainDefinitions : Definitions {
  ChainDefinitions() {
    add("main", Paradigm::kCompiler), add("step", Paradigm::kCompiler), add("exchange", Paradigm::kCompiler);
    add("MPI_Send", Paradigm::kMpi), add("phase", Paradigm::kUser), add("parallel", Paradigm::kOpenMp);
    for (const RegionId base : {kStep, kExchange, kSend}) {
      Region region = regions[base.value];
      region.base = base;
      regions.push_back(region);
    }
    regions[kSendHere.value].inlined_in = kExchangeHere;
    regions[kExchangeHere.value].inlined_in = kStepHere;
  }
  void add(const char* name, Paradigm paradigm) {
    Region region;
    region.name = region.mangled_name = strings.intern(name);
    region.paradigm = paradigm;
    regions.push_back(region);
  }
  std::vector<RegionId> between(RegionId parent, RegionId region) const {
    const InlinedChains chains(*this);
    const auto found = chains.between(parent, region);
    return {found.begin(), found.end()};
  }
};

TEST(InlinedChains, AreBetweenAFunctionAndWhatItCalls) {
  ChainDefinitions run;
  EXPECT_EQ(run.between(kMain, kSendHere), (std::vector{kStepHere, kExchangeHere}));
  run.regions[kParallel.value].role = RegionRole::kParallel;
  EXPECT_EQ(run.between(kParallel, kSendHere), (std::vector{kStepHere, kExchangeHere}));
  EXPECT_TRUE(run.between(kMain, kSend).empty());
}

TEST(InlinedChains, WhatHasHooksIsThereOnce) {
  const ChainDefinitions run;
  EXPECT_EQ(run.between(kStep, kSendHere), std::vector{kExchangeHere});
  EXPECT_TRUE(run.between(kExchange, kSendHere).empty());
}

TEST(InlinedChains, WhatIsAroundARegionIsNotInsideIt) {
  ChainDefinitions run;
  for (const RegionId region : {kPhase, kParallel}) {  // here it is a construct without a function of its own
    EXPECT_TRUE(run.between(region, kSendHere).empty()) << "where it is is not known";
    Region here = run.regions[region.value];
    here.base = region;
    run.regions.push_back(here);
    EXPECT_EQ(run.between(RegionId(run.regions.size() - 1), kSendHere), (std::vector{kStepHere, kExchangeHere}));
    run.regions.back().inlined_in = kStepHere;
    EXPECT_EQ(run.between(RegionId(run.regions.size() - 1), kSendHere), std::vector{kExchangeHere});
  }
}

TEST(InlinedChains, AreNotBelowRootsAndOtherRegions) {
  const ChainDefinitions run;
  EXPECT_TRUE(run.between(kSend, kSendHere).empty());
  EXPECT_TRUE(run.between(RegionId(), kSendHere).empty());
  EXPECT_TRUE(run.between(RegionId(1000), RegionId(2000)).empty());
}

TEST(InlinedChains, OfDamagedDefinitionsEnd) {
  ChainDefinitions run;
  run.regions[kStepHere.value].inlined_in = kExchangeHere;
  EXPECT_LE(run.between(kMain, kSendHere).size(), 64u);
  run.regions[kStepHere.value].inlined_in = RegionId(100);
  EXPECT_EQ(run.between(kMain, kSendHere).size(), 2u);
}

}  // namespace
}  // namespace tarry
