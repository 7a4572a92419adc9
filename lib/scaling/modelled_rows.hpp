// modelled_rows.hpp -- the model of each call path and metric, and what it predicts.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "scaling/model/confidence.hpp"
#include "scaling/model/evidence_choice.hpp"
#include "scaling/model/measured_points.hpp"
#include "scaling/model/scaling_model.hpp"
#include "scaling/scale_options.hpp"

namespace tarry {

inline constexpr char kTooFewPoints[] = "not enough points";

struct ModelledRow {
  MeasuredSeries series;
  std::optional<ScalingModel> model;
  const char* why_none = kTooFewPoints;  // for people, where there is no model
  std::optional<EvidenceChoice> choice;  // of our own
  std::vector<double> at;                // where it predicts, by parameter
  double prediction = 0;
  std::optional<ConfidenceBand> band;
  double share = 0;  // of the predictions of the metric
};

/// Models all series on several threads, in their order. Fails if options.at names a parameter that no series has.
Result<std::vector<ModelledRow>> model_series(std::vector<MeasuredSeries> series, const ScaleOptions& options);

/// Indices of the rows: metrics in the order they come, within each the largest prediction first, then those without a
/// model.
std::vector<std::size_t> ranked_rows(const std::vector<ModelledRow>& rows);

/// "p = 100000, n = 50".
std::string place_text(const ModelledRow& row);

/// The band of a row at other parameters.
std::optional<ConfidenceBand> band_at(const ModelledRow& row, std::span<const double> parameters);

}  // namespace tarry
