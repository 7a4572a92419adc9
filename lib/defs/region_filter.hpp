// region_filter.hpp -- which regions are recorded: the rules of a filter file, the same when compiling, running and
// scoring.
//
// A filter file has blocks of rules on region names and on source files (docs/INSTRUMENTING.md):
//
//   SCOREP_REGION_NAMES_BEGIN            # blocks may be repeated
//     EXCLUDE *                          # words separated by blanks; '*', '?' and '[a-z]' as in a shell
//     INCLUDE main solve* MANGLED _Z5solveRi
//   SCOREP_REGION_NAMES_END
//   SCOREP_FILE_NAMES_BEGIN
//     EXCLUDE */third_party/*
//   SCOREP_FILE_NAMES_END
//
// MANGLED says that the names behind it are those of the linker, up to DEMANGLED or the next rule. Without it they are
// names as in the source: of functions in C++ with their arguments. The result type of a template need not be there:
// "Eigen::internal::*" matches "void Eigen::internal::scale<int>(int)", too.
//
// Within each of the two kinds the last rule that matches wins, and what none matches is included. A region is recorded
// if neither its name nor its file is excluded. '#' begins a comment; '\' takes the next character as it is, a blank
// too.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"

namespace tarry {

/// Rules on names that begin with this are on MPI's functions, and only these are.
inline constexpr std::string_view kMpiRulePrefix = "MPI_";

class RegionFilter {
 public:
  enum class Subject : std::uint8_t { kName, kMangledName, kFile };

  struct Rule {
    std::string pattern;
    Subject subject = Subject::kName;
    bool includes = false;
  };

  /// `source` is what messages call the text. A file without blocks is a list of regions to exclude, one per line, as
  /// Scalasca 1 read it.
  static Result<RegionFilter> parse(const std::string& source, std::string_view text);

  /// The file `path`, "-" for standard input.
  static Result<RegionFilter> read(const std::string& path);

  /// Whether a region is recorded. `mangled_name` may be empty: then it is the name.
  bool includes(std::string_view name, std::string_view mangled_name, std::string_view file) const {
    return includes_name(name, mangled_name) && includes_file(file);
  }
  bool includes_name(std::string_view name, std::string_view mangled_name) const;
  bool includes_file(std::string_view file) const;

  /// Whether a call of a library is recorded, whose functions begin with `prefix`: only rules that do, too, count.
  bool includes_call(std::string_view name, std::string_view prefix) const {
    const Rule* const rule = rule_of_call(name, prefix);
    return !rule || rule->includes;
  }
  /// The rule that decides; nullptr: no rule says anything about the call.
  const Rule* rule_of_call(std::string_view name, std::string_view prefix) const;

  /// Whether a rule says something about a region, whatever the rules behind it say.
  static bool matches(const Rule& rule, std::string_view name, std::string_view mangled_name, std::string_view file);

  /// In the order of the file.
  const std::vector<Rule>& rules() const { return rules_; }
  bool is_empty() const { return rules_.empty(); }
  bool has_file_rules() const;

  void add_rule(Rule rule) { rules_.push_back(std::move(rule)); }

 private:
  std::vector<Rule> rules_;
};

/// A region or file name as a word of a filter file that matches just it.
std::string filter_word(std::string_view name);

}  // namespace tarry
