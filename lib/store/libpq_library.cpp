// libpq_library.cpp -- loads the client library of PostgreSQL.
#include "store/libpq_library.hpp"

#include <dlfcn.h>

namespace tarry {
namespace {

bool find_libpq_functions(void* handle, LibpqLibrary& library) {
#define TARRY_LIBPQ_FIND(name)                                                \
  library.name = reinterpret_cast<decltype(&::name)>(::dlsym(handle, #name)); \
  if (!library.name) return false;
  TARRY_LIBPQ_FUNCTIONS(TARRY_LIBPQ_FIND)
#undef TARRY_LIBPQ_FIND
  return true;
}

}  // namespace

Result<const LibpqLibrary*> LibpqLibrary::load() {
  static LibpqLibrary library;
  static const bool is_loaded = [] {
    void* handle = ::dlopen("libpq.so.5", RTLD_NOW | RTLD_LOCAL);
    return handle && find_libpq_functions(handle, library);
  }();
  if (is_loaded) return &library;
  return Error{"libpq.so.5", "the client library of PostgreSQL cannot be loaded", "install the package libpq5"};
}

}  // namespace tarry
