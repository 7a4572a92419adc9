// scale_data.hpp -- models and studies, for programs.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/text/json.hpp"
#include "scaling/modelled_rows.hpp"
#include "scaling/speedups.hpp"

namespace tarry {

/// What becomes of names in CSV: as they are, or so that they do nothing to a terminal.
enum class CsvNames : std::uint8_t { kPrintable, kRaw };

/// Header `callpath,metric,constant,terms,rss,smape,adjusted_r2`; a row for each series in its order. The fields of a
/// series without a model are empty.
std::string models_csv(const std::vector<ModelledRow>& rows, CsvNames names);

/// Every hypothesis of the reference, for series of one parameter:
/// `callpath,metric,parameter,i,j,constant,coefficient,rss,smape,adjusted_r2,counts`.
std::string hypotheses_csv(const std::vector<MeasuredSeries>& series, CsvNames names);

/// One object; member "version" counts changes that break readers. `study` is null where there are no runs.
std::string scale_json(const Study* study, const std::vector<ModelledRow>& rows);

/// Its parts, for objects that others begin and end: members of a study, and one row as an object.
void add_study(JsonWriter& json, const Study& study);
void add_row_object(JsonWriter& json, const ModelledRow& row);

/// Terms as JSON: `[{"c": 1.5, "p": ["2/3", "1"]}]` is 1.5 p^(2/3) log2(p).
std::string terms_json(const ScalingModel& model, const std::vector<std::string>& parameters);

}  // namespace tarry
