// fortran_hooks.cpp -- the entry points behind tarry/user.inc: names that are no C strings become places with
// addresses.
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "measure/user/named_places.hpp"
#include "measure/user/user_metrics.hpp"

// The functions of tarry/user.h are declared for programs that are instrumented.
#define TARRY
#include "measure/user/tarry/user.h"

#define TARRY_HOOK extern "C" __attribute__((visibility("default")))

using tarry::measure::place_named;

TARRY_HOOK void tarry_fortran_region_begin_(const char* name, const int* line, std::size_t length) {
  tarry_region_begin(&place_named({name, length}, static_cast<unsigned>(*line), TARRY_KIND_REGION));
}

TARRY_HOOK void tarry_fortran_region_overheads_(const char* name, const char* list, const int* line,
                                                std::size_t name_length, std::size_t list_length) {
  const auto begin_line = static_cast<unsigned>(*line);
  tarry_region_begin(&place_named({name, name_length}, begin_line, TARRY_KIND_REGION));
  tarry_parameter_string(&place_named("overheads", begin_line, TARRY_KIND_REGION),
                         std::string(list, list_length).c_str());
}

TARRY_HOOK void tarry_fortran_phase_begin_(const char* name, const int* line, std::size_t length) {
  tarry_region_begin(&place_named({name, length}, static_cast<unsigned>(*line), TARRY_KIND_PHASE));
}

TARRY_HOOK void tarry_fortran_region_end_(const char* name, std::size_t length) {
  tarry_region_end(place_named({name, length}, 0, TARRY_KIND_REGION).name);
}

TARRY_HOOK void tarry_fortran_iteration_begin_(const char* name, const int* number, const int* line,
                                               std::size_t length) {
  tarry_iteration_begin(&place_named({name, length}, static_cast<unsigned>(*line), TARRY_KIND_PHASE), *number);
}

TARRY_HOOK void tarry_fortran_parameter_int_(const char* name, const int* value, const int* line, std::size_t length) {
  tarry_parameter_int(&place_named({name, length}, static_cast<unsigned>(*line), TARRY_KIND_REGION), *value);
}

namespace tarry::measure {
namespace {

template <class Value>
void record_fortran_metric(std::string_view name, std::string_view unit, CounterType type, int kind, Value value) {
  if (UserMetric* const metric = user_metric(name, unit, type, kind == TARRY_METRIC_KIND_LEVEL))
    record_user_metric(*metric, value);
}

}  // namespace
}  // namespace tarry::measure

TARRY_HOOK void tarry_fortran_metric_int64_(const char* name, const char* unit, const int* kind,
                                            const std::int64_t* value, std::size_t length, std::size_t unit_length) {
  tarry::measure::record_fortran_metric({name, length}, {unit, unit_length}, tarry::CounterType::kSigned, *kind,
                                        *value);
}

TARRY_HOOK void tarry_fortran_metric_double_(const char* name, const char* unit, const int* kind, const double* value,
                                             std::size_t length, std::size_t unit_length) {
  tarry::measure::record_fortran_metric({name, length}, {unit, unit_length}, tarry::CounterType::kDouble, *kind,
                                        *value);
}

TARRY_HOOK void tarry_fortran_recording_off_() { tarry_recording_off(); }
TARRY_HOOK void tarry_fortran_recording_on_() { tarry_recording_on(); }
