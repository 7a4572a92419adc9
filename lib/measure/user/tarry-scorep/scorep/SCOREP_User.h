/* SCOREP_User.h -- Score-P's user interface for C and C++, recorded by Tarry (docs/FROM_SCOREP.md).
 *
 * All of it is empty without -DSCOREP_USER_ENABLE, which `tarry-scorep --user` defines. With it the program needs the
 * recorder. A macro is a whole statement or declaration: it needs no semicolon, and may have one.
 *
 * Topologies and rewinding compile, and are not recorded. The archive tells which they were.
 */
#ifndef TARRY_SCOREP_USER_H
#define TARRY_SCOREP_USER_H

#include "SCOREP_User_Types.h"

#ifdef SCOREP_USER_ENABLE

#ifdef __cplusplus
extern "C" {
#endif

/* Makes a region, once; `name` and `file` need not last. */
void tarry_scorep_init(SCOREP_User_RegionHandle* handle, const char* name, SCOREP_User_RegionType type,
                       const char* file, unsigned line);

/* Of a region that was made; nothing happens with SCOREP_USER_INVALID_REGION. */
void tarry_scorep_enter(SCOREP_User_RegionHandle handle);
void tarry_scorep_end(SCOREP_User_RegionHandle handle);

/* Makes the region, if need be, and enters it. */
void tarry_scorep_begin(SCOREP_User_RegionHandle* handle, const char* name, SCOREP_User_RegionType type,
                        const char* file, unsigned line);

/* The one region of that name. */
void tarry_scorep_begin_by_name(const char* name, SCOREP_User_RegionType type, const char* file, unsigned line);
void tarry_scorep_end_by_name(const char* name);

void tarry_scorep_parameter_int(const char* name, int64_t value);
void tarry_scorep_parameter_uint(const char* name, uint64_t value);
void tarry_scorep_parameter_string(const char* name, const char* value);

/* The metric of that name, and values of it for the call path that they are given in. */
SCOREP_SamplingSetHandle tarry_scorep_metric_init(const char* name, const char* unit, SCOREP_User_MetricType type);
void tarry_scorep_metric_int64(SCOREP_SamplingSetHandle handle, int64_t value);
void tarry_scorep_metric_uint64(SCOREP_SamplingSetHandle handle, uint64_t value);
void tarry_scorep_metric_double(SCOREP_SamplingSetHandle handle, double value);

/* The archive tells that `what`, such as "topology", of that name is not recorded. */
void tarry_scorep_leave_out(const char* what, const char* name);

/* Does nothing with `count` numbers. */
void tarry_scorep_ignore(int count, ...);

void tarry_recording_off(void);
void tarry_recording_on(void);
int tarry_is_recording(void);

#ifdef __cplusplus
}
#endif

#if defined(__GNUC__)
#define TARRY_SCOREP_UNUSED __attribute__((unused))
#else
#define TARRY_SCOREP_UNUSED
#endif

#ifndef SCOREP_USER_FUNCTION_NAME
#define SCOREP_USER_FUNCTION_NAME __func__
#endif

#define SCOREP_USER_REGION_DEFINE(handle) \
  static SCOREP_User_RegionHandle handle TARRY_SCOREP_UNUSED = SCOREP_USER_INVALID_REGION;
#define SCOREP_USER_GLOBAL_REGION_DEFINE(handle) SCOREP_User_RegionHandle handle = SCOREP_USER_INVALID_REGION;
#define SCOREP_USER_GLOBAL_REGION_EXTERNAL(handle) extern SCOREP_User_RegionHandle handle;
#define SCOREP_USER_REGION_INIT(handle, name, type) tarry_scorep_init(&handle, name, type, __FILE__, __LINE__);
#define SCOREP_USER_REGION_ENTER(handle) tarry_scorep_enter(handle);
#define SCOREP_USER_REGION_BEGIN(handle, name, type) tarry_scorep_begin(&handle, name, type, __FILE__, __LINE__);
#define SCOREP_USER_REGION_END(handle) tarry_scorep_end(handle);
#define SCOREP_USER_REGION_BY_NAME_BEGIN(name, type) tarry_scorep_begin_by_name(name, type, __FILE__, __LINE__);
#define SCOREP_USER_REGION_BY_NAME_END(name) tarry_scorep_end_by_name(name);

/* One pass of the main loop. */
#define SCOREP_USER_OA_PHASE_BEGIN(handle, name, type) \
  tarry_scorep_begin(&handle, name, (type) | SCOREP_USER_REGION_TYPE_PHASE, __FILE__, __LINE__);
#define SCOREP_USER_OA_PHASE_END(handle) tarry_scorep_end(handle);

