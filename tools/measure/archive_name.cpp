// archive_name.cpp -- what the user's name for the archive means.
#include "archive_name.hpp"

#include <algorithm>

namespace tarry {
namespace {

// Each element of an array of jobs has a number of its own in the first two; the others say the element beside it.
std::string job_number(const Environment& environment) {
  for (const char* name : {"SLURM_JOB_ID", "PBS_JOBID"})
    if (const std::string number = value_of(environment, name); !number.empty()) return number;
  for (const auto& [job, element] : {std::pair("LSB_JOBID", "LSB_JOBINDEX"), std::pair("JOB_ID", "SGE_TASK_ID")}) {
    const std::string number = value_of(environment, job), index = value_of(environment, element);
    const bool is_element = !index.empty() && index != "0" && index != "undefined";
    if (!number.empty()) return is_element ? number + "_" + index : number;
  }
  return {};
}

}  // namespace

Result<std::string> expand_archive_name(const std::string& name, const Environment& environment) {
  constexpr char kJob[] = "%j";
  std::string expanded = name;
  std::string number = job_number(environment);
  std::replace(number.begin(), number.end(), '/', '_');
  for (std::size_t at = expanded.find(kJob); at != std::string::npos; at = expanded.find(kJob, at + number.size())) {
    if (number.empty()) return Error{name, "there is no batch job whose number could replace %j", "name it otherwise"};
    expanded.replace(at, 2, number);
  }
  return expanded;
}

}  // namespace tarry
