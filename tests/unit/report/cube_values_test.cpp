// cube_values_test.cpp -- derived metrics: what CubePL programs give, and that none runs for ever.
#include "report/algebra/cube_values.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "tests/unit/report/sample_report.hpp"

namespace tarry {
namespace {

constexpr MetricId kDerived{4};

// The sample report with another derived metric.
struct Computed {
  Computed(const std::string& expression, const std::string& init = "", MetricKind kind = MetricKind::kPostDerived)
      : report(sample_report()) {
    ReportMetric& metric = report.structure.metrics[kDerived.value];
    metric.expression = expression;
    metric.init_expression = init;
    metric.kind = kind;
  }

  double at(std::uint32_t path, std::uint32_t location, Flavour flavour = Flavour::kExclusive) {
    CubeValues values(source);
    std::vector<double> row;
    values.row(kDerived, CallPathId(path), flavour, row);
    damage = values.damage();
    return row[location];
  }

  Report report;
  ReportCube source{report};
  std::vector<std::string> damage;
};

double number(const std::string& expression) { return Computed(expression).at(0, 0); }

TEST(CubePl, Arithmetic) {
  EXPECT_EQ(number("1 + 2 * 3 - 4 / 2"), 5);
  EXPECT_EQ(number("2 ^ 3 ^ 2"), 64);
  EXPECT_EQ(number("-2 ^ 2"), -4);
  EXPECT_EQ(number("|3 - 5| + max(1, 2) * min(3, 4) + sqrt(16) + floor(1.5) + sgn(-3)"), 2 + 6 + 4 + 1 - 1);
  EXPECT_EQ(number("0 / 0"), 0);
  EXPECT_TRUE(std::isnan(number("1 / 0")));
  EXPECT_EQ(number("sqrt(-1) + log(-1)"), 0);
}

TEST(CubePl, Programs) {
  EXPECT_EQ(number("{ ${s} = 0; ${i} = 1; while (${i} <= 4) { ${s} = ${s} + ${i}; ${i} = ${i} + 1; }; return ${s}; }"),
            10);
  EXPECT_EQ(number("{ if (1 > 2) { return 1; } elseif (2 >= 2) { return 2; } else { return 3; }; return 4; }"), 2);
  EXPECT_EQ(number("{ ${t} = \"Abc\"; if ((${t} seq \"aBC\") and not (${t} eq \"abc\")) { return 7; }; return 0; }"),
            7);
  EXPECT_EQ(
      number("{ if (\"MPI_Init_thread\" =~ /^MPI_(Init(_thread|ialized){0,1}|Finalize)$/) { return 1; }; return 0; }"),
      1);
  EXPECT_EQ(number("{ if (\"a/b\" =~ /^a\\/b$/) { return 1; }; return 0; }"), 1);
  EXPECT_EQ(number("{ ${a}[3] = 5; // remark\n return ${a}[3] + ${a}[2] + sizeof(${a}); }"), 9);
  EXPECT_EQ(number("\"2.5\" + 1"), 3.5);
}

TEST(CubePl, TheReport) {
  EXPECT_EQ(number("${cube::#callpaths} + 10 * ${cube::#locations}"), 36);
  EXPECT_EQ(Computed("${calculation::callpath::id}").at(4, 0), 4);
  EXPECT_EQ(Computed("${calculation::sysres::id}").at(4, 2), 2);
  EXPECT_EQ(
      number("{ if (${cube::region::name}[${cube::callpath::calleeid}[3]] eq \"MPI_Send\") { return 1; }; return 0; }"),
      1);
  EXPECT_EQ(number("{ if (${cube::region::mangled_name}[0] eq \"\") { return 1; }; return 0; }"), 1);  // no such array
  EXPECT_EQ(number("{ if (env(\"HOME\") eq \"\") { return 1; }; return 0; }"), 1);
}

TEST(CubePl, Operands) {
  const Report sample = sample_report();
  const auto time = [&](std::uint32_t path, std::uint32_t location) {
    return sample.exclusive(MetricId(1), CallPathId(path), location);
  };
  EXPECT_EQ(Computed("metric::time()").at(1, 2), time(1, 2));
  EXPECT_EQ(Computed("metric::time(i)").at(1, 2), sample.inclusive(MetricId(1), CallPathId(1), 2));
  EXPECT_EQ(Computed("metric::time(e)").at(1, 2, Flavour::kInclusive), time(1, 2));
  EXPECT_EQ(Computed("metric::fixed::time(e)").at(1, 2), time(1, 0) + time(1, 1) + time(1, 2));
  EXPECT_EQ(Computed("metric::call::visits(3, e)").at(1, 2), 32);
  EXPECT_EQ(Computed("metric::nothing() + metric::visits(*, *)").at(1, 2), 12);
  EXPECT_EQ(Computed("metric::visits(e, *)").at(1, 2), 12);
}

TEST(CubePl, PreDerivedAddUpPostDerivedDoNot) {
  Computed before("metric::time(e) / metric::visits(e)", "", MetricKind::kPreDerivedExclusive);
  Computed after("metric::time() / metric::visits()");
  EXPECT_DOUBLE_EQ(before.at(4, 1, Flavour::kInclusive), before.at(4, 1) + before.at(5, 1));
  EXPECT_NE(after.at(4, 1, Flavour::kInclusive), after.at(4, 1) + after.at(5, 1));
  Computed inclusive("metric::time(i)", "", MetricKind::kPreDerivedInclusive);
  EXPECT_DOUBLE_EQ(inclusive.at(4, 1), inclusive.report.exclusive(MetricId(1), CallPathId(4), 1));
}

TEST(CubePl, TotalsAggregateOperandsFirst) {
  Computed ratio("metric::time() / metric::visits()");
  CubeValues values(ratio.source);
  EXPECT_DOUBLE_EQ(values.totals(kDerived).whole, values.totals(MetricId(1)).whole / values.totals(MetricId(0)).whole);
}

TEST(CubePl, InitProgramsPrepareMasksAndSwitchMetricsOff) {
  Computed masked("${mask}[${calculation::callpath::id}] * metric::visits(e)",
                  "{ global(mask); ${mask}[3] = 1; cube::metric::set::counter(\"value\", \"VOID\"); return 0; }",
                  MetricKind::kPreDerivedExclusive);
  EXPECT_EQ(masked.at(3, 1), 31);
  EXPECT_EQ(masked.at(2, 1), 0);
  const CubeValues values(masked.source);
  EXPECT_TRUE(values.is_void(MetricId(5)));
  EXPECT_FALSE(values.is_void(MetricId(1)));
}

TEST(CubePl, PatternsTakeLinearTime) {
  const std::string text = "\"" + std::string(4000, 'a') + "\"";
  std::string nested = "a*";
  for (int i = 0; i < 40; ++i) nested = "(" + nested + "|a?b)*";
  const auto matches = [&](const std::string& pattern) {
    return number("{ if (" + text + " =~ /" + pattern + "/) { return 1; }; return 0; }");
  };
  EXPECT_EQ(matches("^" + nested + "$"), 1);
  EXPECT_EQ(matches("^" + nested + "c$"), 0);
  EXPECT_EQ(matches("(a|aa)+$"), 1);
  EXPECT_EQ(matches("a{3}$"), 1);
  EXPECT_EQ(matches("b{3,}"), 0);
}

TEST(CubePl, PatternsHaveLimits) {
  const std::string text = "\"" + std::string(4000, 'a') + "\"";
  const std::string loop = "{ ${i} = 0; while (${i} < 50000) { ${i} = ${i} + 1; if (" + text +
                           " =~ /(x|y){200}/) { return 1; }; }; return 2; }";
  Computed many(loop);
  EXPECT_EQ(many.at(0, 0), 0);
  ASSERT_EQ(many.damage.size(), 1u);
  EXPECT_NE(many.damage[0].find("its patterns take too long"), std::string::npos) << many.damage[0];
  Computed large("{ if (" + text + " =~ /((((x{99}){99}){99}){99})/) { return 1; }; return 2; }");
  EXPECT_EQ(large.at(0, 0), 0);
  ASSERT_EQ(large.damage.size(), 1u);
  EXPECT_NE(large.damage[0].find("not understood, or too large"), std::string::npos) << large.damage[0];
}

// Each value alone takes less than one may take.
TEST(CubePl, ManyLongRunsAreGivenUpTogether) {
  Computed loop("{ ${i} = 0; while (${i} < 90000) { ${i} = ${i} + 1; }; return ${i}; }");
  EXPECT_EQ(loop.at(0, 0), 90000);
  CubeValues values(loop.source);
  std::vector<double> row;
  for (int i = 0; i < 200 && values.damage().empty(); ++i)
    values.row(kDerived, CallPathId(0), Flavour::kExclusive, row);
  ASSERT_EQ(values.damage().size(), 1u);
  EXPECT_NE(values.damage()[0].find("takes too long"), std::string::npos) << values.damage()[0];
}

TEST(CubePl, NothingRunsForEver) {
  for (const char* program :
       {"{ while (true) { ${i} = 1; }; return 1; }", "metric::tpv()", "{ ${a}[999999999999] = 1; return 1; }", "1 +",
        "open(\"/etc/passwd\")", "{ return 1; } 2", "\"a\" =~ /(a*)*\\1/", "${a", "/"}) {
    Computed bad(program);
    EXPECT_EQ(bad.at(0, 0), 0) << program;
    EXPECT_EQ(bad.damage.size(), 1u) << program;
  }
  EXPECT_FALSE(parse_cubepl(std::string(100000, '(')).ok());
  EXPECT_FALSE(parse_cubepl(std::string(100000, '-') + "1").ok());
}

}  // namespace
}  // namespace tarry
