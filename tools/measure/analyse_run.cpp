// analyse_run.cpp -- from a finished recording to its findings: the tools that follow, one after the other.
#include "analyse_run.hpp"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <string_view>
#include <vector>

#include "base/files/file.hpp"
#include "base/tool/log.hpp"
#include "base/tool/own_library.hpp"
#include "base/result.hpp"

namespace tarry {
namespace {

// By their beginnings: the variables by which processes know of their job. With them, a tool would take itself for one
// of several processes and wait for the others.
constexpr std::string_view kOfLaunchers[] = {"OMPI_",       "PMIX_",        "PMI_",  "PMI2_",
                                             "MPIRUN_",     "HYDRA_",       "HYDI_", "SLURM_PROCID",
                                             "SLURM_STEP_", "SLURM_NTASKS", "PALS_", "MPI_LO"};

Environment without_launcher(const Environment& environment) {
  Environment own;
  for (const std::string& variable : environment)
    if (std::none_of(std::begin(kOfLaunchers), std::end(kOfLaunchers),
                     [&](std::string_view prefix) { return variable.starts_with(prefix); }))
      own.push_back(variable);
  return own;
}

std::vector<char*> pointers_to(std::vector<std::string>& words) {
  std::vector<char*> pointers;
  for (std::string& word : words) pointers.push_back(word.data());
  pointers.push_back(nullptr);
  return pointers;
}

int wait_for(pid_t child) {
  int status = 0;
  while (::waitpid(child, &status, 0) < 0)
    if (errno != EINTR) return -1;
  return status;
}

// What it prints goes to our stderr, or nowhere.
Status run_tool(std::vector<std::string> command, bool prints, Environment& environment) {
  posix_spawn_file_actions_t actions;
  ::posix_spawn_file_actions_init(&actions);
  if (prints) ::posix_spawn_file_actions_adddup2(&actions, STDERR_FILENO, STDOUT_FILENO);
  else ::posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
  pid_t child = 0;
  const int problem = ::posix_spawn(&child, command[0].c_str(), &actions, nullptr, pointers_to(command).data(),
                                    pointers_to(environment).data());
  ::posix_spawn_file_actions_destroy(&actions);
  errno = problem;
  if (problem != 0) return Error{command[0], system_error(), ""};
  const int status = wait_for(child);
  if (WIFEXITED(status) && WEXITSTATUS(status) == 0) return {};
  return Error{command.back(), command[0].substr(command[0].rfind('/') + 1) + " has failed", ""};
}

}  // namespace

void analyse_run(const std::string& archive, const std::string& page, const Environment& environment) {
  const auto folder = find_own_folder();
  if (!folder.ok()) return log_error(folder.error());
  Environment own = without_launcher(environment);
  const std::string tools = folder.value() + "/tarry-";
  const bool prints = log_verbosity() != Verbosity::kQuiet;
  Status done = run_tool({tools + "sync", "-q", archive}, false, own);
  if (done.ok()) done = run_tool({tools + "replay", "-q", archive}, false, own);
  if (done.ok() && prints) done = run_tool({tools + "report", archive}, true, own);
  std::vector<std::string> explore = {tools + "explore", archive, "-o", page};
  if (!prints) explore.insert(explore.begin() + 1, "-q");
  if (done.ok() && !page.empty()) done = run_tool(explore, false, own);
  if (!done.ok()) log_error(done.error());
}

Status check_page(const std::string& page) {
  TARRY_TRY_ASSIGN(folder, find_own_folder());
  if (!path_exists(folder + "/tarry-explore"))
    return Error{page, "cannot be made, as Tarry was built without the explorer",
                 "install esbuild and node-d3, then make; or leave out --html"};
  if (is_directory(page)) return Error{page, "is a folder", "name a file"};
  const std::size_t slash = page.rfind('/');
  const std::string parent = slash == page.npos ? "." : page.substr(0, slash + 1);
  return is_directory(parent) ? Status() : Error{page, "its folder is not there", "create " + parent + " first"};
}

}  // namespace tarry
