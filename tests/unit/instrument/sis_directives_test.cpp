// sis_directives_test.cpp -- directives of SCALEA become calls, and all other lines stay.
#include "sis_directives.hpp"

#include <gtest/gtest.h>

namespace tarry {
namespace {

SisSource replaced(const std::string& text, bool is_fixed = false) {
  return replace_sis_directives(text, "a.f90", is_fixed);
}

TEST(SisDirectives, AreFoundAtTheBeginOfALine) {
  EXPECT_TRUE(has_sis_directives("x = 1\n  !sis$ CR a BEGIN\n"));
  EXPECT_TRUE(has_sis_directives("CSIS$ END CR\n"));
  EXPECT_FALSE(has_sis_directives("x = 1 !SIS$ CR a BEGIN\n"));
  EXPECT_FALSE(has_sis_directives("  CSIS$ END CR\n! SIS$ CR a BEGIN\ncall sis\n"));
}

TEST(SisDirectives, BecomeRegions) {
  const SisSource made = replaced("!SIS$ CR outer BEGIN\nx = 1\n!SIS$ END CR\n");
  EXPECT_EQ(made.text,
            "#line 1 \"a.f90\"\n"
            "      call tarry_fortran_region_begin(&\n  'outer', 1)\n"
            "#line 2 \"a.f90\"\n"
            "x = 1\n"
            "      call tarry_fortran_region_end(&\n  'outer')\n"
            "#line 4 \"a.f90\"\n");
  EXPECT_TRUE(made.complaints.empty());
}

TEST(SisDirectives, FixedFormHasShortLines) {
  const std::string name(40, 'n');
  const SisSource made = replaced("CSIS$ CR " + name + " PMETRIC ODATA_SEND, ODATA_RECV BEGIN\nCSIS$ END CR\n", true);
  EXPECT_NE(made.text.find("      call tarry_fortran_region_overheads(\n     &'" + name +
                           "', \n     &'ODATA_SEND,ODATA_RECV', 1)\n"),
            std::string::npos)
      << made.text;
}

TEST(SisDirectives, MetricsThatAreNoOverheadsAreToldOf) {
  const SisSource made = replaced("!SIS$ CR comp_main, CR_A, CR_S PMETRIC WTIME, L2_TCM, OSYN BEGIN\n!SIS$ END CR\n");
  EXPECT_NE(made.text.find("region_overheads(&\n  'comp_main', &\n  'OSYN', 1)"), std::string::npos) << made.text;
  ASSERT_EQ(made.complaints.size(), 1u);
  EXPECT_TRUE(made.complaints[0].starts_with("1: L2_TCM is measured in a whole run")) << made.complaints[0];
}

TEST(SisDirectives, WithoutBeginNothingIsPutIn) {
  const SisSource made = replaced("!SIS$ CR PMETRIC ODATA_SEND, ODATA_COL\n!SIS$ CR CR_A\nx = 1\n");
  EXPECT_EQ(made.text.find("call"), std::string::npos);
  EXPECT_TRUE(made.complaints.empty());
}

TEST(SisDirectives, SwitchTheRecording) {
  const SisSource made = replaced("!SIS$ MEASURE DISABLE\n!SIS$ MEASURE ENABLE ! again\n");
  EXPECT_NE(made.text.find("tarry_fortran_recording_off"), std::string::npos);
  EXPECT_NE(made.text.find("tarry_fortran_recording_on"), std::string::npos);
}

TEST(SisDirectives, AreComplainedAboutWhereTheyMakeNoSense) {
  const SisSource made =
      replaced("!SIS$ END CR\n!SIS$ MEASURE PERHAPS\n!SIS$\n!SIS$ CR a'b BEGIN\n!SIS$ CR BEGIN\n!SIS$ NONSENSE x\n");
  std::vector<std::string> lines;
  for (const std::string& complaint : made.complaints) lines.push_back(complaint.substr(0, 2));
  EXPECT_EQ(lines, (std::vector<std::string>{"1:", "2:", "3:", "4:", "6:", "6:"})) << "the last one has no end";
  EXPECT_NE(made.text.find("'line 5', 5)"), std::string::npos);
}

}  // namespace
}  // namespace tarry
