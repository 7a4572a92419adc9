// region_filter.cpp -- reads filter files and decides by their rules.
#include "defs/region_filter.hpp"

#include <algorithm>

#include "base/files/file.hpp"
#include "base/text/glob.hpp"

namespace tarry {
namespace {

constexpr std::string_view kNamesBegin = "SCOREP_REGION_NAMES_BEGIN", kNamesEnd = "SCOREP_REGION_NAMES_END";
constexpr std::string_view kFilesBegin = "SCOREP_FILE_NAMES_BEGIN", kFilesEnd = "SCOREP_FILE_NAMES_END";

bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n' || c == '\f' || c == '\v'; }

struct Word {
  std::string text;
  std::size_t line = 0;
};

// Words with their quoting, without comments.
std::vector<Word> split_words(std::string_view text) {
  std::vector<Word> words;
  std::size_t line = 1;
  bool is_inside = false;
  for (std::size_t at = 0; at < text.size(); ++at) {
    char c = text[at];
    if (c == '#') {
      while (at + 1 < text.size() && text[at + 1] != '\n') ++at;
      is_inside = false;
      continue;
    }
    if (is_blank(c)) {
      is_inside = false;
      line += c == '\n';
      continue;
    }
    if (!is_inside) words.push_back({"", line});
    is_inside = true;
    words.back().text.push_back(c);
    if (c == '\\' && at + 1 < text.size() && text[at + 1] != '\n') words.back().text.push_back(text[++at]);
  }
  return words;
}

constexpr std::string_view kMangled = "MANGLED", kDemangled = "DEMANGLED";

bool is_name_kind(std::string_view word) { return word == kMangled || word == kDemangled; }

bool is_block_word(std::string_view word) { return word.starts_with("SCOREP_"); }

// One region per line, blanks within a name kept.
RegionFilter parse_list(std::string_view text) {
  RegionFilter filter;
  while (!text.empty()) {
    std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(text.size(), line.size() + 1));
    line = line.substr(0, line.find('#'));
    while (!line.empty() && is_blank(line.front())) line.remove_prefix(1);
    while (!line.empty() && is_blank(line.back())) line.remove_suffix(1);
    if (!line.empty()) filter.add_rule({std::string(line), RegionFilter::Subject::kName, false});
  }
  return filter;
}

class FilterParser {
 public:
  explicit FilterParser(const std::string& source) : source_(source) {}

  Result<RegionFilter> parse(const std::vector<Word>& words) {
    for (const Word& word : words) TARRY_TRY(block_.empty() ? open_block(word) : take(word));
    if (!block_.empty()) return Error{source_, std::string(block_) + " has no end", "add " + std::string(end_)};
    return std::move(filter_);
  }

 private:
  Error fail(const Word& word, const std::string& why, const std::string& hint) const {
    return {source_ + ":" + std::to_string(word.line), "'" + word.text + "' " + why, hint};
  }

  Status open_block(const Word& word) {
    if (word.text != kNamesBegin && word.text != kFilesBegin)
      return fail(word, "is outside of a block",
                  "blocks begin with " + std::string(kNamesBegin) + " or " + std::string(kFilesBegin));
    block_ = word.text == kNamesBegin ? kNamesBegin : kFilesBegin;
    end_ = word.text == kNamesBegin ? kNamesEnd : kFilesEnd;
    verb_ = Verb::kNone;
    return {};
  }

  Status take(const Word& word) {
    if (word.text == end_) {
      block_ = {};
    } else if (is_block_word(word.text)) {
      return fail(word, "is inside another block", "end that one with " + std::string(end_));
    } else if (word.text == "INCLUDE" || word.text == "EXCLUDE") {
      verb_ = word.text == "INCLUDE" ? Verb::kInclude : Verb::kExclude;
      is_mangled_ = false;
    } else if (verb_ == Verb::kNone) {
      return fail(word, "is before any rule", "write INCLUDE or EXCLUDE in front of it");
    } else if (is_name_kind(word.text) && block_ == kNamesBegin) {
      is_mangled_ = word.text == kMangled;
    } else {
      const auto name = is_mangled_ ? RegionFilter::Subject::kMangledName : RegionFilter::Subject::kName;
      filter_.add_rule(
          {word.text, block_ == kFilesBegin ? RegionFilter::Subject::kFile : name, verb_ == Verb::kInclude});
    }
    return {};
  }

