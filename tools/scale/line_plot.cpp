// line_plot.cpp -- draws lines and points over logarithmic axes, as SVG.
#include "line_plot.hpp"

#include <algorithm>
#include <cmath>

#include "base/text/format.hpp"
#include "base/text/printable.hpp"
#include "svg_text.hpp"

namespace tarry {
namespace {

constexpr double kWidth = 900, kHeight = 480;
constexpr double kLeft = 80, kRight = 600, kTop = 48, kBottom = 420;
constexpr std::size_t kNameWidth = 44;

// An axis from `least` to `most`, drawn between two coordinates.
class Axis {
 public:
  Axis(bool is_logarithmic, double begin, double end) : is_logarithmic_(is_logarithmic), begin_(begin), end_(end) {}

  bool shows(double value) const { return std::isfinite(value) && (!is_logarithmic_ || value > 0); }

  void include(double value) {
    if (!shows(value)) return;
    least_ = std::min(least_, value);
    most_ = std::max(most_, value);
  }

  // Some room, and something to show where there is nothing.
  void finish() {
    if (least_ > most_) least_ = most_ = 1;
    if (is_logarithmic_) {
      if (least_ == most_) least_ /= 2, most_ *= 2;
    } else {
      least_ = std::min(least_, 0.0);
      if (least_ == most_) most_ = least_ + 1;
    }
  }

  double position(double value) const {
    const double from = scaled(least_), to = scaled(most_);
    return begin_ + (scaled(value) - from) / (to - from) * (end_ - begin_);
  }

  std::vector<double> marks() const {
    std::vector<double> marks;
    const double step = is_logarithmic_ ? 0 : std::pow(10, std::floor(std::log10((most_ - least_) / 2)));
    if (!is_logarithmic_) {
      for (double mark = 0; mark <= most_ * (1 + 1e-9) && marks.size() < 24; mark += step) marks.push_back(mark);
      return marks;
    }
    const int first = static_cast<int>(std::floor(std::log10(least_))), last = static_cast<int>(std::log10(most_)) + 1;
    const int stride = std::max(1, (last - first) / 8);
    const bool is_short = last - first < 4;
    for (int power = first; power <= last; power += stride)
      for (const double factor : {1.0, 2.0, 5.0})
        if (const double mark = factor * std::pow(10, power); (is_short || factor == 1) && is_within(mark))
          marks.push_back(mark);
    return marks;
  }

 private:
  double scaled(double value) const { return is_logarithmic_ ? std::log(value) : value; }
  bool is_within(double mark) const { return mark >= least_ * (1 - 1e-9) && mark <= most_ * (1 + 1e-9); }

  bool is_logarithmic_;
  double begin_, end_;
  double least_ = HUGE_VAL, most_ = -HUGE_VAL;
};

class Drawing {
 public:
  explicit Drawing(const LinePlot& plot)
      : plot_(plot),
        x_(true, kLeft, kRight),
        y_(plot.is_y_logarithmic, kBottom, kTop),
        svg_(kWidth, kHeight, plot.title) {
    for (const PlotLine& line : plot.lines) {
      for (const auto* points : {&line.points, &line.curve}) {
        for (const auto& [x, y] : *points) {
          x_.include(x);
          y_.include(y);
        }
      }
    }
    x_.finish();
    y_.finish();
  }

  std::string draw() {
    draw_axes();
    for (std::size_t i = 0; i < plot_.lines.size(); ++i) draw_line(plot_.lines[i], i);
    return svg_.take();
  }

 private:
  void draw_axes() {
    for (const double mark : x_.marks()) {
      svg_.stroke(x_.position(mark), kTop, x_.position(mark), kBottom, "#e5e5e5");
      svg_.label(x_.position(mark), kBottom + 18, "middle", format_number(mark));
    }
    for (const double mark : y_.marks()) {
      svg_.stroke(kLeft, y_.position(mark), kRight, y_.position(mark), "#e5e5e5");
      svg_.label(kLeft - 6, y_.position(mark) + 4, "end", format_number(mark));
    }
    svg_.stroke(kLeft, kBottom, kRight, kBottom, "black");
    svg_.stroke(kLeft, kTop, kLeft, kBottom, "black");
    svg_.label((kLeft + kRight) / 2, kBottom + 40, "middle", plot_.x_name);
    svg_.label(kLeft, kTop - 8, "middle", plot_.y_name);
  }

  void draw_line(const PlotLine& line, std::size_t index) {
    const std::string colour = line.is_dashed ? "#999999" : plot_colour(index);
    std::string line_text = "<polyline fill=\"none\" stroke=\"" + colour + "\" stroke-width=\"1.5\"" +
                            (line.is_dashed ? " stroke-dasharray=\"5 4\"" : "") + " points=\"";
    for (const auto& [x, y] : line.curve.empty() ? line.points : line.curve)
      if (x_.shows(x) && y_.shows(y))
        line_text += svg_coordinate(x_.position(x)) + "," + svg_coordinate(y_.position(y)) + " ";
    line_text += "\"/>\n";
    for (const auto& [x, y] : line.points)
      if (!line.is_dashed && x_.shows(x) && y_.shows(y))
        line_text += "<circle cx=\"" + svg_coordinate(x_.position(x)) + "\" cy=\"" + svg_coordinate(y_.position(y)) +
                     "\" r=\"3\" fill=\"" + colour + "\"/>\n";
    svg_.add(line_text);
    const double y = kTop + 18 * static_cast<double>(index);
    svg_.stroke(kRight + 16, y, kRight + 36, y, colour);
    svg_.label(kRight + 42, y + 4, "start", shorten_middle(line.name, kNameWidth));
  }

  const LinePlot& plot_;
  Axis x_, y_;
  SvgText svg_;
};

}  // namespace

std::string draw_plot(const LinePlot& plot) { return Drawing(plot).draw(); }

}  // namespace tarry