/* In C and C++ the beginning declares the handle, too. */
#define SCOREP_USER_FUNC_DEFINE()
#define SCOREP_USER_FUNC_BEGIN()                                                                  \
  static SCOREP_User_RegionHandle scorep_user_func_handle = SCOREP_USER_INVALID_REGION;           \
  tarry_scorep_begin(&scorep_user_func_handle, SCOREP_USER_FUNCTION_NAME,                         \
                     SCOREP_USER_REGION_TYPE_FUNCTION, __FILE__, __LINE__);
#define SCOREP_USER_FUNC_END() tarry_scorep_end(scorep_user_func_handle);

#define SCOREP_USER_PARAMETER_DEFINE(handle)
#define SCOREP_USER_PARAMETER_INT64(name, value) tarry_scorep_parameter_int(name, value);
#define SCOREP_USER_PARAMETER_UINT64(name, value) tarry_scorep_parameter_uint(name, value);
#define SCOREP_USER_PARAMETER_STRING(name, value) tarry_scorep_parameter_string(name, value);

#define SCOREP_USER_METRIC_LOCAL(handle) \
  static SCOREP_SamplingSetHandle handle TARRY_SCOREP_UNUSED = SCOREP_INVALID_SAMPLING_SET;
#define SCOREP_USER_METRIC_GLOBAL(handle) SCOREP_SamplingSetHandle handle = SCOREP_INVALID_SAMPLING_SET;
#define SCOREP_USER_METRIC_EXTERNAL(handle) extern SCOREP_SamplingSetHandle handle;
#define SCOREP_USER_METRIC_INIT(handle, name, unit, type, context) \
  ((void)(context), (void)(handle = tarry_scorep_metric_init(name, unit, type)));
#define SCOREP_USER_METRIC_INT64(handle, value) tarry_scorep_metric_int64(handle, value);
#define SCOREP_USER_METRIC_UINT64(handle, value) tarry_scorep_metric_uint64(handle, value);
#define SCOREP_USER_METRIC_DOUBLE(handle, value) tarry_scorep_metric_double(handle, value);

/* A region from the point to the check, which stays whatever the check says. */
#define SCOREP_USER_REWIND_DEFINE(handle) SCOREP_USER_REGION_DEFINE(handle)
#define SCOREP_USER_REWIND_POINT(handle, name) \
  (tarry_scorep_leave_out("rewinding", name),  \
   tarry_scorep_begin(&handle, name, SCOREP_USER_REGION_TYPE_COMMON, __FILE__, __LINE__));
#define SCOREP_USER_REWIND_CHECK(handle, value) ((void)(value), tarry_scorep_end(handle));

#define SCOREP_USER_CARTESIAN_TOPOLOGY_DEFINE(handle) \
  static SCOREP_User_CartesianTopologyHandle handle TARRY_SCOREP_UNUSED = SCOREP_USER_INVALID_CARTESIAN_TOPOLOGY;
#define SCOREP_USER_GLOBAL_CARTESIAN_TOPOLOGY_DEFINE(handle) \
  SCOREP_User_CartesianTopologyHandle handle = SCOREP_USER_INVALID_CARTESIAN_TOPOLOGY;
#define SCOREP_USER_GLOBAL_CARTESIAN_TOPOLOGY_EXTERNAL(handle) extern SCOREP_User_CartesianTopologyHandle handle;
#define SCOREP_USER_CARTESIAN_TOPOLOGY_CREATE(handle, name, dimensions) \
  ((void)(handle), (void)(dimensions), tarry_scorep_leave_out("topology", name));
#define SCOREP_USER_CARTESIAN_TOPOLOGY_ADD_DIM(handle, size, is_periodic, name) \
  ((void)(handle), (void)(size), (void)(is_periodic), (void)(name));
#define SCOREP_USER_CARTESIAN_TOPOLOGY_INIT(handle) ((void)(handle));
#define SCOREP_USER_CARTESIAN_TOPOLOGY_SET_COORDS(handle, dimensions, ...) \
  ((void)(handle), tarry_scorep_ignore(dimensions, __VA_ARGS__));

#define SCOREP_RECORDING_ON() tarry_recording_on();
#define SCOREP_RECORDING_OFF() tarry_recording_off();
#define SCOREP_RECORDING_IS_ON() tarry_is_recording()

#ifdef __cplusplus
/* A region ends in the function that began it. So the guard's own functions must not be recorded, nor be in the call
 * stack or, as inlined functions, in the debug information. */
