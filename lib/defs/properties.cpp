// properties.cpp -- properties by their keys.
#include "defs/properties.hpp"

#include <cstdlib>

namespace tarry {

std::string first_property(const Definitions& definitions, std::string_view key) {
  for (const Property& property : definitions.properties)
    if (definitions.text(property.key) == key) return std::string(definitions.text(property.value));
  return {};
}

std::uint64_t number_property(const Definitions& definitions, std::string_view key) {
  return std::strtoull(first_property(definitions, key).c_str(), nullptr, 10);
}

}  // namespace tarry
