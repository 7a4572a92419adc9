// log.cpp -- the one gate to stderr.
#include "base/tool/log.hpp"

#include <unistd.h>

#include <cstdio>
#include <cstdlib>

#include "base/text/printable.hpp"

namespace tarry {
namespace {

std::string g_tool = "tarry";
Verbosity g_verbosity = Verbosity::kNormal;

// One write per line, so that lines of several processes do not mix.
void print(std::string_view kind, std::string_view text) {
  std::string line;
  add_line(line, (g_tool + ": ").append(kind).append(text));
  std::fwrite(line.data(), 1, line.size(), stderr);
}

}  // namespace

void log_setup(std::string tool, Verbosity verbosity) {
  g_tool = std::move(tool);
  g_verbosity = verbosity;
}

void log_error(const Error& error) { print("", error.text()); }

void log_warning(std::string_view text) {
  if (g_verbosity != Verbosity::kQuiet) print("warning: ", text);
}

void log_info(std::string_view text) {
  if (g_verbosity != Verbosity::kQuiet) print("", text);
}

void log_detail(std::string_view text) {
  if (g_verbosity == Verbosity::kVerbose) print("", text);
}

Verbosity log_verbosity() { return g_verbosity; }

bool is_for_people(int descriptor) {
  const char* term = std::getenv("TERM");
  return isatty(descriptor) && !std::getenv("NO_COLOR") && term && std::string_view(term) != "dumb";
}

}  // namespace tarry
