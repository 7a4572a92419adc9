// scale_text.hpp -- models and studies, as tables for people.
#pragma once

#include <string>
#include <vector>

#include "scale_command.hpp"
#include "scaling/modelled_rows.hpp"
#include "scaling/speedups.hpp"

namespace tarry {

/// Tables of at most command.top lines. `study` is null where there are no runs.
std::string scale_text(const Study* study, const std::vector<ModelledRow>& rows, const ScaleCommand& command);

}  // namespace tarry
