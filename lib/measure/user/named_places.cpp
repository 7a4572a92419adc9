// named_places.cpp -- places of the source whose names are no C strings, or are not there for good.
#include "measure/user/named_places.hpp"

#include <string>

#include "measure/user/name_table.hpp"

// The functions of tarry/user.h are declared for programs that are instrumented.
#define TARRY
#include "measure/user/tarry/user.h"

namespace tarry::measure {
namespace {

struct NamedPlace {
  NamedPlace(std::string_view place_name, unsigned line, unsigned kind)
      : name(place_name), region{name.c_str(), "", line, kind} {}

  const std::string name;
  const tarry_region region;
};

constinit NameTable<NamedPlace> g_named_places;

}  // namespace

const tarry_region& place_named(std::string_view name, unsigned line, unsigned kind) {
  return g_named_places.find_or_make(without_trailing_blanks(name), line, kind).region;
}

}  // namespace tarry::measure
