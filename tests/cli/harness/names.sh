# names.sh -- the check of local names finds those that another file of the same unit has, too, and no others.
mkdir -p lib/base lib/report/parts tools/one tools/two
cat >lib/base/text.hpp <<'EOF'
#pragma once
namespace tarry {
/// Outside of classes: twice(1) in a comment is none.
double rounded(double value, int digits);
struct Box {
  int size_of(int box) const { return box; }
};
}  // namespace tarry
EOF
cat >lib/report/first.cpp <<'EOF'
#include "base/text.hpp"
namespace tarry {
namespace {

constexpr char kText[] = "}{ int same(int)";
int same(int value) { return value; }
double rounded(int value, long digits) { return value + digits; }
template <class Value>
auto shown(const Value& value) { return value; }
int size_of(int box) { return box; }
[[maybe_unused]] int of_box(const Box& box) { return box.size_of(1) + size_of(2); }
struct Local {
  int member(int value) { return same(value); }
};
int apart(const Box& box, int value);
int fewer(int value) { return value; }

}  // namespace

int visible(int value) { return value; }
}  // namespace tarry
EOF
cat >lib/report/parts/second.cpp <<'EOF'
#include "base/text.hpp"
namespace tarry {
namespace {
namespace inner {
double same(double value) { return value; }
}  // namespace inner
std::string shown(const std::string& text) { return text + "rounded(1, 2)"; }
int apart(const std::string& text, int value) { return value; }
int fewer(int value, int other) { return value + other; }
int member(int value) { return value; }
}  // namespace
double used() { return rounded(1.5, 2); }
int box_size(const Box& box) { return box.size_of(2); }
}  // namespace tarry
EOF
for tool in one two; do
  cat >tools/$tool/main.cpp <<'EOF'
namespace {
constexpr int kMost = 1;
int g_count = 0;
struct Options {
  int count = kMost;
};
void run(int count) {}
}  // namespace
EOF
  sed 's/main/other/; s/kMost/kLeast/; s/g_count/g_sum/; s/Options/Facts/; s/run/walk/' tools/$tool/main.cpp >tools/$tool/other.cpp
done
cat tools/two/main.cpp >tools/two/run.cpp
"$PYTHON" "$TARRY_ROOT/tests/check_names.py"; echo "status $?"
rm lib/report/parts/second.cpp tools/two/run.cpp
"$PYTHON" "$TARRY_ROOT/tests/check_names.py"; echo "status $?"
