// stacked_plot.cpp -- draws columns of parts that add up, as SVG.
#include "stacked_plot.hpp"

#include <algorithm>
#include <cmath>

#include "base/text/format.hpp"
#include "base/text/printable.hpp"
#include "svg_text.hpp"

namespace tarry {
namespace {

constexpr double kStackWidth = 900, kStackHeight = 480;
constexpr double kStackLeft = 80, kStackRight = 560, kStackTop = 48, kStackBottom = 420;
constexpr std::size_t kStackNameWidth = 48, kColumnNameWidth = 12, kMostColumnNames = 12;

// Colours come again, lighter and then with a frame of another kind.
std::string look_of(std::size_t part) {
  static constexpr const char* kRounds[] = {"", " fill-opacity=\"0.55\"", " fill-opacity=\"0.25\""};
  const std::size_t round = std::min<std::size_t>(part / kPlotColours, std::size(kRounds) - 1);
  return std::string("fill=\"") + plot_colour(part) + "\"" + kRounds[round] + " stroke=\"white\" stroke-width=\"0.5\"";
}

class Stack {
 public:
  explicit Stack(const StackedPlot& plot) : plot_(plot), svg_(kStackWidth, kStackHeight, plot.title) {
    for (std::size_t column = 0; column < plot.columns.size(); ++column) {
      double sum = 0;
      for (const StackedPart& part : plot.parts) sum += value(part, column);
      sums_.push_back(sum);
    }
    most_ = plot.is_share ? 1 : *std::max_element(sums_.begin(), sums_.end());
    if (!(most_ > 0)) most_ = 1;
  }

  std::string draw() {
    draw_axes();
    for (std::size_t column = 0; column < plot_.columns.size(); ++column) draw_column(column);
    for (std::size_t i = 0; i < plot_.parts.size(); ++i) draw_name(i);
    return svg_.take();
  }

 private:
  static double value(const StackedPart& part, std::size_t column) { return std::max(part.values[column], 0.0); }
  double place(double share) const { return kStackBottom + share * (kStackTop - kStackBottom); }
  double width() const { return (kStackRight - kStackLeft) / static_cast<double>(plot_.columns.size()); }

  void draw_axes() {
    for (int quarter = 0; quarter <= 4; ++quarter) {
      const double share = quarter / 4.0;
      svg_.stroke(kStackLeft, place(share), kStackRight, place(share), "#e5e5e5");
      svg_.label(kStackLeft - 6, place(share) + 4, "end",
                 plot_.is_share ? format_percent(share) : format_number(share * most_, "%.3g"));
    }
    svg_.stroke(kStackLeft, kStackTop, kStackLeft, kStackBottom, "black");
    svg_.label((kStackLeft + kStackRight) / 2, kStackBottom + 40, "middle", plot_.x_name);
    svg_.label(kStackLeft, kStackTop - 8, "middle", plot_.y_name);
  }

  void draw_column(std::size_t column) {
    const double x = kStackLeft + (static_cast<double>(column) + 0.1) * width();
    const double whole = plot_.is_share ? sums_[column] : most_;
    double below = 0;
    for (std::size_t i = 0; i < plot_.parts.size() && whole > 0; ++i) {
      const double share = value(plot_.parts[i], column) / whole;
      if (share > 0)
        svg_.rectangle(x, place(below + share), 0.8 * width(), share * (kStackBottom - kStackTop), look_of(i),
                       plot_.parts[i].name);
      below += share;
    }
    const std::size_t stride = (plot_.columns.size() + kMostColumnNames - 1) / kMostColumnNames;
    if (column % stride == 0)
      svg_.label(x + 0.4 * width(), kStackBottom + 18, "middle",
                 shorten_middle(plot_.columns[column], kColumnNameWidth));
  }

  // The names are in the order of the parts, from the top down.
  void draw_name(std::size_t part) {
    const double y = kStackTop + 18 * static_cast<double>(plot_.parts.size() - 1 - part);
    svg_.rectangle(kStackRight + 16, y - 6, 14, 12, look_of(part), "");
    svg_.label(kStackRight + 38, y + 4, "start", shorten_middle(plot_.parts[part].name, kStackNameWidth));
  }

  const StackedPlot& plot_;
  SvgText svg_;
  std::vector<double> sums_;
  double most_ = 1;
};

}  // namespace

std::string draw_stack(const StackedPlot& plot) { return Stack(plot).draw(); }

}  // namespace tarry
