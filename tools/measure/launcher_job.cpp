// launcher_job.cpp -- whether a launcher has started this process as one of several, and which one it is.
#include "launcher_job.hpp"

#include <algorithm>
#include <charconv>
#include <initializer_list>
#include <sstream>
#include <string_view>
#include <vector>

#include "base/ancestors.hpp"

namespace tarry {
namespace {

// The variables of one launcher. Those before are the ones that a launcher inside of the others sets.
struct LauncherVariables {
  const char* rank;
  const char* size;
  std::vector<const char*> job;  // the first one must be there
};

const std::vector<LauncherVariables>& known_launchers() {
  static const std::vector<LauncherVariables> kLaunchers = {
      // The name space of Open MPI 4 may come again; what is behind it is a random number.
      {"OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE", {"PMIX_NAMESPACE", "OMPI_MCA_orte_precondition_transports"}},
      // PMI_JOBID is of Slurm's own PMI 2. A job that is started again has the same number.
      {"PMI_RANK", "PMI_SIZE", {"PMI_JOBID", "SLURM_RESTART_COUNT"}},
      {"PMI_RANK", "PMI_SIZE", {"PALS_APID"}},
  };
  return kLaunchers;
}

// Its batch script, which has SLURM_PROCID too, is in no step.
const LauncherVariables& slurm_step() {
  static const LauncherVariables kStep = {
      "SLURM_PROCID", "SLURM_STEP_NUM_TASKS", {"SLURM_JOB_ID", "SLURM_STEP_ID", "SLURM_RESTART_COUNT"}};
  return kStep;
}

std::optional<std::uint32_t> number_of(const Environment& environment, const char* name) {
  const std::string text = value_of(environment, name);
  std::uint32_t number = 0;
  const auto parsed = std::from_chars(text.data(), text.data() + text.size(), number);
  if (text.empty() || parsed.ec != std::errc() || parsed.ptr != text.data() + text.size()) return std::nullopt;
  return number;
}

std::optional<LauncherJob> place_of(const Environment& environment, const char* rank, const char* size) {
  const auto own = number_of(environment, rank), all = number_of(environment, size);
  if (!own || !all || *own >= *all) return std::nullopt;
  return LauncherJob{{}, *own, *all};
}

std::string usable_in_file_name(std::string text) {
  const auto is_awkward = [](unsigned char c) { return !std::isalnum(c) && c != '.' && c != '-'; };
  std::replace_if(text.begin(), text.end(), is_awkward, '_');
  return text;
}

std::string job_id(const Environment& environment, const std::vector<const char*>& names) {
  std::string id = value_of(environment, names.front());
  for (std::size_t i = 1; i < names.size() && !id.empty(); ++i)
    if (const std::string more = value_of(environment, names[i]); !more.empty()) id += "-" + more;
  return usable_in_file_name(id);
}

std::optional<LauncherJob> job_of(const Environment& environment, const LauncherVariables& launcher) {
  auto job = place_of(environment, launcher.rank, launcher.size);
  if (job) job->id = job_id(environment, launcher.job);
  return job && !job->id.empty() ? job : std::nullopt;
}

// The word behind `option` in a command line whose words end with a zero byte.
std::string value_behind(std::string_view command_line, std::string_view option) {
  std::istringstream words{std::string(command_line)};
  for (std::string word; std::getline(words, word, '\0');)
    if (word == option && std::getline(words, word, '\0')) return word;
  return {};
}

}  // namespace

std::string find_control_port() {
  return find_in_ancestors([](std::string_view words) {
    if (std::string port = value_behind(words, "--control-port"); !port.empty()) return port;
    const std::string port = value_behind(words, "--upstream-port");  // Intel MPI
    return port.empty() ? port : value_behind(words, "--upstream-host") + ":" + port;
  });
}

std::optional<LauncherJob> find_launcher_job(const Environment& environment, const FindControlPort& find_port) {
  for (const LauncherVariables& launcher : known_launchers())
    if (auto job = job_of(environment, launcher)) return job;
  auto hydra = place_of(environment, "PMI_RANK", "PMI_SIZE");
  if (hydra) hydra->id = usable_in_file_name(find_port());
  if (hydra && !hydra->id.empty()) return hydra;
  if (!value_of(environment, "SLURM_STEP_ID").empty())
    if (auto step = job_of(environment, slurm_step())) return step;
  return hydra;  // in a job, unknown which
}

}  // namespace tarry
