// imbalance_data.hpp -- load balance and processors as JSON.
#pragma once

#include "base/text/json.hpp"
#include "findings/findings.hpp"

namespace tarry {

/// Members "oversubscription", "processors" and "load_balance" of the object that is open.
void add_imbalances(JsonWriter& out, const Report& report, const Findings& findings);

}  // namespace tarry
