// program_name.cpp -- which word of a command line is the program.
#include "program_name.hpp"

#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <sstream>
#include <string_view>

#include "base/processes/launchers.hpp"
#include "base/text/text.hpp"

namespace tarry {

std::string base_name(const std::string& path) { return path.substr(path.rfind('/') + 1); }

namespace {

// Programs that run another one named behind their own options.
bool is_wrapper(const std::string& word) {
  return is_one_of(base_name(word), {"env", "nice", "ionice", "numactl", "taskset", "time", "timeout", "stdbuf",
                                     "setarch", "chrt", "setsid", "nohup", "unshare", "sudo"});
}

bool is_interpreter(const std::string& word) {
  const std::string name = base_name(word);
  return is_one_of(name, {"sh", "bash", "dash", "ksh", "zsh", "perl", "python"}) || name.starts_with("python3");
}

// How many words a launcher's option takes, where a value could be mistaken for a program ("--map-by node").
std::size_t values_of(std::string option) {
  if (option.starts_with("--")) option.erase(0, 1);
  if (is_one_of(option, {"-mca", "-gmca", "-pmixmca", "-gpmixmca", "-prtemca", "-omca", "-env", "-genv"})) return 2;
  return is_one_of(option, {"-n",
                            "-np",
                            "-c",
                            "-N",
                            "-H",
                            "-host",
                            "-hostfile",
                            "-machinefile",
                            "-x",
                            "-wdir",
                            "-wd",
                            "-map-by",
                            "-rank-by",
                            "-bind-to",
                            "-path",
                            "-tune",
                            "-am",
                            "-prefix",
                            "-npernode",
                            "-npersocket",
                            "-output-filename",
                            "-report-uri",
                            "-rf",
                            "-rankfile",
                            "-personality",
                            "-launch-agent",
                            "-app",
                            "-ppr",
                            "-display",
                            "-p",
                            "-partition",
                            "-A",
                            "-J",
                            "-t",
                            "-w",
                            "-o",
                            "-e",
                            "-i",
                            "-f",
                            "-hosts",
                            "-ppn",
                            "-iface",
                            "-envlist",
                            "-genvlist",
                            "-launcher",
                            "-configfile",
                            "-usize"})
             ? 1
             : 0;
}

}  // namespace

std::string program_path(const std::string& word) {
  const auto runs = [](const std::string& path) {
    std::error_code error;
    return std::filesystem::is_regular_file(path, error) && ::access(path.c_str(), X_OK) == 0;
  };
  if (word.empty() || word.find('/') != std::string::npos) return runs(word) ? word : "";
  const char* path = std::getenv("PATH");
  std::istringstream folders(path ? path : "/usr/bin:/bin");
  for (std::string folder; std::getline(folders, folder, ':');)
    if (std::string file = (folder.empty() ? "." : folder) + "/" + word; runs(file)) return file;
  return {};
}

bool is_program(const std::string& word) { return !program_path(word).empty(); }

std::vector<std::size_t> find_programs(const std::vector<std::string>& command, const IsProgram& is_program) {
  std::vector<std::size_t> programs = {0};
  while (programs.back() < command.size()) {
    const std::size_t at = programs.back();
    const bool launches = is_launcher(command[at]);
    std::size_t next = at + 1;
    if (!launches && !is_wrapper(command[at])) break;
    while (next < command.size() && (command[next].starts_with("-") || !is_program(command[next])))
      next += 1 + (launches ? values_of(command[next]) : 0);
    if (next >= command.size()) return programs;
    programs.push_back(next);
  }
  return programs;
}

std::size_t find_program(const std::vector<std::string>& command, const IsProgram& is_program) {
  const std::size_t at = find_programs(command, is_program).back();
  if (!is_interpreter(command[at])) return at;
  std::size_t script = at + 1;
  while (script < command.size() && command[script].starts_with("-")) ++script;
  const bool runs_text = script > at + 1 && command[script - 1] == "-c";
  return script < command.size() && !runs_text ? script : at;
}

std::vector<std::vector<std::string>> split_job(const std::vector<std::string>& command, const IsProgram& is_program) {
  std::size_t behind_launcher = 0;
  for (const std::size_t at : find_programs(command, is_program))
    if (at < command.size() && is_launcher(command[at])) behind_launcher = at + 1;
  if (behind_launcher == 0) return {command};
  const auto begin = command.begin() + static_cast<std::ptrdiff_t>(behind_launcher);
  std::vector<std::vector<std::string>> parts(1, {command.begin(), begin});
  for (auto word = begin; word != command.end(); ++word)
    if (*word == ":") parts.emplace_back(command.begin(), begin);
    else parts.back().push_back(*word);
  return parts;
}

std::string program_name(const std::vector<std::string>& command) {
  std::string name = command.empty() ? "" : base_name(command[find_program(command, is_program)]);
  const auto is_awkward = [](unsigned char c) { return !std::isalnum(c) && !std::strchr("._+-", c); };
  std::replace_if(name.begin(), name.end(), is_awkward, '_');
  return name.empty() || name == "." || name == ".." ? "run" : name;
}

}  // namespace tarry
