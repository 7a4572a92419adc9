// efficiency_names.hpp -- what POP's efficiencies are called on the page.
#pragma once

#include "base/text/json.hpp"
#include "efficiency/efficiencies.hpp"
#include "efficiency/efficiency_table.hpp"

namespace tarry {

/// Member "efficiencies": {model, key, label, depth} of each.
inline void add_efficiency_names(JsonWriter& json) {
  json.name("efficiencies").begin_array();
  for (const EfficiencyInfo& info : efficiency_table()) {
    json.begin_object().member("model", name_of(info.model)).member("key", info.key).member("label", info.label);
    json.member("depth", depth_of(info.id)).end();
  }
  json.end();
}

}  // namespace tarry
