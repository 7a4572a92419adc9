// wrapped_libraries.hpp -- libraries that stand in front of functions of others: --wrap and --wrap-header.
#pragma once

#include <string>
#include <vector>

#include "base/result.hpp"

namespace tarry {

/// Libraries to preload for a list of names ("blas,fftw"), which lie beside `preload_library`. Fails on a name that
/// there is no table of.
Result<std::vector<std::string>> find_wrapped_libraries(const std::string& list, const std::string& preload_library);

/// The same for headers ("foo.h,libfoo.so;bar.h"): made with libclang and a compiler, in the user's cache folder,
/// unless they are there already.
Result<std::vector<std::string>> make_header_libraries(const std::string& headers, const std::string& preload_library);

}  // namespace tarry
