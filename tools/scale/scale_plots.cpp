// scale_plots.cpp -- writes the plots of a study.
#include "scale_plots.hpp"

#include <sys/stat.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "base/files/file.hpp"
#include "base/text/format.hpp"
#include "line_plot.hpp"
#include "stacked_plot.hpp"

namespace tarry {
namespace {

constexpr std::size_t kMostLines = 7;  // as many as there are colours
constexpr int kStepsOfCurve = 60;

// The runs of each choice of the other parameters are one line.
LinePlot plot_of_study(const Study& study, bool is_speedup) {
  LinePlot plot{.title = is_speedup ? "Speedup" : "Efficiency",
                .x_name = "processors",
                .y_name = is_speedup ? "speedup" : "efficiency",
                .is_y_logarithmic = is_speedup,
                .lines = {}};
  PlotLine ideal{.name = "ideal", .points = {}, .curve = {}, .is_dashed = true};
  std::map<std::size_t, PlotLine> lines;  // by reference
  for (const Configuration& one : study.configurations) {
    const Configuration& reference = study.configurations[one.reference];
    PlotLine& line = lines[one.reference];
    if (line.points.empty()) line.name = "from " + configuration_text(study, reference);
    line.points.emplace_back(one.processors, is_speedup ? one.speedup : one.efficiency);
    ideal.points.emplace_back(one.processors, is_speedup ? one.processors / reference.processors : 1);
  }
  for (auto& [reference, line] : lines)
    if (plot.lines.size() < kMostLines) plot.lines.push_back(std::move(line));
  plot.lines.push_back(std::move(ideal));
  return plot;
}

PlotLine line_of_model(const ModelledRow& row) {
  PlotLine line{.name = row.series.call_path, .points = {}, .curve = {}};
  std::vector<double> at;
  for (std::size_t k = 0; k < row.series.parameters.size(); ++k) at.push_back(largest_of(row.series.points, k));
  double least = at[0];
  for (const MeasuredPoint& point : row.series.points) {
    bool is_on_line = true;
    for (std::size_t k = 1; k < at.size(); ++k) is_on_line = is_on_line && point.at[k] == at[k];
    if (!is_on_line) continue;
    line.points.emplace_back(point.at[0], point.mean());
    least = std::min(least, point.at[0]);
  }
  const double most = std::max(row.at[0], at[0]);
  for (int step = 0; step <= kStepsOfCurve; ++step) {
    at[0] = least * std::pow(most / least, static_cast<double>(step) / kStepsOfCurve);
    line.curve.emplace_back(at[0], row.model->at(at));
  }
  return line;
}

StackedPlot plot_of_parts(const Study& study, bool is_share) {
  StackedPlot plot{.title = is_share ? "Time of all threads by kind, as shares" : "Time of all threads by kind",
                   .x_name = study.varying.size() == 1 ? study.varying[0] : "parameters",
                   .y_name = is_share ? "share" : "seconds",
                   .columns = {},
                   .parts = {},
                   .is_share = is_share};
  for (const Configuration& one : study.configurations)
    plot.columns.push_back(study.varying.size() == 1 ? format_number(one.parameters.at(study.varying[0]), "%.10g")
                                                     : configuration_text(study, one));
  for (const PartScaling& part : study.parts) plot.parts.push_back({part.title, part.seconds});
  return plot;
}

std::string file_name_of(const std::string& metric) {
  std::string name = "models-";
  for (const char c : metric.substr(0, 100)) name.push_back(std::isalnum(static_cast<unsigned char>(c)) ? c : '_');
  return name + ".svg";
}

std::map<std::string, LinePlot> plots_of_models(const std::vector<ModelledRow>& rows) {
  std::map<std::string, LinePlot> plots;  // by file
  for (const std::size_t index : ranked_rows(rows)) {
    const ModelledRow& row = rows[index];
    if (!row.model) continue;
    LinePlot& plot = plots[file_name_of(row.series.metric)];
    if (plot.lines.empty()) {
      plot.title = "Models of " + row.series.metric;
      plot.x_name = row.series.parameters[0];
      plot.y_name = row.series.metric;
    }
    if (plot.lines.size() < kMostLines && plot.x_name == row.series.parameters[0])
      plot.lines.push_back(line_of_model(row));
  }
  return plots;
}

}  // namespace

Status write_plots(const Study* study, const std::vector<ModelledRow>& rows, const std::string& folder) {
  if (mkdir(folder.c_str(), 0777) != 0 && !is_directory(folder))
    return Error{folder, "cannot be made: " + system_error(), "name another folder"};
  if (study) {
    TARRY_TRY(write_file(folder + "/speedup.svg", draw_plot(plot_of_study(*study, true))));
    TARRY_TRY(write_file(folder + "/efficiency.svg", draw_plot(plot_of_study(*study, false))));
    TARRY_TRY(write_file(folder + "/time.svg", draw_stack(plot_of_parts(*study, false))));
    TARRY_TRY(write_file(folder + "/time-shares.svg", draw_stack(plot_of_parts(*study, true))));
  }
  for (const auto& [name, plot] : plots_of_models(rows)) TARRY_TRY(write_file(folder + "/" + name, draw_plot(plot)));
  return {};
}

}  // namespace tarry
