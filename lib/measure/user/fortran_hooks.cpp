// fortran_hooks.cpp -- the entry points behind tarry/user.inc: names that are no C strings become places with
// addresses.
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/text/text_hash.hpp"

// The functions of tarry/user.h are declared for programs that are instrumented.
#define TARRY
#include "measure/user/tarry/user.h"

#define TARRY_HOOK extern "C" __attribute__((visibility("default")))

namespace {

struct Place {
  tarry_region region;
  std::string name;
  const Place* next;
};

constexpr std::size_t kBuckets = 1024;
std::atomic<const Place*> g_places[kBuckets];

// The one place of that name; made when it is seen for the first time, and never changed.
const tarry_region& place_of(std::string_view name, unsigned line, unsigned kind) {
  while (name.ends_with(' ')) name.remove_suffix(1);
  std::atomic<const Place*>& bucket = g_places[tarry::hash_text(name) % kBuckets];
  const Place* first = bucket.load(std::memory_order_acquire);
  for (const Place* place = first; place; place = place->next)
    if (place->name == name) return place->region;
  auto* made = new Place{{nullptr, "", line, kind}, std::string(name), first};
  made->region.name = made->name.c_str();
  // Two threads may make the same at once: then it is there twice, which does no harm.
  while (!bucket.compare_exchange_weak(made->next, made, std::memory_order_release)) continue;
  return made->region;
}

}  // namespace

TARRY_HOOK void tarry_fortran_region_begin_(const char* name, const int* line, std::size_t length) {
  tarry_region_begin(&place_of({name, length}, static_cast<unsigned>(*line), TARRY_KIND_REGION));
}

TARRY_HOOK void tarry_fortran_region_overheads_(const char* name, const char* list, const int* line,
                                                std::size_t name_length, std::size_t list_length) {
  const auto begin_line = static_cast<unsigned>(*line);
  tarry_region_begin(&place_of({name, name_length}, begin_line, TARRY_KIND_REGION));
  tarry_parameter_string(&place_of("overheads", begin_line, TARRY_KIND_REGION), std::string(list, list_length).c_str());
}

TARRY_HOOK void tarry_fortran_phase_begin_(const char* name, const int* line, std::size_t length) {
  tarry_region_begin(&place_of({name, length}, static_cast<unsigned>(*line), TARRY_KIND_PHASE));
}

TARRY_HOOK void tarry_fortran_region_end_(const char* name, std::size_t length) {
  tarry_region_end(place_of({name, length}, 0, TARRY_KIND_REGION).name);
}

TARRY_HOOK void tarry_fortran_iteration_begin_(const char* name, const int* number, const int* line,
                                               std::size_t length) {
  tarry_iteration_begin(&place_of({name, length}, static_cast<unsigned>(*line), TARRY_KIND_PHASE), *number);
}

TARRY_HOOK void tarry_fortran_parameter_int_(const char* name, const int* value, const int* line, std::size_t length) {
  tarry_parameter_int(&place_of({name, length}, static_cast<unsigned>(*line), TARRY_KIND_REGION), *value);
}

TARRY_HOOK void tarry_fortran_recording_off_() { tarry_recording_off(); }
TARRY_HOOK void tarry_fortran_recording_on_() { tarry_recording_on(); }
