// launcher_job.cpp -- whether a launcher has started this process as one of several, and which one it is.
#include "base/processes/launcher_job.hpp"

#include <algorithm>
#include <charconv>
#include <initializer_list>
#include <string_view>
#include <vector>

#include "base/processes/ancestors.hpp"
#include "base/processes/environment_value.hpp"

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

std::optional<std::uint32_t> number_of(const FindVariable& find, const char* name) {
  const std::string text = find(name);
  std::uint32_t number = 0;
  const auto parsed = std::from_chars(text.data(), text.data() + text.size(), number);
  if (text.empty() || parsed.ec != std::errc() || parsed.ptr != text.data() + text.size()) return std::nullopt;
  return number;
}

std::optional<LauncherJob> place_of(const FindVariable& find, const char* rank, const char* size) {
  const auto own = number_of(find, rank), all = number_of(find, size);
  if (!own || !all || *own >= *all) return std::nullopt;
  return LauncherJob{{}, *own, *all};
}

std::string usable_in_file_name(std::string text) {
  const auto is_awkward = [](unsigned char c) { return !std::isalnum(c) && c != '.' && c != '-'; };
  std::replace_if(text.begin(), text.end(), is_awkward, '_');
  return text;
}

std::string job_id(const FindVariable& find, const std::vector<const char*>& names) {
  std::string id = find(names.front());
  for (std::size_t i = 1; i < names.size() && !id.empty(); ++i)
    if (const std::string more = find(names[i]); !more.empty()) id += "-" + more;
  return usable_in_file_name(id);
}

std::optional<LauncherJob> job_of(const FindVariable& find, const LauncherVariables& launcher) {
  auto job = place_of(find, launcher.rank, launcher.size);
  if (job) job->id = job_id(find, launcher.job);
  return job && !job->id.empty() ? job : std::nullopt;
}

// The word behind `option` in a command line whose words end with a zero byte.
std::string value_behind(std::string_view command_line, std::string_view option) {
  for (std::string_view before; !command_line.empty();) {
    const std::string_view word = command_line.substr(0, command_line.find('\0'));
    if (before == option) return std::string(word);
    before = word;
    command_line.remove_prefix(std::min(command_line.size(), word.size() + 1));
  }
  return {};
}

}  // namespace

std::string find_own_variable(const char* name) {
  const char* const value = environment_value(name);
  return value ? value : "";
}

std::string find_control_port() {
  return find_in_ancestors([](std::string_view words) {
    if (std::string port = value_behind(words, "--control-port"); !port.empty()) return port;
    const std::string port = value_behind(words, "--upstream-port");  // Intel MPI
    return port.empty() ? port : value_behind(words, "--upstream-host") + ":" + port;
  });
}

std::optional<LauncherJob> find_launcher_job(const FindVariable& find, const FindControlPort& find_port) {
  for (const LauncherVariables& launcher : known_launchers())
    if (auto job = job_of(find, launcher)) return job;
  auto hydra = place_of(find, "PMI_RANK", "PMI_SIZE");
  if (hydra) hydra->id = usable_in_file_name(find_port());
  if (hydra && !hydra->id.empty()) return hydra;
  if (!find("SLURM_STEP_ID").empty())
    if (auto step = job_of(find, slurm_step())) return step;
  return hydra;  // in a job, unknown which
}

}  // namespace tarry
