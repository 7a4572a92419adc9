/* annotated_kokkos.cpp -- a program of Kokkos: kernels, regions, copies and sections, with what it measures itself.
 *
 * Prints a line "NAME VISITS SECONDS" for each region.
 */
#include <Kokkos_Core.hpp>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <thread>

namespace {

using Clock = std::chrono::steady_clock;

void work(int milliseconds) { std::this_thread::sleep_for(std::chrono::milliseconds(milliseconds)); }

double seconds_since(Clock::time_point begin) { return std::chrono::duration<double>(Clock::now() - begin).count(); }

void tell(const char* name, int visits, double seconds) { std::printf("%s %d %.6f\n", name, visits, seconds); }

// A kernel without a label is called after its function, and a tag.
struct Smooth {
  struct Forward {};
  void operator()(Forward, int) const { work(50); }
};

void smooth() {
  const auto start = Clock::now();
  for (int i = 0; i < 2; ++i)
    Kokkos::parallel_for(Kokkos::RangePolicy<Kokkos::Serial, Smooth::Forward>(0, 1), Smooth());
  tell("(anonymous namespace)::Smooth/(anonymous namespace)::Smooth::Forward", 2, seconds_since(start));
}

void compute() {
  Kokkos::View<double*> a("a", 1000), b("b", 1000);
  const auto begin = Clock::now();
  double kernels = 0, reductions = 0, sum = 0;
  for (int i = 0; i < 3; ++i) {
    Kokkos::Profiling::pushRegion("step");
    auto start = Clock::now();
    Kokkos::parallel_for("axpy", Kokkos::RangePolicy<Kokkos::Serial>(0, 1), [=](int) {
      work(100);
      a(0) = 1;
    });
    kernels += seconds_since(start);
    start = Clock::now();
    const auto add = [=](int, double& into) {
      work(50);
      into += a(0);
    };
    Kokkos::parallel_reduce("dot", Kokkos::RangePolicy<Kokkos::Serial>(0, 1), add, sum);
    reductions += seconds_since(start);
    Kokkos::deep_copy(b, a);
    Kokkos::Profiling::popRegion();
  }
  tell("step", 3, seconds_since(begin));
  tell("axpy", 3, kernels);
  tell("dot", 3, reductions);
}

void time_section() {
  std::uint32_t section = 0;
  Kokkos::Profiling::createProfileSection("section", &section);
  const auto begin = Clock::now();
  Kokkos::Profiling::startSection(section);
  work(100);
  Kokkos::Profiling::stopSection(section);
  tell("section", 1, seconds_since(begin));
}

}  // namespace

int main(int argc, char** argv) {
  Kokkos::initialize(argc, argv);
  compute();
  smooth();
  time_section();
  Kokkos::finalize();
}