#if defined(__GNUC__)
#define TARRY_SCOREP_UNRECORDED __attribute__((no_instrument_function, always_inline, artificial)) inline
#else
#define TARRY_SCOREP_UNRECORDED inline
#endif
namespace tarry_scorep {
class Guard {
 public:
  TARRY_SCOREP_UNRECORDED Guard(SCOREP_User_RegionHandle* handle, const char* name, SCOREP_User_RegionType type,
                                const char* file, unsigned line)
      : handle_(*handle) {
    tarry_scorep_begin(handle, name, type, file, line);
    handle_ = *handle;
  }
  TARRY_SCOREP_UNRECORDED ~Guard() { tarry_scorep_end(handle_); }
  Guard(const Guard&) = delete;
  Guard& operator=(const Guard&) = delete;

 private:
  SCOREP_User_RegionHandle handle_;
};
}  // namespace tarry_scorep

/* To the end of the scope. */
#define TARRY_SCOREP_JOIN2(left, right) left##right
#define TARRY_SCOREP_JOIN(left, right) TARRY_SCOREP_JOIN2(left, right)
#define SCOREP_USER_REGION(name, type)                                                               \
  static SCOREP_User_RegionHandle TARRY_SCOREP_JOIN(tarry_scorep_handle_, __LINE__) =                \
      SCOREP_USER_INVALID_REGION;                                                                    \
  const tarry_scorep::Guard TARRY_SCOREP_JOIN(tarry_scorep_guard_, __LINE__)(                        \
      &TARRY_SCOREP_JOIN(tarry_scorep_handle_, __LINE__), name, type, __FILE__, __LINE__);
#endif

#else /* without SCOREP_USER_ENABLE */

#define SCOREP_USER_REGION(name, type)
#define SCOREP_USER_REGION_DEFINE(handle)
#define SCOREP_USER_GLOBAL_REGION_DEFINE(handle)
#define SCOREP_USER_GLOBAL_REGION_EXTERNAL(handle)
#define SCOREP_USER_REGION_INIT(handle, name, type)
#define SCOREP_USER_REGION_ENTER(handle)
#define SCOREP_USER_REGION_BEGIN(handle, name, type)
#define SCOREP_USER_REGION_END(handle)
#define SCOREP_USER_REGION_BY_NAME_BEGIN(name, type)
#define SCOREP_USER_REGION_BY_NAME_END(name)
#define SCOREP_USER_OA_PHASE_BEGIN(handle, name, type)
#define SCOREP_USER_OA_PHASE_END(handle)
#define SCOREP_USER_FUNC_DEFINE()
#define SCOREP_USER_FUNC_BEGIN()
#define SCOREP_USER_FUNC_END()
#define SCOREP_USER_PARAMETER_DEFINE(handle)
#define SCOREP_USER_PARAMETER_INT64(name, value)
#define SCOREP_USER_PARAMETER_UINT64(name, value)
#define SCOREP_USER_PARAMETER_STRING(name, value)
#define SCOREP_USER_METRIC_LOCAL(handle)
#define SCOREP_USER_METRIC_GLOBAL(handle)
#define SCOREP_USER_METRIC_EXTERNAL(handle)
#define SCOREP_USER_METRIC_INIT(handle, name, unit, type, context)
#define SCOREP_USER_METRIC_INT64(handle, value)
#define SCOREP_USER_METRIC_UINT64(handle, value)
#define SCOREP_USER_METRIC_DOUBLE(handle, value)
#define SCOREP_USER_REWIND_DEFINE(handle)
#define SCOREP_USER_REWIND_POINT(handle, name)
#define SCOREP_USER_REWIND_CHECK(handle, value)
#define SCOREP_USER_CARTESIAN_TOPOLOGY_DEFINE(handle)
#define SCOREP_USER_GLOBAL_CARTESIAN_TOPOLOGY_DEFINE(handle)
#define SCOREP_USER_GLOBAL_CARTESIAN_TOPOLOGY_EXTERNAL(handle)
#define SCOREP_USER_CARTESIAN_TOPOLOGY_CREATE(handle, name, dimensions)
#define SCOREP_USER_CARTESIAN_TOPOLOGY_ADD_DIM(handle, size, is_periodic, name)
#define SCOREP_USER_CARTESIAN_TOPOLOGY_INIT(handle)
#define SCOREP_USER_CARTESIAN_TOPOLOGY_SET_COORDS(handle, dimensions, ...)
#define SCOREP_RECORDING_ON()
#define SCOREP_RECORDING_OFF()
#define SCOREP_RECORDING_IS_ON() 0

#endif

/* Older names. */
#define SCOREP_GLOBAL_REGION_DEFINE(handle) SCOREP_USER_GLOBAL_REGION_DEFINE(handle)
#define SCOREP_GLOBAL_REGION_EXTERNAL(handle) SCOREP_USER_GLOBAL_REGION_EXTERNAL(handle)

#endif
