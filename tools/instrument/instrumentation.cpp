// instrumentation.cpp -- what is added to a compiler's command line.
#include "instrumentation.hpp"

#include <unistd.h>

#include <algorithm>
#include <climits>
#include <cstdlib>
#include <filesystem>

#include "base/files/file.hpp"
#include "base/tool/log.hpp"
#include "base/text/text.hpp"
#include "compiler_trials.hpp"

namespace tarry {
namespace {

constexpr char kLibrary[] = "libtarry-mpi.so";
constexpr char kPlugin[] = "tarry_gcc_filter_";

// See lib/measure/openmp/gomp_taskloops.cpp.
constexpr char kTaskloops[] =
    "-Wl,--wrap=GOMP_taskloop,--wrap=GOMP_taskloop_ull,--wrap=GOMP_taskgroup_start,--wrap=GOMP_taskgroup_end";

// Functions of the language's own library and of MPI, by a part of their headers' paths: short, many, and not the
// user's. Those that begin annotated regions would end them, too.
constexpr char kForeignFiles[] =
    "/include/c++/,/usr/include/,/usr/lib/,/openmpi/,/nvtx3/,/Kokkos_Tools,/Kokkos_Profiling";

std::string folder_of(const std::string& path) { return path.substr(0, path.rfind('/')); }

bool is_excluded(const std::string& source, const RegionFilter& filter) {
  return !filter.includes_file(source) ||
         !filter.includes_file(std::filesystem::absolute(source).lexically_normal().string());
}

std::vector<std::string> function_options(CompilerFamily family, const Installation& installation,
                                          const InstrumentOptions& options) {
  if (family == CompilerFamily::kClang)
    return {options.records_inlined ? "-finstrument-functions" : "-finstrument-functions-after-inlining"};
  std::vector<std::string> added = {"-finstrument-functions",
                                    std::string("-finstrument-functions-exclude-file-list=") + kForeignFiles};
  if (!options.filter_path.empty() && !installation.gcc_plugin.empty()) {
    added.push_back("-fplugin=" + installation.gcc_plugin);
    // GCC knows a plug-in by the name of its file, up to the first dot and without dashes.
    const std::string file = installation.gcc_plugin.substr(installation.gcc_plugin.rfind('/') + 1);
    added.push_back("-fplugin-arg-" + file.substr(0, file.find('.')) +
                    "-file=" + std::filesystem::absolute(options.filter_path).string());
  }
  return added;
}

using Choices = std::vector<std::vector<std::string>>;

// The options, and the same for a compiler that drives another one: nvcc hands them to that of the host.
Choices with_host_form(const std::vector<std::string>& options) {
  Choices choices = {options, {}};
  for (std::string option : options) {
    for (std::size_t at = option.find(','); at != option.npos; at = option.find(',', at + 2)) option.insert(at, "\\");
    choices[1].insert(choices[1].end(), {"-Xcompiler", option});
  }
  return choices;
}

Choices function_choices(CompilerFamily family, const Installation& installation, const InstrumentOptions& options) {
  Choices choices = with_host_form(function_options(family, installation, options));
  InstrumentOptions plain = options;
  plain.filter_path.clear();
  const CompilerFamily other = family == CompilerFamily::kGcc ? CompilerFamily::kClang : CompilerFamily::kGcc;
  for (const auto& fewer : {function_options(family, installation, plain), function_options(other, installation, plain),
                            std::vector<std::string>{"-finstrument-functions"}})
    for (const auto& choice : with_host_form(fewer))
      if (std::find(choices.begin(), choices.end(), choice) == choices.end()) choices.push_back(choice);
  return choices;
}

// What is linked last is for a linker that knows next to no options.
Choices link_choices(const Installation& installation) {
  const std::string folder = folder_of(installation.library);
  return {{"-Wl,--push-state,--no-as-needed", installation.library, "-Wl,--pop-state", "-Wl,-rpath," + folder},
          {"-Xlinker", "--push-state,--no-as-needed", "-Xlinker", installation.library, "-Xlinker",
           "--pop-state,-rpath," + folder},
          {installation.library, "-Wl,-rpath," + folder},
          {installation.library}};
}

std::vector<std::string> chosen(const CompilerTrials& trials, const Choices& choices, CompilerTrials::Step step,
                                const std::string& warning) {
  if (const auto choice = trials.choose(choices, step)) return choices[*choice];
  if (!warning.empty()) log_warning(warning);
  return {};
}

// Sources of one command are in one language, as a rule.
std::string suffix_of(const CompilerCommand& command) {
  if (command.sources.empty()) return ".c";
  const std::string suffix = std::filesystem::path(command.sources.front()).extension().string();
  return is_one_of(suffix, {"", ".i", ".ii"}) ? ".c" : suffix;
}

bool is_mpi_compiler(const std::string& word) {
  const std::string name = word.substr(word.rfind('/') + 1);
  return name.starts_with("mpi") || name.starts_with("ompi") || name.starts_with("opal");
}

// The recorder has all MPI functions: a linker that leaves out libraries that seem unused would leave out MPI.
bool links_mpi(const CompilerCommand& command) {
  const auto names_mpi = [](const std::string& word) {
    return word.starts_with("-lmpi") || word.find("/libmpi") != word.npos;
  };
  const auto host = std::find_if(command.words.begin(), command.words.end(), [](const std::string& word) {
    return word == "-ccbin" || word == "--compiler-bindir";
  });
  const char* default_host = std::getenv("NVCC_CCBIN");
  return is_mpi_compiler(command.words[command.compiler]) || (default_host && is_mpi_compiler(default_host)) ||
         (host != command.words.end() && host + 1 != command.words.end() && is_mpi_compiler(host[1])) ||
         std::any_of(command.words.begin(), command.words.end(), names_mpi);
}

}  // namespace

Result<Installation> find_installation() {
  char path[PATH_MAX];
  const ssize_t length = ::readlink("/proc/self/exe", path, sizeof path);
  if (length <= 0) return Error{"/proc/self/exe", system_error(), ""};
  const std::string prefix = folder_of(folder_of(std::string(path, static_cast<std::size_t>(length))));
  Installation found;
  // Installed, build tree, build tree of its own.
  for (const char* folder : {"/lib/tarry/", "/lib64/tarry/", "/build/lib/", "/lib/"}) {
    if (!path_exists(prefix + folder + kLibrary)) continue;
    found.library = prefix + folder + kLibrary;
    break;
  }
  if (found.library.empty())
    return Error{kLibrary, "is not there, neither in " + prefix + "/lib/tarry nor in " + prefix + "/build/lib",
                 "run 'make', or install again"};
  for (const char* folder : {"/include", "/lib/measure/user", "/../lib/measure/user", "/../../lib/measure/user"})
    if (path_exists(prefix + folder + "/tarry/user.h")) {
      found.include_folder = std::filesystem::path(prefix + folder).lexically_normal().string();
      return found;
    }
  return Error{"tarry/user.h", "is not there, neither in " + prefix + "/include nor in " + prefix + "/lib/measure/user",
               "install the package tarry-dev, or install again"};
}

std::string find_gcc_plugin(const Installation& installation, const std::string& version) {
  std::string name = version;
  std::replace(name.begin(), name.end(), '.', '_');
  const std::string path = folder_of(installation.library) + "/" + kPlugin + name + ".so";
  return !version.empty() && path_exists(path) ? path : "";
}

std::vector<std::string> instrument(const CompilerCommand& command, CompilerFamily family,
                                    const Installation& installation, const InstrumentOptions& options) {
  std::vector<std::string> added;
  const auto add = [&added](const std::vector<std::string>& words) {
    added.insert(added.end(), words.begin(), words.end());
  };
  const std::string& compiler = command.words[command.compiler];
  const CompilerTrials trials(compiler, suffix_of(command));
  if (command.compiles) {
    add({"-DTARRY", "-I" + installation.include_folder});
    const bool has_function =
        std::any_of(command.sources.begin(), command.sources.end(),
                    [&options](const std::string& source) { return !is_excluded(source, options.filter); });
    if (options.records_functions && has_function)
      add(chosen(trials, function_choices(family, installation, options), CompilerTrials::Step::kCompileHooks,
                 compiler + " puts no calls at functions: they are not recorded"));
    Choices debug = with_host_form({"-g1"});
    if (std::find(added.begin(), added.end(), "-Xcompiler") != added.end()) debug.erase(debug.begin());
    if (!command.has_debug_option) add(chosen(trials, debug, CompilerTrials::Step::kCompile, ""));
  }
  if (command.links && !command.is_static) {
    add(chosen(trials, link_choices(installation), CompilerTrials::Step::kLink,
               compiler + " does not link the recorder: run the program under 'tarry measure'"));
    if (command.uses_openmp && family == CompilerFamily::kGcc)
      add(chosen(trials, with_host_form({kTaskloops}), CompilerTrials::Step::kLink, ""));
    const bool is_driver = added.size() > 1 && added[added.size() - 2] == "-Xlinker";
    if (links_mpi(command) && is_driver) add({"-Xlinker", "--no-as-needed"});
    if (links_mpi(command) && !is_driver) add({"-Wl,--no-as-needed"});
  }
  std::vector<std::string> words = command.words;
  words.insert(words.begin() + static_cast<std::ptrdiff_t>(command.compiler) + 1, added.begin(), added.end());
  return words;
}

std::string warning_about(const CompilerCommand& command) {
  if (command.links && command.is_static) return "a static program cannot be recorded: leave -static out";
  return {};
}

}  // namespace tarry
