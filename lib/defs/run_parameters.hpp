// run_parameters.hpp -- parameters of an experiment (n=512): how they are written and where they are noted.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "base/result.hpp"

namespace tarry {

/// The setting of a measurement that holds them, the property of the definitions, and the attribute of a report.
inline constexpr char kParametersVariable[] = "TARRY_PARAMS";
inline constexpr char kParametersProperty[] = "environment.TARRY_PARAMS";
inline constexpr char kParametersAttribute[] = "Tarry::Parameters";

using RunParameters = std::vector<std::pair<std::string, std::string>>;

/// "n=512". A name has no '=', no comma and no blanks, and is not empty.
Result<std::pair<std::string, std::string>> parse_parameter(const std::string& text);

/// Fails at the first that is none.
Status check_parameters(const std::vector<std::string>& texts);

/// "n=512,layout=blocked": between commas; in a value "\," is a comma and "\\" a backslash. Empty text has none.
Result<RunParameters> parse_parameters(const std::string& text);
std::string join_parameters(const RunParameters& parameters);

/// A file with a line `name = value` for each; empty lines and what follows a '#' at the begin of a line are passed
/// over.
Result<RunParameters> read_parameter_file(const std::string& path);

}  // namespace tarry
