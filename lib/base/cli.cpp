// cli.cpp -- what every tool's command line has in common.
#include "base/cli.hpp"

#include <cerrno>
#include <cmath>
#include <csignal>
#include <cstring>

#include "base/log.hpp"

namespace tarry {

Cli::Cli(std::string name, std::string purpose, std::string footer)
    : name_("tarry-" + std::move(name)), app_(std::move(purpose), name_) {
  app_.footer(std::move(footer));
  app_.set_help_flag("-h,--help", "print this help and exit");
  app_.set_version_flag("--version", name_ + " " TARRY_VERSION " (" __VERSION__ ")", "print the version and exit");
  app_.add_flag("-q,--quiet", quiet_, "print errors only");
  app_.add_flag("-v,--verbose", verbose_, "print details");
  app_.get_formatter()->column_width(34);
  // A reader that went away is a failed write with a message, not a silent death.
  std::signal(SIGPIPE, SIG_IGN);
}

std::optional<int> Cli::parse(int argc, char** argv) {
  log_setup(name_, Verbosity::kNormal);
  try {
    app_.parse(argc, argv);
  } catch (const CLI::CallForHelp&) {
    std::cout << app_.help();
    return finish(Status());
  } catch (const CLI::CallForVersion& version) {
    std::cout << version.what() << '\n';
    return finish(Status());
  } catch (const CLI::ParseError& error) {
    log_error({"usage", error.what(), "try '" + name_ + " --help'"});
    return kExitUsage;
  }
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
  if (!exit_status.ok()) {
    log_error(exit_status.error());
    return kExitFailed;
  }
  if (!written) {
    log_error({"standard output", errno ? std::strerror(errno) : "write failed", "results are incomplete"});
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
  static const Unit units[] = {{"", 1}, {"B", 1}, {"k", 1024.0}, {"K", 1024.0}, {"kB", 1024.0}, {"KB", 1024.0},
                               {"M", 1048576.0}, {"MB", 1048576.0}, {"G", 1073741824.0}, {"GB", 1073741824.0},
                               {"T", 1099511627776.0}, {"TB", 1099511627776.0}};
  TARRY_TRY_ASSIGN(bytes, parse_with_units(text, units, "200M"));
  if (bytes > 9e18) return Error{"'" + text + "'", "is too large", "write it like 200M"};
  return static_cast<std::uint64_t>(bytes);
}

Result<double> parse_seconds(const std::string& text) {
  static const Unit units[] = {{"", 1}, {"s", 1}, {"ms", 1e-3}, {"us", 1e-6}, {"ns", 1e-9}, {"min", 60}, {"h", 3600}};
  return parse_with_units(text, units, "1.5s");
}

Result<double> parse_fraction(const std::string& text) {
  static const Unit units[] = {{"", 1}, {"%", 0.01}};
  return parse_with_units(text, units, "5%");
}

}  // namespace tarry
