// code_places_test.cpp -- this program's own functions, found again by their addresses.
#include "defs/code_places.hpp"

#include <dlfcn.h>
#include <gtest/gtest.h>
#include <link.h>

#include <filesystem>

namespace tarry::code_places_test {

__attribute__((noinline)) int wanted_function(int value) { return value + 1; }

namespace {

TEST(CodePlaces, NameFileAndLine) {
  Dl_info info;
  link_map* map = nullptr;
  const auto address = reinterpret_cast<void*>(&wanted_function);
  ASSERT_TRUE(::dladdr1(address, &info, reinterpret_cast<void**>(&map), RTLD_DL_LINKMAP));
  const std::string self = std::filesystem::read_symlink("/proc/self/exe");
  CodePlaces places;
  ASSERT_TRUE(places.can_look_up());
  const CodePlace place = places.find(self, reinterpret_cast<std::uintptr_t>(address) - map->l_addr);
  EXPECT_EQ(place.name, "tarry::code_places_test::wanted_function(int)");
  EXPECT_EQ(place.mangled_name, "_ZN5tarry16code_places_test15wanted_functionEi");
  EXPECT_TRUE(place.file.ends_with("code_places_test.cpp")) << place.file;
  EXPECT_EQ(place.line, 12u);
}

std::uintptr_t g_return_address = 0;

[[gnu::noinline]] void note_return_address() {
  g_return_address = reinterpret_cast<std::uintptr_t>(__builtin_return_address(0));
}

[[gnu::always_inline]] inline void inner_function() {
  note_return_address();  // line 38
  __asm__ volatile("");
}

[[gnu::always_inline]] inline void outer_function() {
  inner_function();  // line 43
}

[[gnu::noinline]] void calls_inlined_functions() {
  outer_function();  // line 47
}

TEST(CodePlaces, InlinedFunctionsOutermostFirst) {
  calls_inlined_functions();
  Dl_info info;
  link_map* map = nullptr;
  ASSERT_TRUE(
      ::dladdr1(reinterpret_cast<void*>(g_return_address), &info, reinterpret_cast<void**>(&map), RTLD_DL_LINKMAP));
  const std::string self = std::filesystem::read_symlink("/proc/self/exe");
  CodePlaces places;
  const std::uint64_t call = g_return_address - 1 - map->l_addr;
  const std::vector<InlinedCall> calls = places.find_inlined(self, call);
  ASSERT_EQ(calls.size(), 2u);
  EXPECT_NE(calls[0].function.name.find("outer_function"), std::string::npos) << calls[0].function.name;
  EXPECT_NE(calls[1].function.name.find("inner_function"), std::string::npos) << calls[1].function.name;
  EXPECT_TRUE(calls[1].call_file.ends_with("code_places_test.cpp")) << calls[1].call_file;
  EXPECT_EQ(calls[0].call_line, 47u);
  EXPECT_EQ(calls[1].call_line, 43u);
  EXPECT_EQ(places.find_line(self, call).line, 38u);
}

TEST(CodePlaces, WhatIsNotThereHasNoInlinedFunctions) {
  CodePlaces places;
  EXPECT_TRUE(places.find_inlined("/nowhere/app", 0x1139).empty());
  EXPECT_TRUE(places.find_inlined("/proc/self/status", 16).empty());
  EXPECT_TRUE(places.find_inlined(std::filesystem::read_symlink("/proc/self/exe"), ~std::uint64_t{0}).empty());
}

TEST(CodePlaces, WhatIsUnknownIsAnAddress) {
  CodePlaces places;
  EXPECT_EQ(places.find("/nowhere/app", 0x1139).name, "app+0x1139");
  EXPECT_EQ(places.find("/proc/self/status", 16).name, "status+0x10");
}

TEST(CodePlaces, CopiesAndPartsHaveTheNameOfTheFunction) {
  EXPECT_EQ(without_clone_suffix("f.cold"), "f");
  EXPECT_EQ(without_clone_suffix("f.isra.0.constprop.12.cold"), "f");
  EXPECT_EQ(without_clone_suffix("_Z1fi.part.3"), "_Z1fi");
  EXPECT_EQ(without_clone_suffix("main._omp_fn.0"), "main._omp_fn.0");
  EXPECT_EQ(without_clone_suffix("f.7"), "f.7");
  EXPECT_EQ(without_clone_suffix(".cold"), ".cold");
}

TEST(CodePlaces, OnlyMangledNamesAreDemangled) {
  EXPECT_EQ(demangle("_Z3fooi"), "foo(int)");
  EXPECT_EQ(demangle("main"), "main");
  EXPECT_EQ(demangle("_Znonsense"), "_Znonsense");
  EXPECT_EQ(demangle("__heat_MOD_step"), "heat::step");
  EXPECT_EQ(demangle("___MOD_step"), "___MOD_step");
  EXPECT_EQ(demangle("a_MOD_step"), "a_MOD_step");
}

}  // namespace
}  // namespace tarry::code_places_test
