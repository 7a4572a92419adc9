// mangled_name.hpp -- names of C++ functions as the linker has them.
#pragma once

#include <cxxabi.h>

#include <cstdlib>
#include <optional>
#include <string>

namespace tarry {

/// The name as the source has it. Nothing if it is not mangled. A name with many back references may become much
/// longer.
inline std::optional<std::string> demangled(const std::string& name) {
  if (!name.starts_with("_Z")) return std::nullopt;
  char* const text = abi::__cxa_demangle(name.c_str(), nullptr, nullptr, nullptr);
  if (!text) return std::nullopt;
  std::string readable = text;
  std::free(text);
  return readable;
}

}  // namespace tarry
