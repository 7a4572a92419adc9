// store_values.hpp -- writes the values of a report to the store: a row for each metric and call path.
#pragma once

#include <cstdint>
#include <vector>

#include "base/result.hpp"
#include "report/algebra/cube_source.hpp"
#include "store/database.hpp"

namespace tarry {

/// `metrics[metric of the report]` is its row in the store. Within a transaction that writes.
Status store_values(Database& database, std::int64_t experiment, const CubeSource& report,
                    const std::vector<std::int64_t>& metrics);

}  // namespace tarry
