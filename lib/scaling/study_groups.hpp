// study_groups.hpp -- which runs of a store belong together, as one scaling study.
#pragma once

#include <string>
#include <vector>

#include "base/result.hpp"
#include "scaling/scale_options.hpp"
#include "store/runs.hpp"

namespace tarry {

/// Runs of one program that differ in numbers only. `tarry scale` with `where` and `runs` takes the same ones.
struct StudyGroup {
  std::string title;              // "heat", and what tells it from the other groups
  std::string where;              // conditions, those of the user among them
  std::vector<std::string> runs;  // numbers, if no conditions say which runs they are
  std::size_t count = 0;          // of its runs
};

/// The most runs first. `where` is what chose the runs.
std::vector<StudyGroup> group_runs(const std::vector<StoredRun>& runs, const std::string& where);

/// The command that computes it.
std::string command_of(const StudyGroup& group, const ScaleOptions& options);

}  // namespace tarry
