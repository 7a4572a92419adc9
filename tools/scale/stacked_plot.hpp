// stacked_plot.hpp -- draws columns of parts that add up, as SVG.
#pragma once

#include <string>
#include <vector>

namespace tarry {

struct StackedPart {
  std::string name;
  std::vector<double> values;  // [column]
};

struct StackedPlot {
  std::string title, x_name, y_name;
  std::vector<std::string> columns;
  std::vector<StackedPart> parts;  // the first one lies at the bottom
  bool is_share = false;           // each column is 100 percent
};

/// Values below 0 count as 0. Names are escaped.
std::string draw_stack(const StackedPlot& plot);

}  // namespace tarry
