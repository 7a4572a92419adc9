// instrumentation.cpp -- what is added to a compiler's command line.
#include "instrumentation.hpp"

#include <unistd.h>

#include <algorithm>
#include <climits>
#include <filesystem>

#include "base/file.hpp"

namespace tarry {
namespace {

constexpr char kLibrary[] = "libtarry-mpi.so";
constexpr char kPlugin[] = "tarry_gcc_filter_";

// Functions of the language's own library and of MPI, by a part of their headers' paths: short, many, and not the
// user's.
constexpr char kForeignFiles[] = "/include/c++/,/usr/include/,/usr/lib/,/openmpi/";

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
    added.push_back("-fplugin-arg-" + file.substr(0, file.find('.')) + "-file=" +
                    std::filesystem::absolute(options.filter_path).string());
  }
  return added;
}

// The recorder has all MPI functions: a linker that leaves out libraries that seem unused would leave out MPI.
bool links_mpi(const CompilerCommand& command) {
  const std::string compiler = command.words[command.compiler].substr(command.words[command.compiler].rfind('/') + 1);
  const auto names_mpi = [](const std::string& word) {
    return word.starts_with("-lmpi") || word.find("/libmpi") != word.npos;
  };
  return compiler.starts_with("mpi") || compiler.starts_with("ompi") || compiler.starts_with("opal") ||
         std::any_of(command.words.begin(), command.words.end(), names_mpi);
}

}  // namespace

Result<Installation> find_installation() {
  char path[PATH_MAX];
  const ssize_t length = ::readlink("/proc/self/exe", path, sizeof path);
  if (length <= 0) return Error{"/proc/self/exe", system_error(), ""};
  const std::string prefix = folder_of(folder_of(std::string(path, static_cast<std::size_t>(length))));
  Installation found;
  for (const char* folder : {"/lib/tarry/", "/build/lib/", "/lib/"}) {  // installed, build tree, build tree of its own
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
  if (command.compiles) {
    added = {"-DTARRY", "-I" + installation.include_folder};
    const bool has_function =
        std::any_of(command.sources.begin(), command.sources.end(),
                    [&options](const std::string& source) { return !is_excluded(source, options.filter); });
    if (options.records_functions && has_function) {
      const std::vector<std::string> functions = function_options(family, installation, options);
      added.insert(added.end(), functions.begin(), functions.end());
    }
    if (!command.has_debug_option) added.push_back("-g1");
  }
  if (command.links && !command.is_static) {
    for (const char* word : {"-Wl,--push-state,--no-as-needed", installation.library.c_str(), "-Wl,--pop-state"})
      added.push_back(word);
    added.push_back("-Wl,-rpath," + folder_of(installation.library));
    if (links_mpi(command)) added.push_back("-Wl,--no-as-needed");
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
