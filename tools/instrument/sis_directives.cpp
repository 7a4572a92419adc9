// sis_directives.cpp -- reads directives line by line.
#include "sis_directives.hpp"

#include <strings.h>

#include <algorithm>
#include <cctype>
#include <cstring>
#include <sstream>

namespace tarry {
namespace {

constexpr char kSentinel[] = "SIS$";
constexpr std::size_t kSentinelBytes = sizeof kSentinel - 1;

bool is_word(const std::string& text, const char* word) { return ::strcasecmp(text.c_str(), word) == 0; }

bool is_name(const std::string& text) {
  return !text.empty() && !std::isdigit(static_cast<unsigned char>(text[0])) &&
         std::ranges::all_of(text, [](unsigned char c) { return std::isalnum(c) || c == '_'; });
}

// What is behind the sentinel; nullptr: it is no directive. In free form blanks may be in front.
const char* directive_in(const std::string& line) {
  const char* at = line.c_str() + std::strspn(line.c_str(), " \t");
  const bool is_comment = *at == '!' || (at == line.c_str() && *at && std::strchr("cC*", *at));
  return is_comment && ::strncasecmp(at + 1, kSentinel, kSentinelBytes) == 0 ? at + 1 + kSentinelBytes : nullptr;
}

// Commas are blanks, and a comment may follow.
std::vector<std::string> words_of(std::string text) {
  text.resize(std::min(text.find('!'), text.size()));
  std::ranges::replace(text, ',', ' ');
  std::istringstream stream(text);
  std::vector<std::string> words;
  for (std::string word; stream >> word;) words.push_back(word);
  return words;
}

class Directives {
 public:
  Directives(std::string name, bool is_fixed) : name_(std::move(name)), is_fixed_(is_fixed) {}

  void add_line(const std::string& line) {
    ++number_;
    const char* const directive = directive_in(line);
    if (!directive) return void(made_.text += line + "\n");
    const std::vector<std::string> words = words_of(directive);
    if (words.size() > 1 && is_word(words[0], "END") && is_word(words[1], "CR")) end_region();
    else if (!words.empty() && is_word(words[0], "CR")) read_code_region(words);
    else if (words.size() > 1 && is_word(words[0], "MEASURE")) switch_recording(words[1]);
    else complain("is no directive of SCALEA");
    point_to(number_ + 1);
  }

  SisSource finish() {
    for (const std::string& name : open_) complain("the region " + name + " has no END CR");
    return std::move(made_);
  }

  /// The compiler is told that the next line is that of the source.
  void point_to(std::size_t line) { made_.text += "#line " + std::to_string(line) + " \"" + name_ + "\"\n"; }

 private:
  void complain(const std::string& what) { made_.complaints.push_back(std::to_string(number_) + ": " + what); }

  // Arguments have lines of their own, as lines of fixed form are short.
  std::string next_line() const { return is_fixed_ ? "\n     &" : "&\n  "; }

  void call(const std::string& function, const std::string& arguments) {
    made_.text += "      call tarry_fortran_" + function + "(" + next_line() + arguments + ")\n";
  }

  std::string at_line() const { return ", " + std::to_string(number_); }

  void begin_region(const std::string& name, const std::string& overheads) {
    open_.push_back(name);
    if (overheads.empty()) return call("region_begin", "'" + name + "'" + at_line());
    call("region_overheads", "'" + name + "', " + next_line() + "'" + overheads + "'" + at_line());
  }

  void end_region() {
    if (open_.empty()) return complain("END CR ends no region");
    call("region_end", "'" + open_.back() + "'");
    open_.pop_back();
  }

  void switch_recording(const std::string& word) {
    if (is_word(word, "DISABLE")) call("recording_off", "");
    else if (is_word(word, "ENABLE")) call("recording_on", "");
    else complain("MEASURE is followed by ENABLE or DISABLE");
  }

  // Of its metrics, classes of overhead begin with O. The time of regions is always measured, and counters in all.
  std::string overheads_among(const std::vector<std::string>& metrics) {
    std::string list;
    for (const std::string& metric : metrics) {
      if (std::toupper(static_cast<unsigned char>(metric[0])) == 'O') list += (list.empty() ? "" : ",") + metric;
      else if (!is_word(metric, "WTIME") && !is_word(metric, "CTIME"))
        complain(metric + " is measured in a whole run, a counter by 'tarry measure --metrics PAPI_" + metric + "'");
    }
    return list;
  }

  void read_code_region(const std::vector<std::string>& words) {
    if (!is_word(words.back(), "BEGIN")) return;
    const auto metrics = std::ranges::find_if(words, [](const std::string& word) { return is_word(word, "PMETRIC"); });
    const std::size_t names_end = static_cast<std::size_t>(std::min(metrics, words.end() - 1) - words.begin());
    const bool has_name = names_end > 1 && ::strncasecmp(words[1].c_str(), "CR_", 3) != 0;
    if (has_name && !is_name(words[1])) return complain("'" + words[1] + "' is no name of a region");
    const std::string overheads = metrics == words.end() ? "" : overheads_among({metrics + 1, words.end() - 1});
    begin_region(has_name ? words[1] : "line " + std::to_string(number_), overheads);
  }

  std::string name_;
  bool is_fixed_;
  std::size_t number_ = 0;
  std::vector<std::string> open_;
  SisSource made_;
};

}  // namespace

bool has_sis_directives(const std::string& text) {
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);)
    if (directive_in(line)) return true;
  return false;
}

SisSource replace_sis_directives(const std::string& text, const std::string& name, bool is_fixed) {
  Directives directives(name, is_fixed);
  directives.point_to(1);
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) directives.add_line(line);
  return directives.finish();
}

}  // namespace tarry
