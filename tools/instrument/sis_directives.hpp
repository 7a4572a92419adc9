// sis_directives.hpp -- directives of SCALEA's instrumentation system in Fortran: calls of the recorder in their place.
//
//   !SIS$ CR name [, code regions] [PMETRIC metrics] BEGIN   a region; the overheads among its metrics are shown for it
//   !SIS$ END CR                                             the innermost one ends
//   !SIS$ MEASURE DISABLE | ENABLE                           the recording is off, or on again
//
// Without BEGIN, CR asks for code regions in a whole program unit. It makes no difference: `tarry instrument` records
// functions, and the recorder MPI and OpenMP, in all of them.
// Source: Truong, Fahringer: SCALEA: A Performance Analysis Tool for Distributed and Parallel Programs, section 4.
#pragma once

#include <string>
#include <vector>

namespace tarry {

/// Whether a line of a Fortran source begins with "!SIS$", or with "CSIS$" or "*SIS$" as in fixed form.
bool has_sis_directives(const std::string& text);

struct SisSource {
  std::string text;                     // #line directives tell the lines of the source
  std::vector<std::string> complaints;  // "12: ...": a directive is not understood, or asks for what is elsewhere
};

/// `name`: of the source, in #line directives. `is_fixed`: lines have 72 columns.
SisSource replace_sis_directives(const std::string& text, const std::string& name, bool is_fixed);

}  // namespace tarry
