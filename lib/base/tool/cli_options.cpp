// cli_options.cpp -- declares the options of a tool, or of one of its operations.
#include "base/tool/cli_options.hpp"

#include <CLI/CLI.hpp>

#include "base/tool/cli.hpp"

namespace tarry {
namespace {

constexpr unsigned kMostWorkers = 1024;

std::string mebibytes(std::uint64_t bytes) { return std::to_string(bytes >> 20) + "M"; }

// Reads a quantity as `parse` does.
template <class Parse>
auto read_into(double& value, Parse parse, double most = 0) {
  return [&value, parse, most](const std::string& word) -> std::string {
    const auto parsed = parse(word);
    if (!parsed.ok()) return parsed.error().text();
    if (most > 0 && parsed.value() > most) return "'" + word + "' is too much";
    value = static_cast<double>(parsed.value());
    return {};
  };
}

// CLI11's own error is worded differently from version to version.
CLI::Validator in_range(const CLI::Range& range, const std::string& words) {
  const auto check = [range, words](const std::string& word) -> std::string {
    return range(word).empty() ? "" : "'" + word + "' is not in the range " + words;
  };
  return CLI::Validator(check, words);
}

template <class Number>
CLI::Validator in_range(Number least, Number most) {
  return in_range(CLI::Range(least, most), std::to_string(least) + " to " + std::to_string(most));
}

}  // namespace

CliOption& CliOption::required() {
  option_->required();
  return *this;
}

CliOption& CliOption::value_name(const std::string& name) {
  option_->type_name(name);
  return *this;
}

CliOption& CliOption::description(const std::string& text) {
  option_->description(text);
  return *this;
}

CliOption& CliOption::one_of(const std::vector<std::string>& values) {
  option_->check(CLI::IsMember(values));
  return *this;
}

CliOption& CliOption::between(int least, int most) {
  option_->check(in_range(least, most));
  return *this;
}

CliOption& CliOption::between(unsigned least, unsigned most) {
  option_->check(in_range(least, most));
  return *this;
}

CliOption& CliOption::between(double least, double most, const std::string& range) {
  option_->check(in_range(CLI::Range(least, most), range));
  return *this;
}

CliOption& CliOption::not_with(const CliOption& other) {
  option_->excludes(other.option_);
  return *this;
}

CliOption& CliOption::count(int least, int most) {
  option_->expected(least, most);
  return *this;
}

CliOption& CliOption::one_at_a_time() {
  option_->allow_extra_args(false);
  return *this;
}

bool CliOption::is_given() const { return option_->count() > 0; }

CliOption CliOptions::option(const std::string& names, std::string& value, const std::string& text) {
  return CliOption(app_->add_option(names, value, text));
}

CliOption CliOptions::option(const std::string& names, std::vector<std::string>& values, const std::string& text) {
  return CliOption(app_->add_option(names, values, text));
}

CliOption CliOptions::option(const std::string& names, std::uint32_t& value, const std::string& text) {
  return CliOption(app_->add_option(names, value, text));
}

CliOption CliOptions::option(const std::string& names, std::uint64_t& value, const std::string& text) {
  return CliOption(app_->add_option(names, value, text));
}

CliOption CliOptions::option(const std::string& names, std::optional<std::uint32_t>& value, const std::string& text) {
  return CliOption(app_->add_option(names, value, text));
}

CliOption CliOptions::option(const std::string& names, double& value, const std::string& text) {
  return CliOption(app_->add_option(names, value, text));
}

CliOption CliOptions::option(const std::string& names, const std::function<std::string(const std::string&)>& read,
                             const std::string& text) {
  const std::function<void(const std::string&)> take = [read](const std::string& word) {
    if (const std::string wrong = read(word); !wrong.empty()) throw CLI::ValidationError(wrong);
  };
  return CliOption(app_->add_option_function<std::string>(names, take, text));
}

CliOption CliOptions::flag(const std::string& names, bool& value, const std::string& text) {
  return CliOption(app_->add_flag(names, value, text));
}

CliOption CliOptions::size(const std::string& names, double& bytes, const std::string& text) {
  return option(names, read_into(bytes, parse_size), text).value_name("SIZE");
}

CliOption CliOptions::seconds(const std::string& names, double& value, const std::string& text) {
  return option(names, read_into(value, parse_seconds), text).value_name("TIME");
}

CliOption CliOptions::share(const std::string& names, double& fraction, const std::string& text, double most) {
  return option(names, read_into(fraction, parse_fraction, most), text).value_name("PERCENT");
}

CliOption CliOptions::workers(unsigned& count, const std::string& text) {
  return option("--workers", count, text).between(1u, kMostWorkers);
}

CliOption CliOptions::memory(std::uint64_t& bytes, const std::string& text, std::uint64_t least) {
  const auto read = [&bytes, least](const std::string& word) -> std::string {
    auto parsed = parse_size(word);
    if (!parsed.ok()) return "--memory: " + parsed.error().why;
    if (*parsed < least) return "--memory: less than " + mebibytes(least);
    bytes = *parsed;
    return {};
  };
  return option("--memory", read, text).value_name("SIZE");
}

void CliOptions::needs_operation() {
  app_->require_subcommand(1);
  app_->fallthrough();
}

CliOptions CliOptions::operation(const std::string& name, const std::string& purpose) {
  return CliOptions(app_->add_subcommand(name, purpose));
}

void CliOptions::footer(const std::string& text) { app_->footer(text); }

bool CliOptions::is_chosen() const { return app_->parsed(); }

bool CliOptions::takes_value(const std::string& name) const {
  const CLI::Option* option = app_->get_option_no_throw(name);
  return option && option->get_expected_min() > 0;
}

}  // namespace tarry
