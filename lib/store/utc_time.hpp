// utc_time.hpp -- dates as the store keeps them.
#pragma once

#include <optional>
#include <string>

namespace tarry {

/// Now, "2026-01-31T12:00:00Z".
std::string utc_now_text();

/// A date of the user's as the store keeps it: "2026-01-31", or with "T12:00:00" or "T12:00:00Z" behind it.
std::optional<std::string> read_utc_time(const std::string& text);

}  // namespace tarry
