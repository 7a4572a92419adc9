// function_name_test.cpp -- names of functions without what hides them.
#include "base/text/function_name.hpp"

#include <gtest/gtest.h>

#include <utility>

namespace tarry {
namespace {

TEST(FunctionName, LeavesOutArgumentsAndTemplateArguments) {
  constexpr struct {
    const char *whole, *shown;
  } kNames[] = {
      {"Domain::delv_xi(int)", "Domain::delv_xi"},
      {"std::vector<double, std::allocator<double> >::operator[](unsigned long) const", "std::vector::operator[]"},
      {"void solve<Grid<double>, 3>(Grid<double>&, int)", "solve"},
      {"std::enable_if<((3)>(2)), int>::type pick<int>(int)", "pick"},
      {"unsigned long count<int>(int const*)", "count"},
      {"decltype(auto) make<int>(int)", "make"},
      {"decltype (fp.x()) make<int>(int)", "make"},
      {"void (*handler<int>(int))(char)", "handler"},
      {"void (*(anonymous namespace)::get(int))(char)", "(anonymous namespace)::get"},
      {"(anonymous namespace)::step(Domain&)", "(anonymous namespace)::step"},
      {"main::{lambda(int)#1}::operator()(int) const", "main::{lambda#1}::operator()"},
      {"auto main::{lambda(auto:1)#2}::operator()<int>(int) const", "main::{lambda#2}::operator()"},
      {"void run<int>(int)::{lambda()#1}::operator()() const", "run::{lambda#1}::operator()"},
      {"main::'lambda'(int)::operator()(int) const", "main::'lambda'::operator()"},
      {"operator<(A const&, A const&)", "operator<"},
      {"bool operator< <int>(A<int> const&, A<int> const&)", "operator<"},
      {"std::ostream& operator<< <char>(std::ostream&, char)", "operator<<"},
      {"A::operator()(int)", "A::operator()"},
      {"A::operator->() const", "A::operator->"},
      {"A::operator->*<int>(int)", "A::operator->*"},
      {"auto operator<=><int>(A<int>, A<int>)", "operator<=>"},
      {"A::operator,(A const&)", "A::operator,"},
      {"operator new[](unsigned long)", "operator new[]"},
      {"A::operator bool() const", "A::operator bool"},
      {"A<int>::operator std::vector<int, X>*() const &&", "A::operator std::vector*"},
      {"A::operator unsigned int()", "A::operator unsigned int"},
      {"A::operator new_kind<int>() const", "A::operator new_kind"},
      {"operator\"\" _km(long double)", "operator\"\"_km"},
      {"call<&(operator<(A const&, A const&))>(int)", "call"},
      {"name[abi:cxx11](int)", "name"},
      {"solve(double*) [clone .isra.0] [clone .cold]", "solve"},
      {"solve(double*) (.constprop.0)", "solve"},
      {"solve.constprop.0.isra.0", "solve"},
      {"non-virtual thunk to A::f(int)", "non-virtual thunk to A::f"},
      {"Grid<double>", "Grid"},
      {"int main(int, char**)", "main"},
      {"operators::apply(int)", "operators::apply"},
      {"std::function<void (int)>::operator()(int) const", "std::function::operator()"},
  };
  for (const auto& [whole, shown] : kNames) EXPECT_EQ(function_name(whole), shown) << whole;
}

TEST(FunctionName, LeavesOtherNamesAlone) {
  for (const char* name : {"",
                           "main",
                           "MPI_Send",
                           "__physics_MOD_step",
                           "MAIN__",
                           "<module>",
                           "solver.Grid.<locals>.<lambda>",
                           "<listcomp>",
                           "!$omp parallel @heat.c:12",
                           "step=7",
                           "step=cluster 3",
                           "time step (slow)",
                           "phase A -> B",
                           "solve (phase 1)",
                           "phase(part 2)",
                           "libm.so.6+0x1f30",
                           "a < b",
                           "f(a) and g(b)",
                           "foo<(",
                           "<(",
                           "f(((",
                           "f>)",
                           "a)",
                           "]",
                           "{",
                           "operator",
                           "main::{lambda(",
                           "x<y",
                           "f(int)(",
                           "::",
                           "storage.cold",
                           "(",
                           "(*",
                           "(*)("})
    EXPECT_EQ(function_name(name), name);
}

TEST(FunctionName, ShowsTheDetailThatIsWanted) {
  const char* name = "void f<std::vector<int> >(std::map<int, int>) const";
  EXPECT_EQ(function_name(name, {true, 0}), "f(std::map) const");
  EXPECT_EQ(function_name(name, {false, 1}), "f<std::vector>");
  EXPECT_EQ(function_name(name, {true, 2}), "f<std::vector<int> >(std::map<int, int>) const");
  EXPECT_EQ(function_name("bool operator< <int>(A)", {false, 1}), "operator< <int>");
  const char* field = "void Foam::Field<Foam::Vector<double> >::add<&Foam::operator> >(Foam::List<Foam::Vector<int> >)";
  EXPECT_EQ(function_name(field, {true, 1}),
            "Foam::Field<Foam::Vector>::add<&Foam::operator> >(Foam::List<Foam::Vector>)");
}

TEST(FunctionName, TakesLinearTime) {
  const std::size_t size = 1 << 20;
  for (const char* part :
       {"<", "(", "a<", "f(", "(*", "operator<", "{lambda(", " [clone ", "f<int>::", "a ", "'", ">"}) {
    std::string name;
    while (name.size() < size) name += part;
    EXPECT_LE(function_name(name).size(), name.size());
  }
}

TEST(ShortNames, TellDifferentFunctionsApart) {
  const std::vector<std::pair<std::string, std::string>> pairs = {
      {"f(int)", "f(int)"},
      {"f(double)", "f(double)"},
      {"void g<int>(int)", "g<int>"},
      {"void g<double>(double)", "g<double>"},
      {"h(int) const", "h(int) const"},
      {"h(int)", "h(int)"},
      {"void k<A<int> >(int)", "k<A<int> >"},
      {"void k<A<char> >(int)", "k<A<char> >"},
      {"s() [clone .a]", "s() [clone .a]"},
      {"s()", "s()"},
      {"u(std::vector<int> const&)", "u"},
      {"f(int)", "f(int)"},
  };
  std::vector<std::string> names, expected;
  for (const auto& [whole, shown] : pairs) {
    names.push_back(whole);
    expected.push_back(shown);
  }
  EXPECT_EQ(short_names(names), expected);
}

TEST(FunctionName, MayBeMangled) {
  EXPECT_EQ(function_name("_Z13jacobi_kernelPKfPfiiS1_"), "jacobi_kernel");
  EXPECT_EQ(function_name("_Z3addIdEvPT_"), "add");
  EXPECT_EQ(function_name("_Z"), "_Z");
  EXPECT_EQ(function_name("_Zonk"), "_Zonk");
  EXPECT_EQ(short_names({"_Z3addIdEvPT_", "_Z3addIfEvPT_"}), (std::vector<std::string>{"add<double>", "add<float>"}));
}

// Each pair of pointers to functions is twice as long as the one before: 2^60 characters.
TEST(FunctionName, IsNotLongerThanAnybodyWrites) {
  std::string hostile = "_Z1fFvvE";
  for (int i = 0; i < 60; ++i) hostile += "FvS" + std::to_string(i % 10) + "_S_E";
  EXPECT_LT(function_name(hostile).size(), 10000u);
}

// A form that one group needs may be another's name as it is.
TEST(ShortNames, AreUniqueWhateverTheNames) {
  const std::vector<std::string> names = {"void f<int>()", "void f<char>()", "f<int>", "g", "g(int)", "g(char)"};
  const std::vector<std::string> shown = short_names(names);
  for (std::size_t i = 0; i < shown.size(); ++i)
    for (std::size_t j = 0; j < i; ++j) EXPECT_NE(shown[i], shown[j]) << names[i] << " and " << names[j];
}

}  // namespace
}  // namespace tarry
