// glob.cpp -- shell patterns.
#include "base/text/glob.hpp"

#include <cctype>

namespace tarry {
namespace {

struct CharacterClass {
  std::string_view name;
  int (*contains)(int);
};

constexpr CharacterClass kClasses[] = {
    {"[:alnum:]", std::isalnum}, {"[:alpha:]", std::isalpha}, {"[:blank:]", std::isblank},
    {"[:cntrl:]", std::iscntrl}, {"[:digit:]", std::isdigit}, {"[:graph:]", std::isgraph},
    {"[:lower:]", std::islower}, {"[:print:]", std::isprint}, {"[:punct:]", std::ispunct},
    {"[:space:]", std::isspace}, {"[:upper:]", std::isupper}, {"[:xdigit:]", std::isxdigit},
};

// The class that `pattern` begins with; null if it is none.
const CharacterClass* find_class(std::string_view pattern) {
  for (const CharacterClass& known : kClasses)
    if (pattern.starts_with(known.name)) return &known;
  return nullptr;
}

// The bracket expression at the start of `pattern`; its length, or 0 if it is none ('[' represents itself then).
std::size_t match_bracket(std::string_view pattern, char c, bool& matches) {
  std::size_t at = 1;
  const bool negates = at < pattern.size() && (pattern[at] == '!' || pattern[at] == '^');
  if (negates) ++at;
  const std::size_t first = at;
  bool found = false;
  for (; at < pattern.size() && (pattern[at] != ']' || at == first); ++at) {
    if (const CharacterClass* known = find_class(pattern.substr(at))) {
      found = found || known->contains(static_cast<unsigned char>(c));
      at += known->name.size() - 1;
      continue;
    }
    if (pattern[at] == '\\' && at + 1 < pattern.size()) ++at;
    const char low = pattern[at];
    char high = low;
    if (at + 2 < pattern.size() && pattern[at + 1] == '-' && pattern[at + 2] != ']') high = pattern[at += 2];
    if (static_cast<unsigned char>(low) <= static_cast<unsigned char>(c) &&
        static_cast<unsigned char>(c) <= static_cast<unsigned char>(high))
      found = true;
  }
  if (at >= pattern.size()) return 0;
  matches = found != negates;
  return at + 1;
}

// Matches one character of text; the length of what represents it in the pattern, or 0 if it does not match.
std::size_t match_one(std::string_view pattern, char c) {
  if (pattern.empty() || pattern[0] == '*') return 0;
  if (pattern[0] == '?') return 1;
  if (pattern[0] == '[') {
    bool matches = false;
    if (const std::size_t length = match_bracket(pattern, c, matches)) return matches ? length : 0;
  }
  if (pattern[0] == '\\' && pattern.size() > 1) return pattern[1] == c ? 2 : 0;
  return pattern[0] == c ? 1 : 0;
}

}  // namespace

// On a mismatch behind a '*', that '*' takes one character more; earlier ones need not be tried again.
bool matches_glob(std::string_view pattern, std::string_view text) {
  std::size_t at = 0, in_text = 0;
  std::size_t star = std::string_view::npos, star_text = 0;
  while (in_text < text.size()) {
    if (at < pattern.size() && pattern[at] == '*') {
      star = ++at;
      star_text = in_text;
    } else if (const std::size_t length = match_one(pattern.substr(at), text[in_text])) {
      at += length;
      ++in_text;
    } else if (star != std::string_view::npos) {
      at = star;
      in_text = ++star_text;
    } else {
      return false;
    }
  }
  while (at < pattern.size() && pattern[at] == '*') ++at;
  return at == pattern.size();
}

}  // namespace tarry
