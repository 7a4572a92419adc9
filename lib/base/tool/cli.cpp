// cli.cpp -- what every tool's command line has in common.
#include "base/tool/cli.hpp"

#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstring>
#include <iostream>

#include "base/tool/cli_help.hpp"
#include "base/tool/closest.hpp"
#include "base/files/file.hpp"
#include "base/tool/log.hpp"
#include "base/tool/tool_main.hpp"

namespace tarry {

namespace {

// The one of `names` that `word` is a part or a misspelling of; empty if there is none.
std::string suggestion(const std::string& word, const std::vector<std::string>& names) {
  for (const std::string& name : names)
    if (name.size() > word.size() && (name.starts_with(word) || name.ends_with(word))) return name;
  // All but two letters agree, from both ends.
  const std::string name = closest_name(word, names);
  const auto front = std::mismatch(word.begin(), word.end(), name.begin(), name.end()).first - word.begin();
  const auto back = std::mismatch(word.rbegin(), word.rend(), name.rbegin(), name.rend()).first - word.rbegin();
  return front + back + 2 >= std::ssize(word) && word.size() > 2 ? name : "";
}

// Long and short options that may follow the name of `app`.
std::vector<std::string> option_names(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::Option* option : app.get_options()) {
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
    for (const std::string& name : option->get_snames()) names.push_back("-" + name);
  }
  if (app.get_parent() && app.get_fallthrough()) {
    const auto more = option_names(*app.get_parent());
    names.insert(names.end(), more.begin(), more.end());
  }
  return names;
}

bool is_option(const std::string& word) { return word.size() > 1 && word.front() == '-'; }

bool holds(const std::vector<std::string>& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

// The first of `words` that nothing of `app` takes; empty if all are taken.
std::string unexpected_word(const CLI::App& app, const std::vector<std::string>& words) {
  const std::vector<std::string> left = app.remaining(true);
  const auto first = std::find_if(words.begin(), words.end(), [&](const auto& word) { return holds(left, word); });
  return first == words.end() ? "" : *first;
}

// "--option" of "--option=value", "-o" of "-ovalue".
std::string option_name(const std::string& word) {
  return word.starts_with("--") ? word.substr(0, word.find('=')) : word.substr(0, 2);
}

Error usage_error(const std::string& why, const std::string& meant, const std::string& tool) {
  return {"usage", why, meant.empty() ? "try '" + tool + " --help'" : "did you mean " + meant + "?"};
}

// The message of CLI11, or better: which word is no operation or option, and what may have been meant.
Error explain(const CLI::App& app, const CLI::ParseError& error, const std::vector<std::string>& words,
              std::string tool) {
  const CLI::App* at = &app;
  std::vector<std::string> operations;
  for (const CLI::App* operation : app.get_subcommands({})) operations.push_back(operation->get_name());
  const auto first = std::find_if_not(words.begin(), words.end(), is_option);
  if (!operations.empty() && first != words.end()) {
    if (!holds(operations, *first))
      return usage_error("no such operation: " + *first, suggestion(*first, operations), tool);
    at = app.get_subcommand(*first);
    tool += " " + *first;
  }
  if (const std::string word = unexpected_word(app, words); is_option(word)) {
    const std::string name = option_name(word);
    const bool is_long = name.starts_with("--");
    return usage_error("no such option: " + name, is_long ? suggestion(name, option_names(*at)) : "", tool);
  } else if (!word.empty()) {
    return usage_error("unexpected argument: " + word, "", tool);
  }
  if (!operations.empty() && first == words.end()) return usage_error("no operation is given", "", tool);
  return usage_error(error.what(), "", tool);
}

}  // namespace

Cli::Cli(std::string name, std::string purpose, std::string footer)
    : Cli("tarry-" + name, std::make_unique<CLI::App>(std::move(purpose), "tarry-" + name)) {
  app_->footer(std::move(footer));
  app_->set_help_flag("-h,--help", "print this help and exit");
  app_->set_version_flag("--version", name_ + " " TARRY_VERSION " (" __VERSION__ ")", "print the version and exit");
  app_->add_flag("-q,--quiet", quiet_, "print errors only");
  app_->add_flag("-v,--verbose", verbose_, "print details");
  app_->formatter(std::make_shared<HelpFormat>());
}

Cli::Cli(std::string name, std::unique_ptr<CLI::App> app)
    : CliOptions(app.get()), name_(std::move(name)), app_(std::move(app)) {}

Cli::~Cli() = default;

// What the first positional option of `app` got.
static std::string input_of(const CLI::App& app) {
  for (const CLI::Option* option : app.get_options())
    if (option->get_positional() && option->count() > 0) return option->results().front();
  return "";
}

std::optional<int> Cli::parse(int argc, char** argv) {
  log_setup(name_, Verbosity::kNormal);
  for (CLI::App* operation : app_->get_subcommands({})) operation->group("Operations");
  try {
    app_->parse(argc, argv);
  } catch (const CLI::CallForHelp&) {
    std::cout << app_->help();
    return finish(Status());
  } catch (const CLI::CallForVersion& version) {
    std::cout << version.what() << '\n';
    return finish(Status());
  } catch (const CLI::ParseError& error) {
    log_error(explain(*app_, error, std::vector<std::string>(argv + 1, argv + argc), name_));
    return kExitUsage;
  }
  const std::vector<CLI::App*> operations = app_->get_subcommands();
  set_subject(input_of(operations.empty() ? *app_ : *operations.front()));
  log_setup(name_, verbose_ ? Verbosity::kVerbose : quiet_ ? Verbosity::kQuiet : Verbosity::kNormal);
  return std::nullopt;
}

int Cli::finish(const Status& outcome) {
  if (outcome.ok()) return finish(Result<int>(kExitDone));
  return finish(Result<int>(outcome.error()));
}

int Cli::finish(const Result<int>& exit_status) {
  errno = 0;
  std::cout.flush();  // fails with the cause; a second attempt to write would only say that something failed
  const bool written = std::fflush(stdout) == 0 && !std::ferror(stdout) && std::cout.good();
  const bool has_reader = !is_reader_gone(STDOUT_FILENO);
  if (!exit_status.ok()) {
    if (!has_reader && exit_status.error().what == output_name("-")) return kExitDone;
    log_error(exit_status.error());
    return kExitFailed;
  }
  if (!written && has_reader) {
    log_error({output_name("-"), errno ? std::strerror(errno) : "write failed", "results are incomplete"});
    return kExitFailed;
  }
  return exit_status.value();
}

namespace {

// A number and its suffix; false if there is no finite, non-negative number in front.
bool split_number(const std::string& text, double& number, std::string& suffix) {
  char* end = nullptr;
  number = std::strtod(text.c_str(), &end);
  suffix = end;
  return end != text.c_str() && std::isfinite(number) && number >= 0;
}

struct Unit {
  const char* suffix;
  double factor;
};

template <std::size_t N>
Result<double> parse_with_units(const std::string& text, const Unit (&units)[N], const char* example) {
  double number = 0;
  std::string suffix;
  if (split_number(text, number, suffix))
    for (const Unit& unit : units)
      if (suffix == unit.suffix) return number * unit.factor;
  return Error{"'" + text + "'", "is not understood", std::string("write it like ") + example};
}

}  // namespace

Result<std::uint64_t> parse_size(const std::string& text) {
  static const Unit units[] = {{"", 1},
                               {"B", 1},
                               {"k", 1024.0},
                               {"K", 1024.0},
                               {"kB", 1024.0},
                               {"KB", 1024.0},
                               {"M", 1048576.0},
                               {"MB", 1048576.0},
                               {"G", 1073741824.0},
                               {"GB", 1073741824.0},
                               {"T", 1099511627776.0},
                               {"TB", 1099511627776.0}};
  TARRY_TRY_ASSIGN(bytes, parse_with_units(text, units, "200M"));
  if (bytes > 9e18) return Error{"'" + text + "'", "is too large", "write it like 200M"};
  return static_cast<std::uint64_t>(bytes);
}

Result<double> parse_seconds(const std::string& text) {
  static const Unit units[] = {{"", 1}, {"s", 1}, {"ms", 1e-3}, {"us", 1e-6}, {"ns", 1e-9}, {"min", 60}, {"h", 3600}};
  return parse_with_units(text, units, "1.5s");
}

Result<double> parse_rate(const std::string& text) {
  static const Unit units[] = {{"B/s", 1},           {"kB/s", 1e3},          {"KB/s", 1e3},     {"MB/s", 1e6},
                               {"GB/s", 1e9},        {"TB/s", 1e12},         {"KiB/s", 1024.0}, {"kiB/s", 1024.0},
                               {"MiB/s", 1048576.0}, {"GiB/s", 1073741824.0}};
  return parse_with_units(text, units, "1GB/s");
}

Result<double> parse_fraction(const std::string& text) {
  static const Unit units[] = {{"", 1}, {"%", 0.01}};
  return parse_with_units(text, units, "5%");
}

}  // namespace tarry
