// cli_help.cpp -- how --help shows options: what a user types, without the terms of the parser.
#include "base/tool/cli_help.hpp"

#include <utility>

namespace tarry {
namespace {

constexpr std::size_t kColumn = 34;

// "purpose:\n  synopsis" as its two parts; the second is empty if there is none.
std::pair<std::string, std::string> split_purpose(const std::string& text) {
  const std::size_t end = text.find(":\n");
  if (end == text.npos) return {text, ""};
  const std::size_t synopsis = text.find_first_not_of(" \n", end + 1);
  return {text.substr(0, end), synopsis == text.npos ? "" : text.substr(synopsis)};
}

// What to type for a value, of CLI11's "TYPE" or "TYPE:CHECK". A name of ours may have a colon, too: "A:B".
std::string value_name(const CLI::Option& option) {
  const std::string name = option.get_type_name();
  const std::size_t colon = name.find(':');
  std::string type = name.substr(0, colon), check = colon == name.npos ? "" : name.substr(colon + 1);
  if (check.starts_with("{") && check.ends_with("}"))
    return CLI::detail::find_and_replace(check.substr(1, check.size() - 2), ",", "|");
  if (type == "N") return type;  // so called; its text tells the range
  const bool is_number = type == "UINT" || type == "INT" || type == "FLOAT";
  const std::size_t range = check.find(" in [");
  if (range != check.npos)
    return CLI::detail::find_and_replace(check.substr(range + 5, check.size() - range - 6), " - ", "..");
  if (check.find(" to ") != check.npos) return CLI::detail::find_and_replace(check, " to ", "..");
  return is_number ? "N" : name;
}

}  // namespace

HelpFormat::HelpFormat() {
  column_width(kColumn);
  label("SUBCOMMAND", "OPERATION");
}

std::string HelpFormat::make_description(const CLI::App* app) const {
  return split_purpose(app->get_description()).first + "\n";
}

std::string HelpFormat::make_usage(const CLI::App* app, std::string name) const {
  const std::string own = split_purpose(app->get_description()).second;
  return own.empty() ? CLI::Formatter::make_usage(app, std::move(name)) : "Usage: " + own + "\n";
}

// CLI11 shows the value that a flag like --no-color sets: "--no-color{false}".
std::string HelpFormat::make_option_name(const CLI::Option* option, bool is_positional) const {
  std::string name = CLI::Formatter::make_option_name(option, is_positional);
  for (std::size_t brace = name.find('{'); brace != name.npos; brace = name.find('{', brace))
    name.erase(brace, name.find('}', brace) - brace + 1);
  return name;
}

std::string HelpFormat::make_option_opts(const CLI::Option* option) const {
  if (option->get_positional() || option->get_type_size() == 0) return {};
  return " " + value_name(*option);
}

std::string HelpFormat::make_option_desc(const CLI::Option* option) const {
  std::string others;
  for (const CLI::Option* other : option->get_excludes()) others += (others.empty() ? "" : ", ") + other->get_name();
  return option->get_description() + (others.empty() ? "" : "; not with " + others);
}

std::string HelpFormat::make_option_usage(const CLI::Option* option) const {
  const std::string name = make_option_name(option, true) + (option->get_expected_max() > 1 ? "..." : "");
  return option->get_required() ? name : "[" + name + "]";
}

}  // namespace tarry
