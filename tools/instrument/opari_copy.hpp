// opari_copy.hpp -- one source that OPARI2 has instrumented.
#pragma once

#include <string>

namespace tarry {

/// What OPARI2 puts calls at. kNothing: it is not asked, and directives of SCALEA are replaced as ever.
enum class OpariMode { kAll, kMarkedRegions, kNothing };

/// What the C preprocessor or its own scanner has not seen yet, in the languages that OPARI2 reads.
bool opari_reads(const std::string& source);
bool is_fortran_source(const std::string& source);

/// Whether a source has "#pragma pomp" or "!POMP$".
bool marks_pomp_regions(const std::string& source);

/// Whether a source of Fortran has directives of SCALEA (sis_directives.hpp).
bool has_regions_of_scalea(const std::string& source);

/// Writes `copy`, and beside it what it includes. Empty if that is done, else the reason, for a line to the user.
std::string write_opari_copy(const std::string& source, const std::string& copy, OpariMode mode);

/// The reason if OPARI2 is not installed.
inline constexpr char kNoOpari[] = "opari2 is not installed";

}  // namespace tarry
