// scale_text.cpp -- models and studies, as tables for people.
#include "scale_text.hpp"

#include <algorithm>

#include "base/text/format.hpp"
#include "base/text/printable.hpp"

namespace tarry {
namespace {

constexpr std::size_t kLabelWidth = 36;
constexpr std::size_t kTitleWidth = 50;
constexpr std::size_t kCellWidth = 12;
constexpr std::size_t kModelWidth = 40;

std::string cell(const std::optional<double>& value, const char* pattern) {
  return pad_left(value ? format_number(*value, pattern) : "-", kCellWidth);
}

class ScaleText {
 public:
  explicit ScaleText(const ScaleCommand& options) : options_(options) {}

  std::string take() { return std::move(text_); }

  void write_study(const Study& study) {
    add_line(text_, std::string("Runs, ") + (study.scaling == Scaling::kWeak ? "weak" : "strong") + " scaling");
    add_line(text_, pad_right("  parameters", kLabelWidth) + pad_left("runs", kCellWidth) +
                        pad_left("run time", kCellWidth) + pad_left("speedup", kCellWidth) +
                        pad_left("efficiency", kCellWidth));
    for (const Configuration& one : study.configurations)
      add_line(text_, label("  " + configuration_text(study, one)) +
                          pad_left(std::to_string(one.runs.size()), kCellWidth) +
                          pad_left(format_seconds(one.runtime), kCellWidth) + cell(one.speedup, "%.2f") +
                          pad_left(format_percent(one.efficiency), kCellWidth));
    add_line(text_);
    write_pop(study);
    write_parts(study);
    write_regions(study);
  }

  void write_models(const std::vector<ModelledRow>& rows) {
    std::string metric;
    std::size_t lines = 0, too_few = 0;
    const std::vector<std::size_t> order = ranked_rows(rows);
    const std::size_t first = order.empty() ? 0 : order[0];
    for (const std::size_t index : order) {
      const ModelledRow& row = rows[index];
      if (index == first || row.series.metric != metric) {
        begin_metric(row);
        lines = 0;
      }
      metric = row.series.metric;
      too_few += !row.model && std::string_view(row.why_none) == kTooFewPoints;
      if (options_.top == 0 || lines < options_.top) write_row(row);
      else if (lines == options_.top) add_line(text_, "  ... (--top 0 shows all)");
      ++lines;
    }
    if (too_few > 0)
      add_line(text_, "Not enough points: a model needs " +
                          std::to_string(options_.is_like_reference ? 3 : static_cast<int>(kLeastPoints)) +
                          " different values of each parameter, with the others fixed.");
  }

 private:
  static std::string label(const std::string& text) {
    return pad_right(shorten_middle(text, kLabelWidth), kLabelWidth);
  }

  std::string configuration_heads(const Study& study) const {
    std::string heads;
    for (const Configuration& one : study.configurations)
      heads += pad_left(shorten_middle(configuration_text(study, one), kCellWidth - 1), kCellWidth);
    return heads;
  }

  void write_pop(const Study& study) {
    add_line(text_, label("POP efficiencies") + configuration_heads(study));
    for (const EfficiencyInfo& info : efficiency_table()) {
      const bool is_any = std::any_of(study.configurations.begin(), study.configurations.end(),
                                      [&](const Configuration& one) { return one.pop[info.id].has_value(); });
      if (info.model != EfficiencyModel::kStandard || !is_any) continue;
      std::string line = label(std::string(2 + 2 * depth_of(info.id), ' ') + info.label);
      for (const Configuration& one : study.configurations) {
        const auto& value = one.pop[info.id];
        line += pad_left(value ? format_number(100 * *value, "%.1f%%") : "-", kCellWidth);
      }
      add_line(text_, line);
    }
    const bool knows_network =
        std::all_of(study.configurations.begin(), study.configurations.end(),
                    [](const Configuration& one) { return one.pop[Efficiency::kTransfer].has_value(); });
    if (!knows_network)
      add_line(text_,
               "  Serialisation and transfer need a trace of each run (tarry measure -t; tarry store add "
               "--efficiency).");
    add_line(text_);
  }

  void write_parts(const Study& study) {
    if (study.parts.empty()) return;
    std::size_t width = kLabelWidth;
    for (const PartScaling& part : study.parts) width = std::max(width, display_width(part.title) + 4);
    width = std::min(width, kTitleWidth);
    add_line(text_, pad_right("Time of all threads by kind", width) + configuration_heads(study));
    std::vector<double> wholes(study.configurations.size());
    for (const PartScaling& part : study.parts)
      for (std::size_t i = 0; i < wholes.size(); ++i) wholes[i] += part.seconds[i];
    for (const PartScaling& part : study.parts) {
      std::string line = pad_right("  " + shorten_middle(part.title, width - 3), width);
      for (std::size_t i = 0; i < wholes.size(); ++i)
        line += pad_left(wholes[i] > 0 ? format_percent(part.seconds[i] / wholes[i]) : "-", kCellWidth);
      add_line(text_, line);
    }
    add_line(text_);
  }

  void write_regions(const Study& study) {
    if (study.configurations.size() < 2) return;
    std::string metric;
    std::size_t lines = 0;
    for (const RegionScaling& region : study.regions) {
      if (region.metric != metric) {
        if (!metric.empty()) add_line(text_);
        metric = region.metric;
        lines = 0;
        add_line(text_, label("Efficiency of " + printable(metric)) + configuration_heads(study));
      }
      if (options_.top > 0 && ++lines > options_.top) continue;
      std::string line = label("  " + region.name);
      for (const auto& value : region.efficiencies)
        line += pad_left(value ? format_number(100 * *value, "%.1f%%") : "-", kCellWidth);
      add_line(text_, line);
    }
    add_line(text_);
  }

  void begin_metric(const ModelledRow& row) {
    add_line(text_, "Models of " + row.series.metric +
                        (row.model ? ", by what they predict at " + place_text(row) : std::string()));
    add_line(text_, pad_left("predicted", kCellWidth) + pad_left("share", 8) + "  " + pad_right("95% band", 25) +
                        pad_left("adj. R2", 9) + "  " + pad_right("model", kModelWidth) + "  call path");
  }

  void write_row(const ModelledRow& row) {
    if (!row.model) {
      add_line(text_, pad_left("-", kCellWidth) + pad_left("-", 8) + "  " + pad_right("-", 25) + pad_left("-", 9) +
                          "  " + pad_right(row.why_none, kModelWidth) + "  " + row.series.call_path);
      return;
    }
    const std::string band = row.band ? format_number(row.band->lower) + " to " + format_number(row.band->upper) : "-";
    add_line(text_, pad_left(format_number(row.prediction), kCellWidth) + pad_left(format_percent(row.share), 8) +
                        "  " + pad_right(band, 25) +
                        pad_left(format_number(row.model->figures.adjusted_r2, "%.4f"), 9) + "  " +
                        pad_right(row.model->text(row.series.parameters), kModelWidth) + "  " + row.series.call_path);
  }

  const ScaleCommand& options_;
  std::string text_;
};

}  // namespace

std::string scale_text(const Study* study, const std::vector<ModelledRow>& rows, const ScaleCommand& options) {
  ScaleText text(options);
  if (study) text.write_study(*study);
  text.write_models(rows);
  return text.take();
}

}  // namespace tarry
