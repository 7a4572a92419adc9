// environment_test.cpp -- preloading, and the two ways to ranks on other nodes.
#include "tools/measure/environment.hpp"

#include <gtest/gtest.h>
#include <stdlib.h>

#include <filesystem>
#include <fstream>

namespace tarry {
namespace {

const std::string kAgent = "OMPI_MCA_orte_launch_agent";
const std::string kList = "OMPI_MCA_mca_base_env_list";

Environment example() { return {"HOME=/home/u", "TARRY_ARCHIVE=/data/run", "LD_PRELOAD=/lib/tarry.so"}; }

TEST(Environment, ValuesAreReplaced) {
  Environment environment{"A=1", "AB=2", "A_=3"};
  set_variable(environment, "A", "4");
  EXPECT_EQ(value_of(environment, "A"), "4");
  EXPECT_EQ(environment.size(), 3u);
  EXPECT_EQ(value_of(environment, "B"), "");
}

TEST(Environment, OurLibraryIsPreloadedBeforeTheUsers) {
  Environment environment{"LD_PRELOAD=/usr/lib/jemalloc.so"};
  ASSERT_TRUE(preload(environment, "/opt/libtarry-mpi.so").ok());
  EXPECT_EQ(value_of(environment, "LD_PRELOAD"), "/opt/libtarry-mpi.so:/usr/lib/jemalloc.so");
  EXPECT_FALSE(preload(environment, "/opt/my tools/libtarry-mpi.so").ok());
}

TEST(Environment, CudasDriverLoadsOneTool) {
  Environment environment = {"A=1"};
  EXPECT_TRUE(add_cuda_library(environment, "/lib/libtarry-cuda.so"));
  EXPECT_EQ(value_of(environment, "CUDA_INJECTION64_PATH"), "/lib/libtarry-cuda.so");
  EXPECT_TRUE(add_cuda_library(environment, "/lib/libtarry-cuda.so"));
  environment = {"CUDA_INJECTION64_PATH=/other.so"};
  EXPECT_FALSE(add_cuda_library(environment, "/lib/libtarry-cuda.so"));
  EXPECT_EQ(value_of(environment, "CUDA_INJECTION64_PATH"), "/other.so");
}

TEST(Environment, InterfacesOfAnnotationsLoadOneLibrary) {
  const std::string library = "/lib/libtarry-annotations.so";
  Environment environment = {"A=1"};
  EXPECT_TRUE(add_annotations_library(environment, library, "nvtx,kokkos", {"./app"}).empty());
  EXPECT_EQ(value_of(environment, "NVTX_INJECTION64_PATH"), library);
  EXPECT_EQ(value_of(environment, "KOKKOS_TOOLS_LIBS"), library);
  EXPECT_EQ(value_of(environment, "KOKKOS_PROFILE_LIBRARY"), "");
  EXPECT_EQ(value_of(environment, "INTEL_LIBITTNOTIFY64"), "");
  EXPECT_TRUE(add_annotations_library(environment, library, "nvtx,kokkos", {"./app"}).empty()) << "ours is no other";
}

TEST(Environment, FunctionsOfAnnotationsArePreloadedOnce) {
  Environment environment = {"LD_PRELOAD=/other.so"};
  const std::string library = "/lib/libtarry-annotations.so";
  EXPECT_TRUE(add_annotations_library(environment, library, "caliper,roctx,likwid,perfstubs", {"./app"}).empty());
  EXPECT_EQ(environment, Environment{"LD_PRELOAD=/other.so"}) << "they have no variables";
  ASSERT_TRUE(preload_for_annotations(environment, library, "nvtx,kokkos,itt").ok());
  EXPECT_EQ(value_of(environment, "LD_PRELOAD"), "/other.so");
  ASSERT_TRUE(preload_for_annotations(environment, library, "caliper,nvtx,roctx").ok());
  EXPECT_EQ(value_of(environment, "LD_PRELOAD"), "/lib/libtarry-preload-annotations.so:/other.so");
  environment = {};
  ASSERT_TRUE(preload_for_annotations(environment, library, "perfstubs").ok());
  EXPECT_EQ(value_of(environment, "LD_PRELOAD"), "/lib/libtarry-preload-perfstubs.so");
  EXPECT_FALSE(preload_for_annotations(environment, "/a b/libtarry-annotations.so", "likwid").ok());
}

TEST(Environment, TheUsersToolForAnnotationsStays) {
  const std::string library = "/lib/libtarry-annotations.so";
  using Names = std::vector<std::string>;
  Environment environment = {"NVTX_INJECTION64_PATH=/nsys.so", "KOKKOS_PROFILE_LIBRARY=/other.so"};
  EXPECT_EQ(add_annotations_library(environment, library, "nvtx,kokkos,itt", {"./app"}),
            (Names{"NVTX_INJECTION64_PATH", "KOKKOS_PROFILE_LIBRARY"}));
  EXPECT_EQ(value_of(environment, "NVTX_INJECTION64_PATH"), "/nsys.so");
  EXPECT_EQ(value_of(environment, "KOKKOS_TOOLS_LIBS"), "");
  environment = {};
  EXPECT_EQ(add_annotations_library(environment, library, "kokkos", {"mpirun", "./app", "--kokkos-tools-libs=x.so"}),
            (Names{"--kokkos-tools-libs=x.so"}));
  EXPECT_EQ(value_of(environment, "KOKKOS_TOOLS_LIBS"), "");
}

TEST(Environment, WithoutCudaTheWayOutIsNamed) {
  const auto found = find_cuda_library("/no/such/folder/libtarry-preload-mpi.so");
  ASSERT_FALSE(found.ok());
  EXPECT_NE(found.error().text().find("cupti.h was not found"), std::string::npos);
  EXPECT_NE(found.error().text().find("make CUDA="), std::string::npos);
}

TEST(Environment, RemoteRanksAreReachedThroughTheLaunchAgent) {
  Environment environment = example();
  EXPECT_EQ(forward_to_nodes(environment, {"mpirun", "-x", "OTHER", "./app"}), Forwarding::kLaunchAgent);
  EXPECT_EQ(value_of(environment, kAgent), "/usr/bin/env TARRY_ARCHIVE=/data/run LD_PRELOAD=/lib/tarry.so orted");
  EXPECT_EQ(value_of(environment, kList), "");
}

TEST(Environment, TheNewerDaemonHasAnAgentOfItsOwnWhereItIs) {
  const std::string newer = "PRTE_MCA_prte_launch_agent";
  std::string folder = ::testing::TempDir() + "agent-XXXXXX";
  ASSERT_TRUE(::mkdtemp(folder.data()));
  for (const char* const program : {"/mpirun", "/prted"}) {
    std::ofstream(folder + program) << "#!/bin/sh\n";
    std::filesystem::permissions(folder + program, std::filesystem::perms::owner_all);
  }
  Environment environment = example(), own = example();
  EXPECT_EQ(forward_to_nodes(environment, {folder + "/mpirun", "./app"}), Forwarding::kLaunchAgent);
  EXPECT_EQ(value_of(environment, newer), "/usr/bin/env TARRY_ARCHIVE=/data/run LD_PRELOAD=/lib/tarry.so prted");
  own.push_back(newer + "=/site/prted-wrapper");
  EXPECT_EQ(forward_to_nodes(own, {folder + "/mpirun", "./app"}), Forwarding::kVariableList);
  EXPECT_EQ(value_of(own, kAgent), "");
  std::filesystem::remove_all(folder);
}

TEST(Environment, TheUsersLaunchAgentIsKept) {
  Environment environment = example();
  environment.push_back(kAgent + "=/site/orted-wrapper");
  Environment listed = environment;
  EXPECT_EQ(forward_to_nodes(listed, {"mpirun", "./app"}), Forwarding::kVariableList);
  EXPECT_EQ(value_of(listed, kAgent), "/site/orted-wrapper");
  EXPECT_EQ(forward_to_nodes(environment, {"mpirun", "-x", "OTHER", "./app"}), Forwarding::kLaunchAgent);
  EXPECT_EQ(value_of(environment, kAgent),
            "/usr/bin/env TARRY_ARCHIVE=/data/run LD_PRELOAD=/lib/tarry.so /site/orted-wrapper");
}

TEST(Environment, AnAgentOnTheCommandLineOrABlankTakesTheVariableList) {
  Environment environment = example();
  environment.push_back(kList + "=MINE;YOURS=2");
  EXPECT_EQ(forward_to_nodes(environment, {"mpirun", "--launch-agent", "wrapper", "./app"}), Forwarding::kVariableList);
  EXPECT_EQ(value_of(environment, kList), "MINE;YOURS=2;TARRY_ARCHIVE;LD_PRELOAD");
  EXPECT_EQ(value_of(environment, kAgent), "");

  Environment blank{"TARRY_ARCHIVE=/my data/run"};
  EXPECT_EQ(forward_to_nodes(blank, {"mpirun", "./app"}), Forwarding::kVariableList);
  EXPECT_EQ(value_of(blank, kList), "TARRY_ARCHIVE");
}

TEST(Environment, WhatCannotBeCombinedIsSaid) {
  Environment environment{"TARRY_ARCHIVE=/my data/run"};
  EXPECT_EQ(forward_to_nodes(environment, {"mpirun", "-x", "OTHER", "./app"}), Forwarding::kNone);
  EXPECT_EQ(environment.size(), 1u);
  EXPECT_EQ(find_own_preload({"mpirun", "-x", "LD_PRELOAD=other.so", "./app"}), "");
  const std::string exported = "--export=ALL,LD_PRELOAD=other.so";
  EXPECT_EQ(find_own_preload({"srun", exported, "./app"}), exported);
  EXPECT_EQ(find_own_preload({"mpirun", "-x", "LD_PRELOAD", "./app"}), "");
}

}  // namespace
}  // namespace tarry
