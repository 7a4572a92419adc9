// cli_help.hpp -- how --help shows options: what a user types, without the terms of the parser.
#pragma once

#include <CLI/CLI.hpp>
#include <string>

namespace tarry {

/// One line per option: names, then one word for the value (`a|b|c`, `1..1024`, `FILE`), then the text. Manual pages
/// and completion are made of it (docs/make_man.py, bin/tarry-completion.bash). A purpose that ends with ":" and a
/// second line brings the synopsis of a tool that takes a command line of the user's.
class HelpFormat : public CLI::Formatter {
 public:
  HelpFormat();

  std::string make_description(const CLI::App* app) const override;
  std::string make_usage(const CLI::App* app, std::string name) const override;
  std::string make_option_name(const CLI::Option* option, bool is_positional) const override;
  std::string make_option_opts(const CLI::Option* option) const override;
  std::string make_option_desc(const CLI::Option* option) const override;
  std::string make_option_usage(const CLI::Option* option) const override;
};

}  // namespace tarry
