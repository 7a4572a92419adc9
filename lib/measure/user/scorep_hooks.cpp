// scorep_hooks.cpp -- the entry points behind scorep/SCOREP_User.h, and behind SCOREP_User.inc for Fortran, whose names
// begin with tarry_sp and whose texts come with their lengths.
#include <cstddef>
#include <cstdint>
#include <string>

#include "measure/user/named_places.hpp"
#include "measure/user/scorep_regions.hpp"
#include "measure/user/user_metrics.hpp"

#define TARRY_SCOREP_HOOK extern "C" __attribute__((visibility("default")))

using namespace tarry::measure;

namespace tarry::measure {
namespace {

// Score-P calls its user metrics absolute values. The type that the number of a handle stands for is in the recorder.
SCOREP_SamplingSetHandle scorep_metric(std::string_view name, std::string_view unit, SCOREP_User_MetricType type) {
  const CounterType counted = type == SCOREP_USER_METRIC_TYPE_DOUBLE   ? CounterType::kDouble
                              : type == SCOREP_USER_METRIC_TYPE_UINT64 ? CounterType::kUnsigned
                                                                       : CounterType::kSigned;
  const UserMetric* const metric = user_metric(name, unit, counted, true);
  return metric ? metric->number.load() : SCOREP_INVALID_SAMPLING_SET;
}

template <class Value>
void record_scorep_metric(SCOREP_SamplingSetHandle handle, Value value) {
  if (UserMetric* const metric = find_user_metric(handle)) record_user_metric(*metric, value);
}

}  // namespace
}  // namespace tarry::measure

TARRY_SCOREP_HOOK void tarry_scorep_init(SCOREP_User_RegionHandle* handle, const char* name,
                                         SCOREP_User_RegionType type, const char* file, unsigned line) {
  scorep_region_of(*handle, name, type, file, line);
}

TARRY_SCOREP_HOOK void tarry_scorep_enter(SCOREP_User_RegionHandle handle) {
  if (handle) handle->begin();
}

TARRY_SCOREP_HOOK void tarry_scorep_end(SCOREP_User_RegionHandle handle) {
  if (handle) handle->end();
}

TARRY_SCOREP_HOOK void tarry_scorep_begin(SCOREP_User_RegionHandle* handle, const char* name,
                                          SCOREP_User_RegionType type, const char* file, unsigned line) {
  scorep_region_of(*handle, name, type, file, line).begin();
}

TARRY_SCOREP_HOOK void tarry_scorep_begin_by_name(const char* name, SCOREP_User_RegionType type, const char* file,
                                                  unsigned line) {
  scorep_region_named(name, type, file, line).begin();
}

TARRY_SCOREP_HOOK void tarry_scorep_end_by_name(const char* name) { tarry_scorep_end(find_scorep_region(name)); }

TARRY_SCOREP_HOOK void tarry_scorep_parameter_int(const char* name, std::int64_t value) {
  begin_scorep_parameter(name, static_cast<long long>(value));
}
TARRY_SCOREP_HOOK void tarry_scorep_parameter_uint(const char* name, std::uint64_t value) {
  begin_scorep_parameter(name, static_cast<unsigned long long>(value));
}
TARRY_SCOREP_HOOK void tarry_scorep_parameter_string(const char* name, const char* value) {
  begin_scorep_parameter(name, value);
}

TARRY_SCOREP_HOOK SCOREP_SamplingSetHandle tarry_scorep_metric_init(const char* name, const char* unit,
                                                                    SCOREP_User_MetricType type) {
  return scorep_metric(name ? name : "", unit ? unit : "", type);
}
TARRY_SCOREP_HOOK void tarry_scorep_metric_int64(SCOREP_SamplingSetHandle handle, std::int64_t value) {
  record_scorep_metric(handle, value);
}
TARRY_SCOREP_HOOK void tarry_scorep_metric_uint64(SCOREP_SamplingSetHandle handle, std::uint64_t value) {
  record_scorep_metric(handle, value);
}
TARRY_SCOREP_HOOK void tarry_scorep_metric_double(SCOREP_SamplingSetHandle handle, double value) {
  record_scorep_metric(handle, value);
}

