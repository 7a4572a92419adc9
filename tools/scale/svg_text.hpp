// svg_text.hpp -- the parts that plots are drawn of, as SVG.
#pragma once

#include <string>

namespace tarry {

/// A white picture with a title. All texts are escaped.
class SvgText {
 public:
  SvgText(double width, double height, const std::string& title);

  void label(double x, double y, const char* anchor, const std::string& text, const std::string& more = {});
  void stroke(double x1, double y1, double x2, double y2, const std::string& colour);
  void rectangle(double x, double y, double width, double height, const std::string& look, const std::string& title);
  void add(const std::string& svg) { text_ += svg; }

  std::string take() { return std::move(text_) + "</svg>\n"; }

 private:
  std::string text_;
};

std::string svg_coordinate(double value);

/// Told apart by people who do not see all colours; again and again for more.
const char* plot_colour(std::size_t index);

inline constexpr std::size_t kPlotColours = 7;

}  // namespace tarry
