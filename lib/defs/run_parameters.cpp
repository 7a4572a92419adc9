// run_parameters.cpp -- parameters of an experiment: how they are written.
#include "defs/run_parameters.hpp"

#include <sstream>

#include "base/files/file.hpp"

namespace tarry {
namespace {

constexpr const char* kBlanks = " \t\r\n";

std::string without_blanks(const std::string& text) {
  const std::size_t begin = text.find_first_not_of(kBlanks);
  return begin == std::string::npos ? "" : text.substr(begin, text.find_last_not_of(kBlanks) - begin + 1);
}

}  // namespace

Result<std::pair<std::string, std::string>> parse_parameter(const std::string& text) {
  const std::size_t equals = text.find('=');
  const std::string name = text.substr(0, equals);
  if (equals == std::string::npos || name.empty() || name.find_first_of(" \t\r\n,\\") != std::string::npos)
    return Error{"parameter '" + text + "'", "is not NAME=VALUE", "for example: n=512"};
  return std::pair(name, text.substr(equals + 1));
}

Status check_parameters(const std::vector<std::string>& texts) {
  for (const std::string& text : texts)
    if (const auto parameter = parse_parameter(text); !parameter.ok()) return parameter.error();
  return {};
}

Result<RunParameters> parse_parameters(const std::string& text) {
  RunParameters parameters;
  std::string word;
  const auto end_word = [&]() -> Status {
    if (word.empty()) return {};
    TARRY_TRY_ASSIGN(parameter, parse_parameter(word));
    parameters.push_back(std::move(parameter));
    word.clear();
    return {};
  };
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\\' && i + 1 < text.size()) word.push_back(text[++i]);
    else if (text[i] == ',') TARRY_TRY(end_word());
    else word.push_back(text[i]);
  }
  TARRY_TRY(end_word());
  return parameters;
}

std::string join_parameters(const RunParameters& parameters) {
  std::string text;
  for (const auto& [name, value] : parameters) {
    text += (text.empty() ? "" : ",") + name + "=";
    for (const char c : value) {
      if (c == ',' || c == '\\') text.push_back('\\');
      text.push_back(c);
    }
  }
  return text;
}

Result<RunParameters> read_parameter_file(const std::string& path) {
  TARRY_TRY_ASSIGN(bytes, read_file(path));
  std::istringstream lines(std::string(bytes.begin(), bytes.end()));
  RunParameters parameters;
  std::size_t number = 0;
  for (std::string line; std::getline(lines, line);) {
    ++number;
    const std::string content = without_blanks(line);
    if (content.empty() || content[0] == '#') continue;
    const std::size_t equals = content.find('=');
    const auto parameter =
        parse_parameter(equals == std::string::npos ? content
                                                    : without_blanks(content.substr(0, equals)) + "=" +
                                                          without_blanks(content.substr(equals + 1)));
    if (!parameter.ok()) return Error{path + ":" + std::to_string(number), parameter.error().text(), ""};
    parameters.push_back(parameter.value());
  }
  return parameters;
}

}  // namespace tarry
