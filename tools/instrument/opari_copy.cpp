// opari_copy.cpp -- lets OPARI2 instrument a source, and repairs what it writes.
#include "opari_copy.hpp"

#include <fcntl.h>

#include <cstring>
#include <filesystem>
#include <fstream>
#include <regex>
#include <sstream>
#include <utility>
#include <vector>

#include "base/files/file.hpp"
#include "base/processes/run_process.hpp"
#include "base/text/text.hpp"
#include "base/tool/log.hpp"
#include "run_compiler.hpp"
#include "sis_directives.hpp"

namespace tarry {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kInclude = "#include <opari2/";

bool write_text(const std::string& path, std::string_view text) {
  std::ofstream file(path, std::ios::binary | std::ios::trunc);
  file << text;
  return static_cast<bool>(file.flush());
}

void replace_all(std::string& text, std::string_view from, std::string_view to) {
  for (std::size_t at = text.find(from); at != text.npos; at = text.find(from, at + to.size()))
    text.replace(at, from.size(), to);
}

// Names of files in the "#line" directives of a source itself, as in what a parser generator writes.
std::vector<std::string> names_of_lines(const std::string& source) {
  std::vector<std::string> names;
  std::istringstream lines(text_of_file(source));
  for (std::string line; std::getline(lines, line);) {
    if (!line.starts_with("#line ") && !line.starts_with("# ")) continue;
    const std::size_t begin = line.find('"'), end = line.rfind('"');
    if (begin < end && end != line.npos) names.push_back(line.substr(begin + 1, end - begin - 1));
  }
  return names;
}

// OPARI2 names files by their full paths; it has read `input`. __FILE__ is the name in the compiler's command.
void restore_names(std::string& text, const std::string& source, const std::string& input) {
  std::vector<std::pair<std::string, std::string>> names = {{fs::absolute(input).string(), source}};
  for (const std::string& name : names_of_lines(input))
    names.emplace_back((fs::absolute(input).parent_path() / name).string(), name);
  for (std::size_t at = 0; at != text.npos; at = text.find("\n#line ", at + 1)) {
    const std::size_t end = text.find('\n', at + 1), quote = text.find('"', at);
    if (quote >= end || text.compare(at + (at > 0), 6, "#line ") != 0) continue;
    for (const auto& [full, name] : names)
      if (text.compare(quote + 1, full.size() + 1, full + "\"") == 0) {
        text.replace(quote + 1, full.size(), name);
        break;
      }
  }
}

// What OPARI2 makes wrong although it compiles: names that it uses itself, and a loop that may be cancelled, to which
// it adds "nowait".
std::string trouble_in(const std::string& source) {
  static const std::regex cancel(R"((omp\s+|\$omp\s+)(end\s+)?cancel\b)", std::regex::icase);
  std::istringstream lines(text_of_file(source));
  for (std::string line; std::getline(lines, line);) {
    if (line.find("pomp2_") != line.npos || line.find("opari2_") != line.npos) return "it has names that opari2 uses";
    if (line.find("ancel") == line.npos && line.find("ANCEL") == line.npos) continue;
    if (std::regex_search(line, cancel)) return "opari2 changes what can be cancelled";
  }
  return {};
}

// OPARI2 drops "#include <omp.h>" with its line, except when there is no blank. It takes "parallel:" for a variable.
std::string prepared_c(const std::string& source) {
  static const std::regex include(R"(^([ \t]*#[ \t]*include)[ \t]*([<"]omp\.h[>"]))");
  static const std::regex modifier(
      R"(^([ \t]*#[ \t]*pragma[ \t]+omp[ \t]+(parallel|task)\b.*\bif[ \t]*\([ \t]*)\2[ \t]*:)");
  std::istringstream lines(text_of_file(source));
  std::string prepared;
  for (std::string line; std::getline(lines, line); prepared += line + (lines.eof() ? "" : "\n")) {
    if (line.find("omp.h") != line.npos) line = std::regex_replace(line, include, "#include$2");
    if (line.find("omp") != line.npos && line.find(':') != line.npos) line = std::regex_replace(line, modifier, "$1");
  }
  return prepared;
}

// With calls in the place of directives of SCALEA.
std::string prepared_fortran(const std::string& source) {
  const bool is_fixed = is_one_of(fs::path(source).extension().string(), {".f", ".for", ".F", ".FOR"});
  SisSource made = replace_sis_directives(text_of_file(source), source, is_fixed);
  for (const std::string& complaint : made.complaints) log_warning(source + ":" + complaint);
  return std::move(made.text);
}

// The number of the region of that name: "1" in "opari2_ctc_1". Fortran's lines are broken.
std::string number_of_region(std::string head, const std::string& name) {
  replace_all(head, "\"//&\n      \"", "");
  constexpr std::string_view variable = "opari2_ctc_";
  const std::size_t at = head.find("*userRegionName=" + name + "*");
  const std::size_t begin = at == head.npos ? at : head.rfind(variable, at);
  if (begin == head.npos) return {};
  const std::size_t first = begin + variable.size();
  return head.substr(first, head.find_first_not_of("0123456789", first) - first);
}

// OPARI2 knows one "begin" of a region and leaves "altbegin" as it is.
void replace_other_begins(std::string& text, const std::string& head, bool is_fortran) {
  static const std::regex in_c(
      R"(^[ \t]*#[ \t]*pragma[ \t]+pomp[ \t]+inst[ \t]+altbegin[ \t]*\([ \t]*(\w+)[ \t]*\).*$)");
  static const std::regex in_fortran(R"(^[ \t]*[!cC*]POMP\$[ \t]*INST[ \t]+ALTBEGIN[ \t]*\([ \t]*(\w+)[ \t]*\).*$)",
                                     std::regex::icase);
  std::istringstream lines(std::exchange(text, {}));
  for (std::string line; std::getline(lines, line); text += line + "\n") {
    std::smatch found;
    if (line.find("begin") == line.npos && line.find("BEGIN") == line.npos) continue;
    if (!std::regex_match(line, found, is_fortran ? in_fortran : in_c)) continue;
    const std::string number = number_of_region(head, found[1]);
    if (number.empty()) continue;
    const std::string name = std::string(is_fortran ? "" : "&") + "opari2_region_" + number;
    line = std::string(is_fortran ? "      call " : "") + "POMP2_Begin(" + name + ", opari2_ctc_" + number +
           (is_fortran ? ")" : ");");
  }
}

// Headers in front of the source would come before its own macros (_GNU_SOURCE), so the copy includes none.
bool repair_c(const std::string& copy, const std::string& source, const std::string& input) {
  std::string text = text_of_file(copy), head = text_of_file(copy + ".opari.inc");
  restore_names(text, source, input);
  replace_other_begins(text, head, false);
  replace_all(head, fs::absolute(input).parent_path().string() + "/",
              (fs::absolute(source).parent_path() / "").string());
  replace_all(text, "int pomp2_num_threads = omp_get_max_threads();\n",
              "int pomp2_num_threads = POMP2_Lib_get_max_threads();\n");
  for (std::size_t at = head.find(kInclude); at != head.npos; at = head.find(kInclude))
    head.erase(at, head.find('\n', at) - at);
  // Functions that nobody calls are the last part; their names differ in each build.
  for (const std::string_view begin : {"#ifdef __cplusplus\nextern \"C\"", "extern \"C\""})
    if (const std::size_t at = head.find(begin); at != head.npos) head.erase(at);
  replace_all(head, " = NULL;", " = 0;");
  return write_text(copy, text) &&
         write_text(copy + ".opari.inc", "#pragma GCC system_header\n#include <tarry/pomp2.h>\n" + head);
}

bool repair_fortran(const std::string& copy, const std::string& source, const std::string& input) {
  std::string text = text_of_file(copy);
  restore_names(text, source, input);
  replace_other_begins(text, text_of_file(copy + ".opari.inc"), true);
  return write_text(copy, text);
}

// From "ERROR: could not determine end of OpenMP construct (braces mismatch?)\n  near "OpenMP: atomic" construct at
// x.c:11" to the place.
std::string reason_in(const std::string& output) {
  const std::size_t at = output.find("near \"");
  if (at == output.npos) return "opari2 cannot read it";
  std::string place = output.substr(at, output.find('\n', at) - at);
  const std::size_t slash = place.rfind('/');
  const std::size_t name = place.find(" at ");
  if (slash != place.npos && name != place.npos) place.erase(name + 4, slash - name - 3);
  return "opari2 cannot read it (" + place + ")";
}

}  // namespace

