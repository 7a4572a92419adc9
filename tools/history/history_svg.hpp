// history_svg.hpp -- histories as a picture: small curves without axes.
#pragma once

#include <string>
#include <vector>

#include "store/history_data.hpp"

namespace tarry {

/// A curve for each history with a mark at each step.
std::string history_svg(const std::vector<History>& histories, const HistoryOptions& options);

}  // namespace tarry
