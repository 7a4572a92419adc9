// region_filter_test.cpp -- filter files as users and Score-P write them.
#include "defs/region_filter.hpp"

#include <gtest/gtest.h>

namespace tarry {
namespace {

RegionFilter parse(std::string_view text) {
  auto filter = RegionFilter::parse("f", text);
  EXPECT_TRUE(filter.ok()) << filter.error().text();
  return filter.ok() ? std::move(filter).value() : RegionFilter();
}

std::string complaint(std::string_view text) {
  const auto filter = RegionFilter::parse("f", text);
  return filter.ok() ? "" : filter.error().text();
}

TEST(RegionFilter, LastMatchWins) {
  const RegionFilter filter = parse(
      "SCOREP_REGION_NAMES_BEGIN\n  EXCLUDE\n    *\n  INCLUDE bar foo\n          baz\n          main\n  EXCLUDE ba*\n  "
      "INCLUDE bar\n"
      "SCOREP_REGION_NAMES_END\n");
  EXPECT_TRUE(filter.includes("main", "", ""));
  EXPECT_TRUE(filter.includes("bar", "", ""));
  EXPECT_FALSE(filter.includes("baz", "", ""));
  EXPECT_FALSE(filter.includes("other", "", ""));
}

TEST(RegionFilter, NameAndFileBothDecide) {
  const RegionFilter filter = parse(
      "SCOREP_FILE_NAMES_BEGIN EXCLUDE */foo/bar* INCLUDE */filter_test.c SCOREP_FILE_NAMES_END\n"
      "SCOREP_REGION_NAMES_BEGIN EXCLUDE tiny INCLUDE main SCOREP_REGION_NAMES_END");
  EXPECT_TRUE(filter.includes("main", "", "/src/a.c"));
  EXPECT_FALSE(filter.includes("main", "", "/src/foo/bar.c"));
  EXPECT_TRUE(filter.includes("main", "", "/src/foo/bar/filter_test.c"));
  EXPECT_FALSE(filter.includes("tiny", "", "/src/a.c"));
  EXPECT_TRUE(filter.has_file_rules());
}

TEST(RegionFilter, MangledRulesLookAtTheLinkerName) {
  const RegionFilter filter = parse(
      "SCOREP_REGION_NAMES_BEGIN EXCLUDE\n MANGLED _Z3fooi MANGLED bar_ INCLUDE foo(long) SCOREP_REGION_NAMES_END");
  EXPECT_FALSE(filter.includes("foo(int)", "_Z3fooi", ""));
  EXPECT_TRUE(filter.includes("_Z3fooi", "foo", ""));
  EXPECT_FALSE(filter.includes("bar", "bar_", ""));
  EXPECT_FALSE(filter.includes("bar_", "", ""));
}

TEST(RegionFilter, DemangledRulesLookAtTheNameOfTheSourceAgain) {
  const RegionFilter filter = parse(
      "SCOREP_REGION_NAMES_BEGIN EXCLUDE MANGLED _Z3fooi DEMANGLED bar* INCLUDE DEMANGLED bar(int) "
      "SCOREP_REGION_NAMES_END");
  EXPECT_FALSE(filter.includes("foo(int)", "_Z3fooi", ""));
  EXPECT_FALSE(filter.includes("bar(long)", "_Z3barl", ""));
  EXPECT_TRUE(filter.includes("bar(int)", "_Z3bari", ""));
  EXPECT_TRUE(filter.includes("DEMANGLED", "", ""));
  EXPECT_EQ(filter.rules().size(), 3u);
}

TEST(RegionFilter, NamesMatchWithTheirResultTypeAndWithout) {
  const RegionFilter filter = parse(
      "SCOREP_REGION_NAMES_BEGIN EXCLUDE Eigen::internal::* "
      "SCOREP_REGION_NAMES_END");
  EXPECT_FALSE(filter.includes("void Eigen::internal::scale<int>(int)", "", ""));
  EXPECT_FALSE(filter.includes("Eigen::Matrix<double, 2, 1>& Eigen::internal::scale<int>(int)", "", ""));
  EXPECT_FALSE(filter.includes("Eigen::internal::check(int)", "", ""));
  EXPECT_FALSE(filter.includes("bool Eigen::internal::operator==<int>(int, int)", "", ""));
  EXPECT_TRUE(filter.includes("void use(Eigen::internal::Tag)", "", ""));
  EXPECT_TRUE(filter.includes("void use<int (*)(Eigen::internal::Tag)>()", "", ""));
  EXPECT_FALSE(parse("SCOREP_REGION_NAMES_BEGIN EXCLUDE (anonymous\\ namespace)::* SCOREP_REGION_NAMES_END")
                   .includes("int (anonymous namespace)::f<int>(int)", "", ""));
}

TEST(RegionFilter, CommentsAndEscapes) {
  const RegionFilter filter = parse(
      "# type=USR max_buf= 1,024 name='x'\nSCOREP_REGION_NAMES_BEGIN # here\nEXCLUDE foo(int,\\ char) a\\#b # EXCLUDE "
      "main\n"
      "\\MANGLED\nSCOREP_REGION_NAMES_END");
  EXPECT_FALSE(filter.includes("foo(int, char)", "", ""));
  EXPECT_FALSE(filter.includes("a#b", "", ""));
  EXPECT_FALSE(filter.includes("MANGLED", "", ""));
  EXPECT_TRUE(filter.includes("main", "", ""));
  EXPECT_EQ(filter.rules().size(), 3u);
}

TEST(RegionFilter, ScalascaListExcludesItsLines) {
  const RegionFilter filter = parse("# small ones\nbinvcrhs_\nmatmul_*\n\nfoo(int, char)\n");
  EXPECT_FALSE(filter.includes("binvcrhs_", "", ""));
  EXPECT_FALSE(filter.includes("matmul_sub", "", ""));
  EXPECT_FALSE(filter.includes("foo(int, char)", "", ""));
  EXPECT_TRUE(filter.includes("main", "", ""));
}

TEST(RegionFilter, EmptyFileIncludesAll) { EXPECT_TRUE(parse("\n# nothing\n").is_empty()); }

TEST(RegionFilter, SaysWhatIsWrongAndWhere) {
  EXPECT_EQ(
      complaint("EXCLUDE foo"),
      "f:1: 'EXCLUDE' is outside of a block (blocks begin with SCOREP_REGION_NAMES_BEGIN or SCOREP_FILE_NAMES_BEGIN)");
  EXPECT_EQ(complaint("SCOREP_REGION_NAMES_BEGIN\n\nfoo"),
            "f:3: 'foo' is before any rule (write INCLUDE or EXCLUDE in front of it)");
  EXPECT_EQ(complaint("SCOREP_FILE_NAMES_BEGIN EXCLUDE a"),
            "f: SCOREP_FILE_NAMES_BEGIN has no end (add SCOREP_FILE_NAMES_END)");
  EXPECT_EQ(complaint("SCOREP_REGION_NAMES_BEGIN EXCLUDE a\nSCOREP_FILE_NAMES_END"),
            "f:2: 'SCOREP_FILE_NAMES_END' is inside another block (end that one with SCOREP_REGION_NAMES_END)");
}

// Rules of functions say nothing of a library's calls, nor do those of files.
TEST(RegionFilter, CallsOfALibraryHaveRulesOfTheirOwn) {
  const RegionFilter filter = parse(
      "SCOREP_REGION_NAMES_BEGIN EXCLUDE * MPI_* INCLUDE MPI_B* M* EXCLUDE MPI_Bcast SCOREP_REGION_NAMES_END "
      "SCOREP_FILE_NAMES_BEGIN EXCLUDE * SCOREP_FILE_NAMES_END");
  EXPECT_FALSE(filter.includes_call("MPI_Send", "MPI_"));
  EXPECT_TRUE(filter.includes_call("MPI_Barrier", "MPI_"));
  EXPECT_FALSE(filter.includes_call("MPI_Bcast", "MPI_"));
  EXPECT_TRUE(filter.includes_call("pthread_join", "pthread_"));
}

TEST(RegionFilter, WordMatchesJustItsName) {
  for (const char* name :
       {"foo(int, char)", "operator[]", "a*b", "x#y", "back\\slash", "MANGLED", "DEMANGLED", "INCLUDE", "SCOREP_X"}) {
    const RegionFilter filter =
        parse("SCOREP_REGION_NAMES_BEGIN EXCLUDE " + filter_word(name) + " SCOREP_REGION_NAMES_END");
    ASSERT_EQ(filter.rules().size(), 1u) << name;
    EXPECT_FALSE(filter.includes(name, "", "")) << name;
    EXPECT_TRUE(filter.includes("ab", "", "")) << name;
  }
}

}  // namespace
}  // namespace tarry
