// text_columns.cpp -- how wide lines for people may be.
#include "base/text/text_columns.hpp"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <string_view>

namespace tarry {
namespace {

constexpr std::size_t kUsualTerminal = 80;  // of one that does not know its width

// 0 if it is no number.
std::size_t columns_wanted() {
  const char* variable = std::getenv("COLUMNS");
  const std::string_view text = variable ? variable : "";
  std::size_t columns = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), columns);
  if (error == std::errc::result_out_of_range) return kWholeLine;
  return error == std::errc() && end == text.data() + text.size() ? columns : 0;
}

std::size_t columns_of_terminal(int descriptor) {
  winsize size{};
  if (!::isatty(descriptor)) return kWholeLine;
  return ::ioctl(descriptor, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : kUsualTerminal;
}

}  // namespace

std::size_t text_columns(int descriptor) {
  const std::size_t wanted = columns_wanted();
  return std::clamp(wanted > 0 ? wanted : columns_of_terminal(descriptor), kLeastColumns, kWholeLine);
}

}  // namespace tarry