bool opari_reads(const std::string& source) {
  return is_one_of(fs::path(source).extension().string(),
                   {".c", ".cc", ".cpp", ".cxx", ".c++", ".C", ".f", ".for", ".F", ".FOR", ".f90", ".f95", ".f03",
                    ".f08", ".F90", ".F95", ".F03", ".F08"});
}

bool is_fortran_source(const std::string& source) {
  const std::string extension = fs::path(source).extension().string();
  return extension.size() > 1 && (extension[1] == 'f' || extension[1] == 'F');
}

bool marks_pomp_regions(const std::string& source) {
  std::istringstream lines(text_of_file(source));
  for (std::string line; std::getline(lines, line);) {
    const char* at = line.c_str() + std::strspn(line.c_str(), " \t");
    if (is_fortran_source(source) ? *at && ::strncasecmp(at + 1, "POMP$", 5) == 0
                                  : *at == '#' && line.find("pragma") != line.npos && line.find("pomp") != line.npos)
      return true;
  }
  return false;
}

bool has_regions_of_scalea(const std::string& source) {
  return is_fortran_source(source) && has_sis_directives(text_of_file(source));
}

std::string write_opari_copy(const std::string& source, const std::string& copy, OpariMode mode) {
  const std::string folder = fs::path(copy).parent_path().string(), output = copy + ".messages";
  if (const std::string trouble = trouble_in(source); !trouble.empty() && mode != OpariMode::kNothing) return trouble;
  const bool is_fortran = is_fortran_source(source), is_prepared = !is_fortran || has_regions_of_scalea(source);
  const std::string input = is_prepared ? folder + "/prepared/" + fs::path(source).filename().string() : source;
  std::error_code cause;
  fs::create_directories(fs::path(input).parent_path(), cause);
  fs::create_directories(folder, cause);
  const auto file = open_file(output, O_WRONLY | O_CREAT | O_TRUNC);
  if (!file.ok() || (is_prepared && !write_text(input, is_fortran ? prepared_fortran(source) : prepared_c(source))))
    return "no copy can be written";
  if (mode == OpariMode::kNothing) return write_text(copy, text_of_file(input)) ? "" : "no copy can be written";
  // A limit for what it does not come to an end with. "untied" stays: libgomp's tasks keep their thread anyway.
  std::vector<std::string> words = {"sh", "-c", "ulimit -t 5; exec opari2 \"$@\"", "opari2", "--omp-task-untied=keep"};
  if (mode == OpariMode::kMarkedRegions) words.push_back("--disable=omp");
  words.insert(words.end(), {input, copy});
  const int status = run_process(words, {.output = file.value().descriptor(), .error = file.value().descriptor()});
  if (status == kExitNotFound) return kNoOpari;
  if (status != 0 || !path_exists(copy)) return reason_in(text_of_file(output));
  const bool is_repaired = is_fortran ? repair_fortran(copy, source, input) : repair_c(copy, source, input);
  return is_repaired ? "" : "no copy can be written";
}

}  // namespace tarry
