// find_command.cpp -- where the measured command begins among the words of `tarry measure`.
#include "find_command.hpp"

#include <algorithm>

#include "archive/files/provenance.hpp"

namespace tarry {
namespace {

bool is_option(const std::string& word) { return word.size() > 1 && word.starts_with('-'); }

// True if the value of the option is the next word: "-o run", "-to run", "--output run", but not "-orun".
bool has_value_behind(const std::string& word, const TakesValue& takes_value) {
  if (word.starts_with("--")) return word.find('=') == std::string::npos && takes_value(word);
  for (std::size_t i = 1; i < word.size(); ++i)
    if (takes_value({'-', word[i]})) return i + 1 == word.size();
  return false;
}

// The first word from `at` on that is no option of ours and no value.
std::size_t skip_options(const std::vector<std::string>& words, std::size_t at, const TakesValue& takes_value) {
  while (at < words.size() && words[at] != "--" && is_option(words[at]))
    at += has_value_behind(words[at], takes_value) ? 2 : 1;
  return std::min(at, words.size());
}

bool is_number(const std::string& word) {
  return !word.empty() && word.find_first_not_of("0123456789") == std::string::npos;
}

std::vector<std::string> part(const std::vector<std::string>& words, std::size_t begin, std::size_t end) {
  return {words.begin() + static_cast<std::ptrdiff_t>(begin), words.begin() + static_cast<std::ptrdiff_t>(end)};
}

// The line that was meant: most people who forget an option forget the one that names the archive.
std::string better_line(const std::vector<std::string>& words, std::size_t stray, CommandPlace command) {
  std::vector<std::string> line = {"tarry", "measure"};
  const auto append = [&line](const std::vector<std::string>& more) {
    line.insert(line.end(), more.begin(), more.end());
  };
  append(part(words, 1, stray));
  append({"-o", words[stray]});
  append(part(words, stray + 1, command.own_end));
  append({"--"});
  append(part(words, command.begin, words.size()));
  return join_command(line);
}

}  // namespace

void fill_in_number(std::vector<std::string>& words, const std::string& name, const std::string& fallback,
                    const TakesValue& takes_value) {
  for (std::size_t at = 1; at < words.size() && words[at] != "--" && is_option(words[at]);) {
    const bool has_number = at + 1 < words.size() && is_number(words[at + 1]);
    if (words[at] == name && !has_number) words[at] += "=" + fallback;
    at += has_value_behind(words[at], takes_value) ? 2 : 1;
  }
}

Result<CommandPlace> find_command(const std::vector<std::string>& words, const TakesValue& takes_value,
                                  const IsProgram& is_program) {
  const std::size_t first = skip_options(words, 1, takes_value);
  if (first == words.size()) return CommandPlace{first, first};
  if (words[first] == "--") return CommandPlace{first, first + 1};
  if (is_program(words[first])) return CommandPlace{first, first};
  const std::size_t next = skip_options(words, first + 1, takes_value);
  const bool is_marked = next < words.size() && words[next] == "--";
  if (!is_marked && (next == words.size() || !is_program(words[next]))) return CommandPlace{first, first};
  const CommandPlace meant{next, next + (is_marked ? 1 : 0)};
  return Error{"usage", "'" + words[first] + "' is neither an option nor a program",
               "did you mean: " + better_line(words, first, meant)};
}

}  // namespace tarry
