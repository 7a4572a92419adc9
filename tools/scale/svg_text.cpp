// svg_text.cpp -- the parts that plots are drawn of, as SVG.
#include "svg_text.hpp"

#include "base/text/format.hpp"
#include "base/text/printable.hpp"
#include "report/cubex/xml_scanner.hpp"

namespace tarry {
namespace {

constexpr double kTitleX = 80, kTitleY = 24;

}  // namespace

std::string svg_coordinate(double value) { return format_number(value, "%.1f"); }

// [Okabe, Ito 2008]
const char* plot_colour(std::size_t index) {
  static constexpr const char* kColours[kPlotColours] = {"#0072b2", "#d55e00", "#009e73", "#cc79a7",
                                                         "#e69f00", "#56b4e9", "#000000"};
  return kColours[index % kPlotColours];
}

SvgText::SvgText(double width, double height, const std::string& title)
    : text_(
          "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 " + format_number(width) + " " +
          format_number(height) +
          "\" font-family=\"sans-serif\" font-size=\"12\">\n<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n") {
  label(kTitleX, kTitleY, "start", title, "font-size=\"16\"");
}

void SvgText::label(double x, double y, const char* anchor, const std::string& text, const std::string& more) {
  text_ += "<text x=\"" + svg_coordinate(x) + "\" y=\"" + svg_coordinate(y) + "\" text-anchor=\"" + anchor + "\" " +
           more + ">" + encode_xml(printable(text)) + "</text>\n";
}

void SvgText::stroke(double x1, double y1, double x2, double y2, const std::string& colour) {
  text_ += "<line x1=\"" + svg_coordinate(x1) + "\" y1=\"" + svg_coordinate(y1) + "\" x2=\"" + svg_coordinate(x2) +
           "\" y2=\"" + svg_coordinate(y2) + "\" stroke=\"" + colour + "\"/>\n";
}

void SvgText::rectangle(double x, double y, double width, double height, const std::string& look,
                        const std::string& title) {
  text_ += "<rect x=\"" + svg_coordinate(x) + "\" y=\"" + svg_coordinate(y) + "\" width=\"" + svg_coordinate(width) +
           "\" height=\"" + svg_coordinate(height) + "\" " + look;
  text_ += title.empty() ? "/>\n" : "><title>" + encode_xml(printable(title)) + "</title></rect>\n";
}

}  // namespace tarry
