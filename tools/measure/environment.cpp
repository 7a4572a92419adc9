// environment.cpp -- the environment the measured command runs in.
//
// Open MPI's mpirun hands its environment to ranks on its own node only. Two ways lead to the others:
//  * The launch agent: the command that starts the daemon on a remote node. `env A=B orted` puts variables into the
//    daemon's environment, which its ranks inherit. It gets along with `-x`, but goes through a remote shell. Since
//    Open MPI 5 the daemon is PRRTE's.
//  * mca_base_env_list: the variables travel with the job description, whatever their text. mpirun refuses to run if
//    `-x` is used as well (also in a file named by --tune, --am or --app).
// The first is taken unless the user has an agent of their own or a value needs quoting.
#include "environment.hpp"

#include <unistd.h>

#include <algorithm>
#include <climits>
#include <set>
#include <string_view>

#include "base/files/file.hpp"
#include "base/processes/launchers.hpp"
#include "base/text/text.hpp"
#include "base/tool/own_library.hpp"
#include "program_name.hpp"

namespace tarry {
namespace {

// Each stands for the library whose name lacks "preload-" (see lib/measure/rules.mk).
constexpr char kLibrary[] = "libtarry-preload-mpi.so";
constexpr char kHeapLibrary[] = "libtarry-preload-heap.so", kFileLibrary[] = "libtarry-preload-io.so";
constexpr char kOpenClLibrary[] = "libtarry-opencl.so", kOpenClLayers[] = "OPENCL_LAYERS";
constexpr char kCudaLibrary[] = "libtarry-cuda.so", kCudaTool[] = "CUDA_INJECTION64_PATH";
constexpr char kAnnotationsLibrary[] = "libtarry-annotations.so";
constexpr char kAnyOwnLibrary[] = "libtarry-";
constexpr char kListVariable[] = "OMPI_MCA_mca_base_env_list";

// What entries of the environment begin with that processes on other nodes need.
constexpr std::string_view kForwarded[] = {"TARRY_",
                                           "LD_PRELOAD=",
                                           "OPENCL_LAYERS=",
                                           "CUDA_INJECTION64_PATH=",
                                           "NVTX_INJECTION64_PATH=",
                                           "KOKKOS_TOOLS_LIBS=",
                                           "INTEL_LIBITTNOTIFY64="};

// What names the command that starts this daemon.
struct LaunchAgent {
  const char *variable, *daemon;
};
constexpr LaunchAgent kAgent = {"OMPI_MCA_orte_launch_agent", "orted"};
constexpr LaunchAgent kNewerAgent = {"PRTE_MCA_prte_launch_agent", "prted"};

std::string folder_of(const std::string& path) { return path.substr(0, path.rfind('/')); }

std::string without_second_dash(const std::string& word) { return word.starts_with("--") ? word.substr(1) : word; }

// An interface of annotations, and what names the library that it loads. Kokkos ends where what names it differs, and
// since 3.7 warns of its older variable. Other interfaces are heard by a library that is preloaded.
struct AnnotationInterface {
  std::string_view word;
  const char *variable = nullptr, *other_variable = nullptr, *option = nullptr, *preloaded = nullptr;
};
constexpr char kAnnotationCalls[] = "libtarry-preload-annotations.so";
constexpr const char *kKokkosTools = "KOKKOS_TOOLS_LIBS", *kOlderKokkosTools = "KOKKOS_PROFILE_LIBRARY";
constexpr AnnotationInterface kAnnotationInterfaces[] = {
    {.word = "nvtx", .variable = "NVTX_INJECTION64_PATH"},
    {.word = "kokkos", .variable = kKokkosTools, .other_variable = kOlderKokkosTools, .option = "-kokkos-tool"},
    {.word = "kokkos-old", .variable = kOlderKokkosTools, .other_variable = kKokkosTools, .option = "-kokkos-tool"},
    {.word = "itt", .variable = "INTEL_LIBITTNOTIFY64"},
    {.word = "caliper", .preloaded = kAnnotationCalls},
    {.word = "roctx", .preloaded = kAnnotationCalls},
    {.word = "likwid", .preloaded = kAnnotationCalls},
    {.word = "perfstubs", .preloaded = "libtarry-preload-perfstubs.so"}};

// What names another tool than `library` for that interface; empty: nothing does.
std::string tool_of_user(const AnnotationInterface& interface, const Environment& environment,
                         const std::vector<std::string>& command, const std::string& library) {
  for (const char* variable : {interface.variable, interface.other_variable})
    if (variable && !value_of(environment, variable).empty() && value_of(environment, variable) != library)
      return variable;
  for (const std::string& word : command)
    if (interface.option && without_second_dash(word).starts_with(interface.option)) return word;
  return "";
}

bool has_word(const std::vector<std::string>& command, std::initializer_list<std::string_view> words) {
  return std::any_of(command.begin(), command.end(), [&words](const std::string& word) {
    return std::find(words.begin(), words.end(), without_second_dash(word)) != words.end();
  });
}

std::vector<std::string> forwarded_variables(const Environment& environment) {
  std::vector<std::string> variables;
  for (const std::string& entry : environment)
    if (std::ranges::any_of(kForwarded, [&](std::string_view name) { return entry.starts_with(name); }))
      variables.push_back(entry);
  return variables;
}

// Survives splitting at blanks and a remote shell.
bool is_plain(const std::string& text) {
  return std::all_of(text.begin(), text.end(), [](unsigned char c) {
    return std::isalnum(c) || std::string_view("_./:,=+@%-").find(static_cast<char>(c)) != std::string_view::npos;
  });
}

// The newer one only where there is such a daemon: the measured program sees the variable.
std::vector<LaunchAgent> agents_for(const std::vector<std::string>& command) {
  const auto is_beside = [](const std::string& word) {
    return is_launcher(word) && is_program(folder_of(program_path(word)) + "/" + kNewerAgent.daemon);
  };
  if (is_program(kNewerAgent.daemon) || std::ranges::any_of(command, is_beside)) return {kAgent, kNewerAgent};
  return {kAgent};
}

void put_before_agents(Environment& environment, const std::vector<LaunchAgent>& agents,
                       const std::vector<std::string>& variables) {
  std::string command = "/usr/bin/env";
  for (const std::string& variable : variables) command += " " + variable;
  for (const LaunchAgent& agent : agents) {
    const std::string own = value_of(environment, agent.variable);
    set_variable(environment, agent.variable, command + " " + (own.empty() ? agent.daemon : own));
  }
}

}  // namespace

Environment current_environment() {
  Environment environment;
  for (char** entry = environ; *entry; ++entry) environment.emplace_back(*entry);
  return environment;
}

std::string value_of(const Environment& environment, const std::string& name) {
  for (const std::string& entry : environment)
    if (entry.starts_with(name + "=")) return entry.substr(name.size() + 1);
  return "";
}

void set_variable(Environment& environment, const std::string& name, const std::string& value) {
  std::erase_if(environment, [&name](const std::string& entry) { return entry.starts_with(name + "="); });
  environment.push_back(name + "=" + value);
}

Result<std::string> find_preload_library() { return find_own_library(kLibrary); }

static Result<std::string> find_beside(const std::string& preload_library, const char* name) {
  const std::string path = folder_of(preload_library) + "/" + name;
  if (path_exists(path)) return path;
  return Error{path, "is not there", "run 'make', or install again"};
}

Result<std::string> find_heap_library(const std::string& preload_library) {
  return find_beside(preload_library, kHeapLibrary);
}

Result<std::string> find_file_library(const std::string& preload_library) {
  return find_beside(preload_library, kFileLibrary);
}

Result<std::string> find_opencl_library(const std::string& preload_library) {
  const auto found = find_beside(preload_library, kOpenClLibrary);
  if (found.ok()) return found;
  return Error{"--opencl", "built without OpenCL: CL/cl_layer.h was not found",
               "install the headers of OpenCL (Debian: opencl-headers), and run 'make' again"};
}

void add_opencl_layer(Environment& environment, const std::string& library) {
  const std::string others = value_of(environment, kOpenClLayers);
  set_variable(environment, kOpenClLayers, others.empty() ? library : library + ":" + others);
}

Result<std::string> find_cuda_library(const std::string& preload_library) {
  const auto found = find_beside(preload_library, kCudaLibrary);
  if (found.ok()) return found;
  return Error{"--cuda", "built without CUDA: cupti.h was not found",
               "install NVIDIA's CUDA Toolkit, and run 'make CUDA=/its/path' again"};
}

bool add_cuda_library(Environment& environment, const std::string& library) {
  const std::string other = value_of(environment, kCudaTool);
  if (!other.empty() && other != library) return false;
  set_variable(environment, kCudaTool, library);
  return true;
}

Result<std::string> find_annotations_library(const std::string& preload_library) {
  return find_beside(preload_library, kAnnotationsLibrary);
}

Status preload_for_annotations(Environment& environment, const std::string& library, const std::string& interfaces) {
  std::set<std::string> libraries;
  const std::vector<std::string> words = split_list(interfaces);
  for (const AnnotationInterface& each : kAnnotationInterfaces)
    if (each.preloaded && std::ranges::find(words, each.word) != words.end())
      libraries.insert(folder_of(library) + "/" + each.preloaded);
  for (const std::string& each : libraries) TARRY_TRY(preload(environment, each));
  return {};
}

std::vector<std::string> add_annotations_library(Environment& environment, const std::string& library,
                                                 const std::string& interfaces,
                                                 const std::vector<std::string>& command) {
  std::vector<std::string> taken;
  const std::vector<std::string> words = split_list(interfaces);
  for (const AnnotationInterface& each : kAnnotationInterfaces) {
    if (!each.variable || std::ranges::find(words, each.word) == words.end()) continue;
    const std::string other = tool_of_user(each, environment, command, library);
    if (other.empty()) set_variable(environment, each.variable, library);
    else taken.push_back(other);
  }
  return taken;
}

Status preload(Environment& environment, const std::string& library) {
  if (library.find_first_of(" :") != std::string::npos)
    return Error{library, "has a blank or a colon in its path, which LD_PRELOAD cannot name", "install it elsewhere"};
  const std::string others = value_of(environment, "LD_PRELOAD");
  set_variable(environment, "LD_PRELOAD", others.empty() ? library : library + ":" + others);
  return {};
}

Forwarding forward_to_nodes(Environment& environment, const std::vector<std::string>& command) {
  const std::vector<std::string> variables = forwarded_variables(environment);
  const std::vector<LaunchAgent> agents = agents_for(command);
  const bool has_own_agent = std::ranges::any_of(
      agents, [&](const LaunchAgent& agent) { return !value_of(environment, agent.variable).empty(); });
  const bool can_use_list = !has_word(command, {"-x", "-tune", "-am", "-app"});
  const bool can_use_agent = !has_word(command, {"-launch-agent", "orte_launch_agent", "prte_launch_agent"}) &&
                             std::all_of(variables.begin(), variables.end(), is_plain);
  // An agent of the user's own may start with an environment of its own.
  if (can_use_agent && (!has_own_agent || !can_use_list)) {
    put_before_agents(environment, agents, variables);
    return Forwarding::kLaunchAgent;
  }
  if (!can_use_list) return Forwarding::kNone;
  const std::string separator = value_of(environment, std::string(kListVariable) + "_delimiter");
  std::string list = value_of(environment, kListVariable);
  for (const std::string& variable : variables)
    list += (list.empty() ? "" : separator.empty() ? ";" : separator) + variable.substr(0, variable.find('='));
  set_variable(environment, kListVariable, list);
  return Forwarding::kVariableList;
}

std::string find_own_preload(const std::vector<std::string>& command) {
  for (const std::string& word : command)
    if (const std::size_t value = word.find("LD_PRELOAD="); value != std::string::npos)
      if (word.starts_with("--export=") && word.find(kAnyOwnLibrary, value) == std::string::npos) return word;
  return "";
}

}  // namespace tarry
