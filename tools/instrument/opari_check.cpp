// opari_check.cpp -- between two calls that OPARI2 puts around a construct there must be one statement.
#include "opari_check.hpp"

#include <cctype>
#include <optional>
#include <vector>

#include "base/text/text.hpp"

namespace tarry {
namespace {

bool opens(std::string_view token) { return token == "(" || token == "[" || token == "{"; }
bool closes(std::string_view token) { return token == ")" || token == "]" || token == "}"; }
bool is_word_character(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '$'; }

// Words and single characters; a literal is one token. Directives and pragmas are left out: a pragma belongs to the
// statement behind it.
class Tokens {
 public:
  explicit Tokens(std::string_view text) : text_(text) {
    while (at_ < text_.size()) take();
  }

  std::string_view operator[](std::size_t index) const { return index < list_.size() ? list_[index] : ""; }
  std::size_t size() const { return list_.size(); }

 private:
  void take() {
    const char c = text_[at_];
    if (c == '\n') is_line_start_ = true;
    if (std::isspace(static_cast<unsigned char>(c))) return void(++at_);
    if (c == '#' && is_line_start_) return skip_to(text_.find('\n', at_));
    is_line_start_ = false;
    const std::size_t begin = at_;
    if (c == '"' || c == '\'') skip_literal(c);
    else if (is_word_character(c)) skip_word();
    else at_ += text_.substr(at_).starts_with("::") ? 2 : 1;
    list_.push_back(text_.substr(begin, at_ - begin));
  }

  void skip_to(std::size_t end) { at_ = end < text_.size() ? end : text_.size(); }

  void skip_literal(char quote) {
    for (++at_; at_ < text_.size() && text_[at_] != quote; ++at_)
      if (text_[at_] == '\\') ++at_;
    skip_to(at_ + 1);
  }

  // Also a number with separators (1'000), and a literal with a prefix (u8"x", R"(x)").
  void skip_word() {
    const std::size_t begin = at_;
    const bool is_number = std::isdigit(static_cast<unsigned char>(text_[at_]));
    while (at_ < text_.size() && (is_word_character(text_[at_]) || (is_number && text_[at_] == '\''))) ++at_;
    const std::string_view word = text_.substr(begin, at_ - begin);
    const char next = at_ < text_.size() ? text_[at_] : ' ';
    if (next == '"' && is_one_of(std::string(word), {"R", "LR", "uR", "UR", "u8R"})) return skip_raw_literal();
    if ((next == '"' || next == '\'') && is_one_of(std::string(word), {"L", "u", "U", "u8"})) skip_literal(next);
  }

  void skip_raw_literal() {
    const std::size_t open = text_.find('(', at_);
    if (open == text_.npos) return skip_to(open);
    const std::string close = ")" + std::string(text_.substr(at_ + 1, open - at_ - 1)) + "\"";
    const std::size_t end = text_.find(close, open);
    skip_to(end == text_.npos ? end : end + close.size());
  }

  const std::string_view text_;
  std::vector<std::string_view> list_;
  std::size_t at_ = 0;
  bool is_line_start_ = true;
};

/// A call that OPARI2 inserts, "POMP2_For_enter(&opari2_region_3": what it begins or ends.
struct Inserted {
  std::string_view construct, region;
  bool is_begin = false;
};

class EndChecker {
 public:
  explicit EndChecker(std::string_view text) : tokens_(text) {}

  bool is_right() {
    for (std::size_t at = 0; at < tokens_.size(); ++at) {
      const auto call = inserted_at(at);
      if (call && call->is_begin && !ends_behind_one(at, *call)) return false;
    }
    return !splits_statement_;
  }

 private:
  // Ends go by the suffixes of the pair.
  std::optional<Inserted> inserted_at(std::size_t at) const {
    std::string_view name = tokens_[at];
    if (!name.starts_with("POMP2_") || tokens_[at + 1] != "(" || tokens_[at + 2] != "&") return {};
    for (const char* suffix : {"_enter", "_fork", "_begin", "_exit", "_join", "_end"})
      if (name.ends_with(suffix)) {
        name.remove_suffix(std::string_view(suffix).size());
        return Inserted{name, tokens_[at + 3], is_one_of(suffix, {"_enter", "_fork", "_begin"})};
      }
    return {};
  }

