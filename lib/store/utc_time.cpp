// utc_time.cpp -- dates as the store keeps them.
#include "store/utc_time.hpp"

#include <ctime>

namespace tarry {
namespace {

std::string utc_text(const std::tm& parts) {
  char text[32];
  std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &parts);
  return text;
}

}  // namespace

std::string utc_now_text() {
  const std::time_t now = std::time(nullptr);
  std::tm parts{};
  ::gmtime_r(&now, &parts);
  return utc_text(parts);
}

std::optional<std::string> read_utc_time(const std::string& text) {
  for (const char* form : {"%Y-%m-%dT%H:%M:%SZ", "%Y-%m-%dT%H:%M:%S", "%Y-%m-%d"}) {
    std::tm parts{};
    const char* end = ::strptime(text.c_str(), form, &parts);
    if (end && *end == '\0') return utc_text(parts);
  }
  return {};
}

}  // namespace tarry
