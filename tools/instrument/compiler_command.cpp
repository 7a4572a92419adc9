// compiler_command.cpp -- what a compiler's command line asks for.
#include "compiler_command.hpp"

#include <cstdio>
#include <map>
#include <utility>

#include "base/files/file.hpp"
#include "base/text/text.hpp"

namespace tarry {
namespace {

std::string base_name(const std::string& path) { return path.substr(path.rfind('/') + 1); }

bool is_compiler_launcher(const std::string& word) {
  return is_one_of(base_name(word), {"ccache", "sccache", "distcc", "icecc", "nice", "env", "time"});
}

bool is_source(const std::string& file) {
  const std::size_t dot = file.rfind('.');
  if (dot == std::string::npos || file.find('/', dot) != std::string::npos) return false;
  return is_one_of(file.substr(dot), {".c",   ".i",   ".cc",  ".cp",  ".cpp", ".cxx", ".c++", ".C",   ".CPP", ".ii",
                                      ".f",   ".for", ".ftn", ".F",   ".FOR", ".FTN", ".fpp", ".FPP", ".f90", ".f95",
                                      ".f03", ".f08", ".F90", ".F95", ".F03", ".F08", ".m",   ".mm",  ".cu"});
}

// Options whose value is the next word, where that could be taken for a file.
bool takes_a_word(const std::string& option) {
  return is_one_of(option, {"-o",
                            "-I",
                            "-L",
                            "-D",
                            "-U",
                            "-l",
                            "-T",
                            "-u",
                            "-x",
                            "-J",
                            "-F",
                            "-MF",
                            "-MT",
                            "-MQ",
                            "-include",
                            "-imacros",
                            "-isystem",
                            "-iquote",
                            "-idirafter",
                            "-iprefix",
                            "-isysroot",
                            "-Xlinker",
                            "-Xpreprocessor",
                            "-Xassembler",
                            "-Xclang",
                            "-z",
                            "-e",
                            "-target",
                            "-arch",
                            "-aux-info",
                            "--param",
                            "-dumpbase",
                            "-dumpdir",
                            "-framework",
                            "-rpath",
                            "-soname",
                            "-B"});
}

// The words of a response file: blanks separate, quotes and backslashes protect.
std::vector<std::string> read_response_file(const std::string& path) {
  std::vector<std::string> words;
  const auto file = MappedFile::open(path);  // a pipe is the compiler's to read
  if (!file.ok()) return words;
  const auto bytes = file.value().bytes();
  char quote = 0;
  bool is_inside = false;
  for (std::size_t at = 0; at < bytes.size(); ++at) {
    char c = static_cast<char>(bytes[at]);
    const bool is_blank = std::isspace(static_cast<unsigned char>(c));
    if (!quote && is_blank) {
      is_inside = false;
      continue;
    }
    if (!is_inside) words.emplace_back();
    is_inside = true;
    if (quote ? c == quote : c == '"' || c == '\'') {
      quote = quote ? 0 : c;
      continue;
    }
    if (c == '\\' && at + 1 < bytes.size()) c = static_cast<char>(bytes[++at]);
    words.back().push_back(c);
  }
  return words;
}

class CommandReader {
 public:
  explicit CommandReader(CompilerCommand& command) : command_(command) {}

  void read(const std::vector<std::string>& words, std::size_t first) {
    for (std::size_t at = first; at < words.size(); ++at) {
      const std::string& word = words[at];
      if (word.size() > 1 && word[0] == '@') read(read_response_file(word.substr(1)), 0);
      else if (word.size() > 1 && word[0] == '-') at += read_option(word, at + 1 < words.size() ? words[at + 1] : "");
      else read_file_name(word);
    }
  }

  void finish() {
    command_.compiles = !command_.sources.empty();
    command_.links = has_input_ && !stops_early_ && !prints_only_;
    if (prints_only_) command_.compiles = false;
  }

 private:
  // Returns how many of the next words belong to the option.
  std::size_t read_option(const std::string& option, const std::string& next) {
    if (is_one_of(option, {"-c", "-S", "-E", "-M", "-MM", "-fsyntax-only"})) stops_early_ = true;
    if (is_one_of(option, {"-E", "-M", "-MM"})) command_.preprocesses_only = true;
    if (is_one_of(option, {"--version", "--help", "-dumpversion", "-dumpmachine", "-###"}) ||
        option.starts_with("-print-") || option.starts_with("--print-") || option.starts_with("-showme") ||
        option.starts_with("--showme") || option == "-show")
      prints_only_ = true;
    if (option == "-shared") command_.makes_library = true;
    if (is_one_of(option, {"-static", "-static-pie", "--static"})) command_.is_static = true;
    if (option.starts_with("-g") && !option.starts_with("-gcc") && !option.starts_with("-gencode") &&
        option != "-gpubnames")
      command_.has_debug_option = true;
    if (option.starts_with("-fopenmp")) command_.uses_openmp = true;
    if (option == "-x") language_ = next;
    else if (option.starts_with("-x")) language_ = option.substr(2);
    return takes_a_word(option) ? 1 : 0;
  }

  void read_file_name(const std::string& file) {
    has_input_ = true;
    const bool is_of_language = !language_.empty() && language_ != "none" && !language_.starts_with("assembler");
    if (is_of_language || is_source(file)) command_.sources.push_back(file);
  }

  CompilerCommand& command_;
  std::string language_;  // of -x
  bool has_input_ = false;
  bool stops_early_ = false;
  bool prints_only_ = false;
};

}  // namespace

CompilerCommand read_compiler_command(std::vector<std::string> words) {
  CompilerCommand command;
  command.words = std::move(words);
  while (command.compiler + 1 < command.words.size() &&
         (is_compiler_launcher(command.words[command.compiler]) ||
          command.words[command.compiler].find('=') != std::string::npos))
    ++command.compiler;
  CommandReader reader(command);
  reader.read(command.words, command.compiler + 1);
  reader.finish();
  return command;
}

namespace {

std::string ask_compiler(const std::string& compiler, const std::string& option) {
  std::string quoted = "'";
  for (const char c : compiler) quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
  std::FILE* pipe = ::popen((quoted + "' " + option + " 2>/dev/null").c_str(), "r");
  if (!pipe) return {};
  std::string text(4096, '\0');
  text.resize(std::fread(text.data(), 1, text.size(), pipe));
  ::pclose(pipe);
  return text;
}

}  // namespace

const std::string& compiler_answer(const std::string& compiler, const std::string& option) {
  static std::map<std::pair<std::string, std::string>, std::string> answers;
  const auto [answer, is_new] = answers.try_emplace({compiler, option});
  if (is_new) answer->second = ask_compiler(compiler, option);
  return answer->second;
}

CompilerFamily family_of(const std::string& compiler) {
  const std::string name = base_name(compiler);
  if (name.find("clang") != std::string::npos || name == "icx" || name == "icpx") return CompilerFamily::kClang;
  if (name.find("gcc") != std::string::npos || name.find("g++") != std::string::npos ||
      name.find("gfortran") != std::string::npos)
    return CompilerFamily::kGcc;
  return compiler_answer(compiler, "--version").find("clang") != std::string::npos ? CompilerFamily::kClang
                                                                                   : CompilerFamily::kGcc;
}

std::string gcc_version(const std::string& compiler) {
  std::string version = compiler_answer(compiler, "-dumpfullversion");
  while (!version.empty() && std::isspace(static_cast<unsigned char>(version.back()))) version.pop_back();
  return version;
}

}  // namespace tarry