TARRY_SCOREP_HOOK void tarry_scorep_leave_out(const char* what, const char* name) { leave_out_of_scorep(what, name); }
TARRY_SCOREP_HOOK void tarry_scorep_ignore(int /*count*/, ...) {}

TARRY_SCOREP_HOOK void tarry_sp_init_(SCOREP_User_RegionHandle* handle, const char* name, const int* type,
                                      const int* line, std::size_t length) {
  scorep_region_of(*handle, without_trailing_blanks({name, length}), static_cast<unsigned>(*type), "",
                   static_cast<unsigned>(*line));
}

TARRY_SCOREP_HOOK void tarry_sp_begin_(SCOREP_User_RegionHandle* handle, const char* name, const int* type,
                                       const int* line, std::size_t length) {
  scorep_region_of(*handle, without_trailing_blanks({name, length}), static_cast<unsigned>(*type), "",
                   static_cast<unsigned>(*line))
      .begin();
}

TARRY_SCOREP_HOOK void tarry_sp_phase_(SCOREP_User_RegionHandle* handle, const char* name, const int* type,
                                       const int* line, std::size_t length) {
  const int phase = *type | SCOREP_USER_REGION_TYPE_PHASE;
  tarry_sp_begin_(handle, name, &phase, line, length);
}

TARRY_SCOREP_HOOK void tarry_sp_rewind_(SCOREP_User_RegionHandle* handle, const char* name, const int* line,
                                        std::size_t length) {
  leave_out_of_scorep("rewinding", {name, length});
  const int type = SCOREP_USER_REGION_TYPE_COMMON;
  tarry_sp_begin_(handle, name, &type, line, length);
}

TARRY_SCOREP_HOOK void tarry_sp_enter_(const SCOREP_User_RegionHandle* handle) { tarry_scorep_enter(*handle); }
TARRY_SCOREP_HOOK void tarry_sp_end_(const SCOREP_User_RegionHandle* handle) { tarry_scorep_end(*handle); }

TARRY_SCOREP_HOOK void tarry_sp_begin_name_(const char* name, const int* type, const int* line, std::size_t length) {
  scorep_region_named(without_trailing_blanks({name, length}), static_cast<unsigned>(*type), "",
                      static_cast<unsigned>(*line))
      .begin();
}

TARRY_SCOREP_HOOK void tarry_sp_end_name_(const char* name, std::size_t length) {
  tarry_scorep_end(find_scorep_region(without_trailing_blanks({name, length})));
}

TARRY_SCOREP_HOOK void tarry_sp_int_(const char* name, const std::int64_t* value, std::size_t length) {
  begin_scorep_parameter({name, length}, static_cast<long long>(*value));
}
TARRY_SCOREP_HOOK void tarry_sp_uint_(const char* name, const std::uint64_t* value, std::size_t length) {
  begin_scorep_parameter({name, length}, static_cast<unsigned long long>(*value));
}
TARRY_SCOREP_HOOK void tarry_sp_string_(const char* name, const char* value, std::size_t length,
                                        std::size_t value_length) {
  begin_scorep_parameter({name, length}, std::string(without_trailing_blanks({value, value_length})).c_str());
}

TARRY_SCOREP_HOOK void tarry_sp_metric_init_(SCOREP_SamplingSetHandle* handle, const char* name, const char* unit,
                                             const int* type, std::size_t length, std::size_t unit_length) {
  *handle = scorep_metric({name, length}, {unit, unit_length}, static_cast<SCOREP_User_MetricType>(*type));
}
TARRY_SCOREP_HOOK void tarry_sp_metric_int_(const SCOREP_SamplingSetHandle* handle, const std::int64_t* value) {
  record_scorep_metric(*handle, *value);
}
TARRY_SCOREP_HOOK void tarry_sp_metric_double_(const SCOREP_SamplingSetHandle* handle, const double* value) {
  record_scorep_metric(*handle, *value);
}

TARRY_SCOREP_HOOK void tarry_sp_leave_out_(const char* what, const char* name, std::size_t what_length,
                                           std::size_t length) {
  leave_out_of_scorep({what, what_length}, {name, length});
}

// `is_on` is a logical or an integer.
TARRY_SCOREP_HOOK void tarry_sp_is_on_(int* is_on) { *is_on = tarry_is_recording(); }
