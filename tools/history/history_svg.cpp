// history_svg.cpp -- histories as a picture: small curves without axes.
#include "history_svg.hpp"

#include <algorithm>

#include "base/text/format.hpp"
#include "base/text/printable.hpp"
#include "report/cubex/xml_scanner.hpp"

namespace tarry {
namespace {

constexpr double kWidth = 600, kHeight = 60, kTitle = 18, kMargin = 6;

std::string coordinate(double value) { return format_number(value, "%.1f"); }

// Places of the points of one history, whose upper edge is at `top`.
class CurvePlaces {
 public:
  CurvePlaces(const History& history, double top) : history_(history), top_(top) {
    for (const HistoryPoint& point : history.points) {
      least_ = std::min(least_, point.mean());
      most_ = std::max(most_, point.mean());
    }
  }

  double x(std::size_t point) const {
    const auto last = static_cast<double>(std::max<std::size_t>(1, history_.points.size() - 1));
    return kMargin + (kWidth - 2 * kMargin) * static_cast<double>(point) / last;
  }
  double y(double value) const {
    const double share = most_ > least_ ? (value - least_) / (most_ - least_) : 0.5;
    return top_ + kMargin + (kHeight - 2 * kMargin) * (1 - share);
  }

 private:
  const History& history_;
  double top_;
  double least_ = 1e300, most_ = -1e300;
};

std::string curve_of(const History& history, double top) {
  const CurvePlaces places(history, top + kTitle);
  std::string svg = "<text x=\"" + coordinate(kMargin) + "\" y=\"" + coordinate(top + kTitle - 5) + "\">" +
                    encode_xml(printable(history.title)) + "</text>\n<polyline points=\"";
  for (std::size_t i = 0; i < history.points.size(); ++i)
    svg += (i ? " " : "") + coordinate(places.x(i)) + "," + coordinate(places.y(history.points[i].mean()));
  svg += "\"/>\n";
  for (const SeriesStep& step : history.steps) {
    const HistoryPoint& point = history.points[step.point];
    svg += "<circle cx=\"" + coordinate(places.x(step.point)) + "\" cy=\"" + coordinate(places.y(point.mean())) +
           "\" r=\"3\"><title>" + encode_xml(printable(run_title(point.runs[0]))) + "</title></circle>\n";
  }
  return svg;
}

}  // namespace

std::string history_svg(const std::vector<History>& histories, const HistoryOptions& options) {
  const double height = (kTitle + kHeight) * static_cast<double>(std::max<std::size_t>(1, histories.size()));
  std::string svg = "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"" + coordinate(kWidth) + "\" height=\"" +
                    coordinate(height) + "\" viewBox=\"0 0 " + coordinate(kWidth) + " " + coordinate(height) +
                    "\" role=\"img\">\n<title>" + encode_xml(printable(options.subject())) +
                    "</title>\n<style>polyline{fill:none;stroke:#1f77b4;stroke-width:1.5}circle{fill:#d62728}"
                    "text{font:11px sans-serif;fill:#444}</style>\n";
  for (std::size_t i = 0; i < histories.size(); ++i)
    svg += curve_of(histories[i], static_cast<double>(i) * (kTitle + kHeight));
  return svg + "</svg>\n";
}

}  // namespace tarry
