// random_names_test.cpp -- names of functions that are made of known parts: what is shown is made of the same parts.
#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <string>
#include <vector>

#include "base/text/function_name.hpp"

namespace tarry {
namespace {

// A name, or a part of one, in two forms: as the compiler's library prints it, and with the detail that is wanted.
struct Forms {
  std::string whole, shown;

  Forms& operator+=(const Forms& more) {
    whole += more.whole;
    shown += more.shown;
    return *this;
  }
};

Forms both(const std::string& text) { return {text, text}; }
Forms only_whole(const std::string& text) { return {text, ""}; }

class NameMaker {
 public:
  NameMaker(unsigned seed, NameDetail detail) : random_(seed), detail_(detail) {}

  // Of a function: scopes, which may be functions themselves, and the last part.
  Forms function() {
    Forms name;
    if (is_one_of(8)) name += both("non-virtual thunk to ");
    else if (is_one_of(3)) name += only_whole(named(3).whole + " ");
    for (unsigned scopes = below(3); scopes > 0; --scopes) name += scope();
    name += last_part();
    if (is_one_of(9)) name += only_whole(" [clone .isra.0]");
    return name;
  }

 private:
  unsigned below(unsigned count) { return random_() % count; }
  bool is_one_of(unsigned count) { return below(count) == 0; }
  std::string word() {
    static const char* const kWords[] = {"Foam", "Vector", "std",  "operators", "x",    "GeometricField",
                                         "list", "new_",   "_M_f", "operator_", "my$v", "solve2"};
    return kWords[below(std::size(kWords))];
  }
  std::string symbol() {
    static const char* const kSymbols[] = {"()", "[]", "<",  ">",   "<<", ">>", "<=",  ">=",  "<=>",
                                           "==", "!=", "->", "->*", "-",  "+",  "<<=", ">>=", "&",
                                           "&&", "*",  ",",  "~",   "=",  "--", "++"};
    return kSymbols[below(std::size(kSymbols))];
  }

  // `templates` are open around it, of which `detail_.template_depth` are shown.
  Forms arguments_of_template(unsigned depth, bool is_behind_angle) {
    Forms inside;
    ++templates_;
    for (unsigned count = below(3) + 1; count > 0; --count) {
      inside += type(depth);
      if (count > 1) inside += both(", ");
    }
    --templates_;
    const auto closed = [&](const std::string& text) {
      return std::string(is_behind_angle ? " <" : "<") + text + (text.ends_with('>') ? " >" : ">");
    };
    return {closed(inside.whole), templates_ < detail_.template_depth ? closed(inside.shown) : ""};
  }

  Forms list(unsigned depth) {
    Forms types = both("(");
    for (unsigned count = below(3); count > 0; --count) {
      types += type(depth);
      if (count > 1) types += both(", ");
    }
    types += both(")");
    return types;
  }

  Forms named(unsigned depth) {
    Forms name = both(word());
    for (unsigned more = below(2); more > 0; --more) name += both("::" + word());
    if (depth > 0 && is_one_of(2)) name += arguments_of_template(depth - 1, false);
    return name;
  }

  Forms type(unsigned depth) {
    if (depth == 0) return both(is_one_of(2) ? "int" : "unsigned long");
    switch (below(8)) {
      case 0: return both("3u");
      case 1: return both("(Foam::direction)2");
      case 2: {
        Forms pointer = named(depth - 1);
        pointer += both(" (*)");
        pointer += list(depth - 1);
        return pointer;
      }
      case 3: {
        Forms pointer = named(depth - 1);
        pointer += both(" (" + word() + "::*)");
        pointer += list(depth - 1);
        return pointer;
      }
      case 4: {
        Forms address = both("&(operator" + symbol());
        address += list(depth - 1);
        address += both(")");
        return templates_ > 0 ? address : both("bool");
      }
      default: {
        Forms name = named(depth);
        if (is_one_of(3)) name += both(is_one_of(2) ? " const&" : "*");
        return name;
      }
    }
  }

  // Of a function: with its qualifiers.
  Forms arguments() {
    Forms types = list(2);
    if (is_one_of(3)) types += both(" const");
    if (!detail_.has_arguments) types.shown.clear();
    return types;
  }

  Forms scope() {
    Forms name;
    switch (below(5)) {
      case 0: name = both("(anonymous namespace)"); break;
      case 1:
        name = both(word());
        if (is_one_of(2)) name += arguments_of_template(2, false);
        name += arguments();
        break;
      case 2: name = lambda(); break;
      default: name = named(3);
    }
    name += both("::");
    return name;
  }

  Forms lambda() {
    Forms name = both("{lambda"), types = list(2);
    if (!detail_.has_arguments) types.shown.clear();
    name += types;
    name += both("#" + std::to_string(below(9) + 1) + "}");
    return name;
  }

  Forms last_part() {
    Forms name;
    switch (below(4)) {
      case 0: {
        const std::string text = symbol();
        name = both("operator" + text);
        if (is_one_of(3)) name += operator_arguments(text);
        break;
      }
      case 1:
        name = both("operator ");
        name += named(2);
        if (is_one_of(3)) name += both("*");
        break;
      default: name = named(3);
    }
    if (is_one_of(9)) name += only_whole("[abi:cxx11]");
    name += arguments();
    return name;
  }

  // "operator< <int>": the library keeps the signs apart, and what is shown does where both are there.
  Forms operator_arguments(const std::string& text) {
    const bool is_apart = text.ends_with('<');
    return arguments_of_template(2, is_apart);
  }

  std::mt19937 random_;
  NameDetail detail_;
  unsigned templates_ = 0;
};

TEST(RandomNames, AreShownAsTheirPartsAre) {
  constexpr NameDetail kDetails[] = {{false, 0}, {false, 1}, {false, 2}, {true, 0}, {true, 1}, {true, ~0u}};
  for (const NameDetail detail : kDetails)
    for (unsigned seed = 0; seed < 4000; ++seed) {
      const Forms name = NameMaker(seed, detail).function();
      ASSERT_EQ(function_name(name.whole, detail), name.shown)
          << name.whole << ", " << detail.has_arguments << " " << detail.template_depth;
    }
}

// A name that is shown is read again where a report is made of a report.
TEST(RandomNames, StayAsTheyAreShown) {
  for (unsigned seed = 0; seed < 4000; ++seed) {
    const std::string shown = function_name(NameMaker(seed, {}).function().whole);
    ASSERT_EQ(function_name(shown), shown);
  }
}

TEST(RandomNames, StayDifferent) {
  std::vector<std::string> names;
  for (unsigned seed = 0; seed < 2000; ++seed) names.push_back(NameMaker(seed, {}).function().whole);
  std::ranges::sort(names);
  names.erase(std::ranges::unique(names).begin(), names.end());
  std::vector<std::string> shown = short_names(names);
  std::ranges::sort(shown);
  EXPECT_EQ(std::ranges::adjacent_find(shown), shown.end());
}

}  // namespace
}  // namespace tarry
