// history_steps.cpp -- how often the step of a made history is found at its commit, and how often noise is taken for
// one.
//
// usage: history_steps right|false|beside RUNS_PER_COMMIT COMMON HISTORIES SEED
//
// Histories have 20, 40, 100 or 200 commits, noise of 1 % and a step of 5 % anywhere but at the two first and two last
// commits. COMMON is the part of the noise that the runs of a commit share, for example 0.005. Prints how many of 100
// histories have exactly one step, at its commit (right); or up to one commit beside it (beside); and how many without
// a step have one (false).
#include <cstdio>
#include <cstdlib>
#include <string>

#include "require.hpp"
#include "store/made_series.hpp"

int main(int argc, char** argv) {
  using namespace tarry;
  require(argc == 6, "naming what is counted, runs of a commit, COMMON, the number of histories and a seed");
  const std::string what = argv[1];
  const auto histories = std::strtoul(argv[4], nullptr, 10);
  std::mt19937_64 random(std::strtoull(argv[5], nullptr, 10));
  MadeSeries made{.repeats = std::strtoul(argv[2], nullptr, 10), .common = std::strtod(argv[3], nullptr)};
  std::size_t counted = 0;
  for (std::size_t i = 0; i < histories; ++i) {
    static constexpr std::size_t kCommits[] = {20, 40, 100, 200};
    made.commits = kCommits[i % 4];
    made.step_at = what == "false" ? 0 : random_place(made.commits, random);
    const std::vector<SeriesStep> steps = find_steps(make_series(made, random));
    const std::size_t slack = what == "beside" ? 1 : 0;
    if (what == "false") counted += !steps.empty();
    else
      counted += steps.size() == 1 && steps[0].point + slack >= made.step_at && steps[0].point <= made.step_at + slack;
  }
  std::printf("%.4f\n", 100 * static_cast<double>(counted) / static_cast<double>(histories));
}
