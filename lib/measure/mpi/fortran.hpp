// fortran.hpp -- MPI calls of Fortran programs.
#pragma once

namespace tarry::measure {

/// Leads the calls of the Fortran libraries that are loaded by now to our entry points. Done when the library is
/// loaded, and again by MPI_Init: a plug-in written in Fortran may have come in between. Harmless when repeated.
void redirect_fortran_calls();

}  // namespace tarry::measure
