// cli.hpp -- what every tool's command line has in common.
//
// What main() hands to tool_main() reads:
//   Cli cli("replay", "finds wait states in a trace", kExamples);
//   cli.option("input", ...).required();                  // base/tool/cli_options.hpp
//   if (auto status = cli.parse(argc, argv)) return *status;
//   return cli.finish(run(...));
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "base/tool/cli_options.hpp"
#include "base/result.hpp"

namespace tarry {

/// Exit statuses of every tool (docs: "Exit status" in each manual page).
inline constexpr int kExitDone = 0;
inline constexpr int kExitFailed = 1;
inline constexpr int kExitUsage = 2;

class Cli : public CliOptions {
 public:
  /// `name` without "tarry-"; `footer` holds examples, files and "see also", printed after the options by --help.
  Cli(std::string name, std::string purpose, std::string footer);
  ~Cli();

  /// Parses; adds -q, -v, --version. Returns the exit status if the tool is done already: help or version printed (0),
  /// wrong usage (2, one line on stderr). Sets up the log otherwise.
  std::optional<int> parse(int argc, char** argv);

  /// Maps the outcome to an exit status and prints the error if there is one. Checks that everything written to stdout
  /// has arrived: a full disk is a failure, a reader that has seen enough (`| head`) is none.
  int finish(const Status& outcome);
  int finish(const Result<int>& exit_status);

 private:
  Cli(std::string name, std::unique_ptr<CLI::App> app);

  std::string name_;
  std::unique_ptr<CLI::App> app_;
  bool quiet_ = false;
  bool verbose_ = false;
};

/// "200M", "1G", "64k", "4096": bytes, binary multiples.
Result<std::uint64_t> parse_size(const std::string& text);

/// "1.5s", "20ms", "3us", "7ns", "2" (seconds).
Result<double> parse_seconds(const std::string& text);

/// "1GB/s", "12.5MiB/s": bytes a second. Here a GB has 10^9 bytes, as networks count.
Result<double> parse_rate(const std::string& text);

/// "5%" or "0.05" as a fraction.
Result<double> parse_fraction(const std::string& text);

}  // namespace tarry