  // A task begins under a condition of OPARI2's.
  bool is_condition(std::size_t at) const {
    return tokens_[at] == "if" && tokens_[at + 1] == "(" && tokens_[at + 2] == "pomp2_if" && tokens_[at + 3] == ")";
  }

  bool ends_behind_one(std::size_t at, const Inserted& begin) {
    std::size_t next = skip_statement(at), statements = 0;
    while (next < tokens_.size() && tokens_[next] != "}") {
      const auto call = inserted_at(is_condition(next) ? next + 4 : next);
      if (call && !call->is_begin && call->region == begin.region && call->construct == begin.construct)
        return statements <= 1 || begin.construct == "POMP2_Section";
      statements += is_of_source(next);
      const std::size_t end = skip_statement(next);
      if (end <= next) return false;
      next = end;
    }
    return false;
  }

  bool is_of_opari(std::size_t at) const {
    return tokens_[at].starts_with("POMP2_") || is_condition(at) ||
           (tokens_[at] == "int" && tokens_[at + 1].starts_with("pomp2_"));
  }

  // A block of OPARI2's counts if there is something of the source in it.
  bool is_of_source(std::size_t at) {
    if (tokens_[at] == ";" || is_of_opari(at)) return false;
    if (tokens_[at] != "{" || !is_of_opari(at + 1)) return true;
    const std::size_t end = skip_statement(at);
    for (std::size_t inside = at + 1; inside + 1 < end;) {
      if (is_of_source(inside)) return true;
      const std::size_t next = skip_statement(inside);
      if (next <= inside) return true;
      inside = next;
    }
    return false;
  }

  std::size_t skip_brackets(std::size_t at) const {
    std::size_t depth = 0;
    for (; at < tokens_.size(); ++at) {
      if (opens(tokens_[at])) ++depth;
      if (closes(tokens_[at]) && --depth == 0) return at + 1;
    }
    return at;
  }

  // Behind the next token at this depth, or at the closing bracket around it.
  std::size_t skip_behind(std::string_view token, std::size_t at) const {
    while (at < tokens_.size() && tokens_[at] != token) {
      if (closes(tokens_[at])) return at;
      at = opens(tokens_[at]) ? skip_brackets(at) : at + 1;
    }
    return at + 1;
  }

  std::size_t skip_condition(std::size_t at) const {
    while (at < tokens_.size() && tokens_[at] != "(" && tokens_[at] != "{") ++at;  // constexpr
    return tokens_[at] == "(" ? skip_brackets(at) : at;
  }

  // What belongs to "if", "else" or a loop is of the source.
  std::size_t skip_body(std::size_t at) {
    if (tokens_[at] != ";" && !is_of_source(at)) splits_statement_ = true;
    return skip_statement(at);
  }

  // Behind the statement that begins here.
  std::size_t skip_statement(std::size_t at) {
    const std::string_view first = tokens_[at];
    if (first == "{") return skip_brackets(at);
    if (first == "for" || first == "while" || first == "switch") return skip_body(skip_condition(at + 1));
    if (is_condition(at)) return skip_statement(at + 4);
    if (first == "if") {
      const std::size_t end = skip_body(skip_condition(at + 1));
      return tokens_[end] == "else" ? skip_body(end + 1) : end;
    }
    if (first == "do") return skip_behind(";", skip_body(at + 1));
    if (first == "try") {
      std::size_t end = skip_statement(at + 1);
      while (tokens_[end] == "catch") end = skip_statement(skip_condition(end + 1));
      return end;
    }
    if (first == "case") return skip_statement(skip_behind(":", at));
    if (first == "[" && tokens_[at + 1] == "[") return skip_statement(skip_brackets(at));
    if (!first.empty() && is_word_character(first[0]) && tokens_[at + 1] == ":") return skip_statement(at + 2);
    return skip_behind(";", at);
  }

  const Tokens tokens_;
  bool splits_statement_ = false;
};

}  // namespace

bool opari_found_all_ends(std::string_view preprocessed) { return EndChecker(preprocessed).is_right(); }

}  // namespace tarry
