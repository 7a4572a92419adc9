// line_plot.hpp -- draws lines and points over logarithmic axes, as SVG.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace tarry {

struct PlotLine {
  std::string name;
  std::vector<std::pair<double, double>> points;  // what is measured
  std::vector<std::pair<double, double>> curve;   // what is drawn between; empty: straight lines through the points
  bool is_dashed = false;                         // for comparison: grey
};

struct LinePlot {
  std::string title, x_name, y_name;
  bool is_y_logarithmic = true;
  std::vector<PlotLine> lines;
};

/// What is not above 0 has no place on a logarithmic axis and is left out. Names are escaped.
std::string draw_plot(const LinePlot& plot);

}  // namespace tarry