  enum class Verb { kNone, kInclude, kExclude };

  const std::string& source_;
  std::string_view block_;  // begin word of the block we are in; empty outside
  std::string_view end_;
  Verb verb_ = Verb::kNone;
  bool is_mangled_ = false;
  RegionFilter filter_;
};

}  // namespace

Result<RegionFilter> RegionFilter::parse(const std::string& source, std::string_view text) {
  const std::vector<Word> words = split_words(text);
  for (const Word& word : words)
    if (is_block_word(word.text) || word.text == "INCLUDE" || word.text == "EXCLUDE")
      return FilterParser(source).parse(words);
  return parse_list(text);
}

Result<RegionFilter> RegionFilter::read(const std::string& path) {
  TARRY_TRY_ASSIGN(bytes, read_file(path));
  const std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  if (text.find('\0') != std::string_view::npos) return Error{path, "is no text", "a filter file is expected"};
  return parse(path == "-" ? "standard input" : path, text);
}

namespace {

// "void f<int>(int)" without "void ". A view: the recorder asks in signal handlers, too.
std::string_view without_result_type(std::string_view name) {
  constexpr std::string_view kAnonymous = "(anonymous namespace)";
  std::size_t begin = 0, depth = 0;
  for (std::size_t at = 0; at < name.size(); ++at) {
    const std::string_view rest = name.substr(at);
    const bool begins_part = at == begin || name[at - 1] == ':';
    if (depth == 0 && begins_part && rest.starts_with("operator")) return name.substr(begin);
    if (depth == 0 && rest.starts_with(kAnonymous)) {
      at += kAnonymous.size() - 1;
      continue;
    }
    const char c = name[at];
    if (depth == 0 && c == '(') return name.substr(begin);
    if (depth == 0 && c == ' ') begin = at + 1;
    if (c == '<' || c == '(') ++depth;
    if ((c == '>' || c == ')') && depth > 0) --depth;
  }
  return name;  // of no function
}

bool matches_source_name(std::string_view pattern, std::string_view name) {
  return matches_glob(pattern, name) || matches_glob(pattern, without_result_type(name));
}

}  // namespace

bool RegionFilter::matches(const Rule& rule, std::string_view name, std::string_view mangled_name,
                           std::string_view file) {
  if (rule.subject == Subject::kFile) return matches_glob(rule.pattern, file);
  if (rule.subject == Subject::kName) return matches_source_name(rule.pattern, name);
  return matches_glob(rule.pattern, mangled_name.empty() ? name : mangled_name);
}

bool RegionFilter::includes_name(std::string_view name, std::string_view mangled_name) const {
  for (auto rule = rules_.rbegin(); rule != rules_.rend(); ++rule)
    if (rule->subject != Subject::kFile && matches(*rule, name, mangled_name, {})) return rule->includes;
  return true;
}

bool RegionFilter::includes_file(std::string_view file) const {
  for (auto rule = rules_.rbegin(); rule != rules_.rend(); ++rule)
    if (rule->subject == Subject::kFile && matches(*rule, {}, {}, file)) return rule->includes;
  return true;
}

const RegionFilter::Rule* RegionFilter::rule_of_call(std::string_view name, std::string_view prefix) const {
  for (auto rule = rules_.rbegin(); rule != rules_.rend(); ++rule)
    if (rule->subject == Subject::kName && rule->pattern.starts_with(prefix) && matches_glob(rule->pattern, name))
      return &*rule;
  return nullptr;
}

bool RegionFilter::has_file_rules() const {
  for (const Rule& rule : rules_)
    if (rule.subject == Subject::kFile) return true;
  return false;
}

std::string filter_word(std::string_view name) {
  std::string word;
  const bool is_keyword = name == "INCLUDE" || name == "EXCLUDE" || is_name_kind(name) || is_block_word(name);
  if (is_keyword) word.push_back('\\');
  for (const char c : name) {
    const bool is_control = (static_cast<unsigned char>(c) < 0x20 && c != '\t') || c == 0x7f;
    if (std::string_view("\\*?[]# \t").find(c) != std::string_view::npos) word.push_back('\\');
    word.push_back(is_control ? '?' : c);  // a line end cannot be quoted
  }
  return word;
}

}  // namespace tarry
