// cli_options.hpp -- declares the options of a tool, or of one of its operations. The parser behind it, CLI11, takes
// seconds to compile and is included nowhere else but in lib/base/cli*.cpp.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace tarry {

/// An option, flag or positional input that has been declared, for what is special about it.
class CliOption {
 public:
  explicit CliOption(CLI::Option* option) : option_(option) {}

  CliOption& required();
  /// What --help shows for the value.
  CliOption& value_name(const std::string& name);
  CliOption& description(const std::string& text);
  CliOption& one_of(const std::vector<std::string>& values);
  CliOption& between(int least, int most);
  CliOption& between(unsigned least, unsigned most);
  /// `range` is the text for it: "0.5 to 1".
  CliOption& between(double least, double most, const std::string& range);
  CliOption& not_with(const CliOption& other);
  /// How many values.
  CliOption& count(int least, int most);
  /// A list of which each value needs the option's name in front of it.
  CliOption& one_at_a_time();

  bool is_given() const;

 private:
  CLI::Option* option_;
};

/// What may follow the name of a tool, or of one of its operations. Names are "-o,--output" for an option, "INPUT" for
/// a positional input. Values are written where the reference leads, which must live as long as the Cli.
class CliOptions {
 public:
  CliOption option(const std::string& names, std::string& value, const std::string& text);
  CliOption option(const std::string& names, std::vector<std::string>& values, const std::string& text);
  CliOption option(const std::string& names, std::uint32_t& value, const std::string& text);
  CliOption option(const std::string& names, std::uint64_t& value, const std::string& text);
  CliOption option(const std::string& names, std::optional<std::uint32_t>& value, const std::string& text);
  CliOption option(const std::string& names, double& value, const std::string& text);
  /// `read` takes the word of the user and returns what is wrong with it, or nothing.
  CliOption option(const std::string& names, const std::function<std::string(const std::string&)>& read,
                   const std::string& text);
  CliOption flag(const std::string& names, bool& value, const std::string& text);

  /// Sizes ("200M"), times ("10us") and shares ("5%") as numbers; a share of more than `most` is wrong usage (0: none
  /// is).
  CliOption size(const std::string& names, double& bytes, const std::string& text);
  CliOption seconds(const std::string& names, double& value, const std::string& text);
  CliOption share(const std::string& names, double& fraction, const std::string& text, double most = 0);

  /// What several tools have, with the limits that hold for all: --workers and --memory.
  CliOption workers(unsigned& count, const std::string& text);
  CliOption memory(std::uint64_t& bytes, const std::string& text, std::uint64_t least = 0);

  /// "archive ls": one operation must be named; options of the tool may follow its name, too.
  void needs_operation();
  CliOptions operation(const std::string& name, const std::string& purpose);
  /// What --help prints after the options.
  void footer(const std::string& text);
  /// After parsing: whether it is the operation that was named.
  bool is_chosen() const;

  /// True if the option of this name is there and takes a value.
  bool takes_value(const std::string& name) const;

 protected:
  explicit CliOptions(CLI::App* app) : app_(app) {}

 private:
  CLI::App* app_;
};

}  // namespace tarry
