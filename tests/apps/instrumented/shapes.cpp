// shapes.cpp -- a C++ program without MPI: templates, exceptions through several functions, shared libraries.
//
// usage: shapes [PLUGIN]. Call tree: main calls total<double> and total<int> (square 10 times each), Checker::check
// four times (each throws through two levels, which the destructor of a Guard sees), summary; with PLUGIN scaled and
// third.
#include <cstdio>
#include <dlfcn.h>
#include <stdexcept>
#include <vector>

double square(double side);

template <class Number>
__attribute__((noinline)) Number total(const std::vector<Number>& sides) {
  Number sum = 0;
  for (const Number side : sides) sum += static_cast<Number>(square(side));
  return sum;
}

namespace {

struct Guard {
  __attribute__((noinline)) ~Guard() { ++count; }
  static int count;
};
int Guard::count = 0;

class Checker {
 public:
  __attribute__((noinline)) void check(int depth) {
    const Guard guard;
    if (depth == 0) throw std::runtime_error("too deep");
    check(depth - 1);
  }
};

__attribute__((noinline)) void summary(double sum) { std::printf("%g %d\n", sum, Guard::count); }

}  // namespace

int main(int argc, char** argv) {
  double sum = total(std::vector<double>(10, 1.5)) + total(std::vector<int>(10, 2));
  Checker checker;
  for (int i = 0; i < 4; ++i) {
    try {
      checker.check(2);
    } catch (const std::exception&) {
      sum += 1;
    }
  }
  if (argc > 1) {
    void* plugin = dlopen(argv[1], RTLD_NOW);
    if (!plugin) return 1;
    sum += reinterpret_cast<double (*)(double)>(dlsym(plugin, "scaled"))(3);
    dlclose(plugin);
  }
  summary(sum);
}
