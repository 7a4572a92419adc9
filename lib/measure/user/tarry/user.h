/* user.h -- regions, iterations, parameters and metrics that a program has itself, in C and C++
 * (docs/INSTRUMENTING.md).
 *
 * All of it is empty unless the program is compiled with `tarry instrument`, which defines TARRY, or with -DTARRY and
 * linked with the recorder (pkg-config tarry-recorder, CMake's Tarry::recorder). The hooks cost nothing to speak of in
 * a program that is not being recorded.
 *
 *   #include <tarry/user.h>
 *   void solve(int n) {
 *     TARRY_REGION_BEGIN("assemble");
 *     ...
 *     TARRY_REGION_END("assemble");
 *     for (int step = 0; step < n; ++step) {
 *       TARRY_ITERATION_BEGIN("step", step);
 *       ...
 *       TARRY_ITERATION_END("step");
 *     }
 *   }
 *
 * Names are string literals. A region ends in the function that began it. In C++ the guards TARRY_REGION("name") and
 * TARRY_ITERATION("name", number) end with their scope.
 */
#ifndef TARRY_USER_H
#define TARRY_USER_H

#ifdef TARRY

#ifdef __cplusplus
extern "C" {
#endif

enum tarry_region_kind { TARRY_KIND_REGION = 0, TARRY_KIND_PHASE = 1 };

/* One place in the source. Must not move; its address is what the recorder knows it by. */
struct tarry_region {
  const char* name;
  const char* file;
  unsigned line;
  unsigned kind;
};

void tarry_region_begin(const struct tarry_region* region);
void tarry_region_end(const char* name);

/* One pass of a loop: a call path of its own for each number ("name=3"), up to a bound (TARRY_ITERATIONS). */
void tarry_iteration_begin(const struct tarry_region* region, long long number);

/* What is called from here to the end of the region or function around it is recorded under "name=value". */
void tarry_parameter_int(const struct tarry_region* parameter, long long value);
void tarry_parameter_string(const struct tarry_region* parameter, const char* value);

/* A number that the program counts or knows itself: a metric of that name. Values belong to the call path that they are
 * given in, and add up there; of levels the highest one is kept. A name has one unit, type and kind. */
enum tarry_metric_kind { TARRY_METRIC_KIND_SUM = 0, TARRY_METRIC_KIND_LEVEL = 1 };
struct tarry_metric {
  const char* name;
  const char* unit;
  unsigned kind;
};
void tarry_metric_int64(const struct tarry_metric* metric, long long value);
void tarry_metric_uint64(const struct tarry_metric* metric, unsigned long long value);
void tarry_metric_double(const struct tarry_metric* metric, double value);

/* Nothing is recorded from off to on. */
void tarry_recording_off(void);
void tarry_recording_on(void);

/* 1 if this process is being recorded and the recording is not off. */
int tarry_is_recording(void);

#ifdef __cplusplus
}
#endif

#define TARRY_DETAIL_PLACE(variable, name, kind) \
  static const struct tarry_region variable = {name, __FILE__, __LINE__, kind}

#define TARRY_REGION_BEGIN(name)                              \
  do {                                                        \
    TARRY_DETAIL_PLACE(tarry_place, name, TARRY_KIND_REGION); \
    tarry_region_begin(&tarry_place);                         \
  } while (0)
#define TARRY_REGION_END(name) tarry_region_end(name)

/* A region for which `tarry report --overheads` shows the classes of overhead in `mnemonics` ("OSYN,ODATA_COL"). */
#define TARRY_REGION_OVERHEADS(name, mnemonics)      \
  do {                                               \
    TARRY_REGION_BEGIN(name);                        \
    TARRY_PARAMETER_STRING("overheads", mnemonics);  \
  } while (0)

#define TARRY_PHASE_BEGIN(name)                              \
  do {                                                       \
    TARRY_DETAIL_PLACE(tarry_place, name, TARRY_KIND_PHASE); \
    tarry_region_begin(&tarry_place);                        \
  } while (0)
#define TARRY_PHASE_END(name) tarry_region_end(name)

#define TARRY_ITERATION_BEGIN(name, number)                  \
  do {                                                       \
    TARRY_DETAIL_PLACE(tarry_place, name, TARRY_KIND_PHASE); \
    tarry_iteration_begin(&tarry_place, (number));           \
  } while (0)
#define TARRY_ITERATION_END(name) tarry_region_end(name)

#define TARRY_PARAMETER_INT(name, value)                      \
  do {                                                        \
    TARRY_DETAIL_PLACE(tarry_place, name, TARRY_KIND_REGION); \
    tarry_parameter_int(&tarry_place, (value));               \
  } while (0)
#define TARRY_PARAMETER_STRING(name, value)                   \
  do {                                                        \
    TARRY_DETAIL_PLACE(tarry_place, name, TARRY_KIND_REGION); \
    tarry_parameter_string(&tarry_place, (value));            \
  } while (0)

#define TARRY_DETAIL_METRIC(type, kind, name, unit, value)              \
  do {                                                                  \
    static const struct tarry_metric tarry_counted = {name, unit, kind}; \
    tarry_metric_##type(&tarry_counted, (value));                       \
  } while (0)
#define TARRY_METRIC_INT64(name, unit, value) TARRY_DETAIL_METRIC(int64, TARRY_METRIC_KIND_SUM, name, unit, value)
#define TARRY_METRIC_UINT64(name, unit, value) TARRY_DETAIL_METRIC(uint64, TARRY_METRIC_KIND_SUM, name, unit, value)
#define TARRY_METRIC_DOUBLE(name, unit, value) TARRY_DETAIL_METRIC(double, TARRY_METRIC_KIND_SUM, name, unit, value)
#define TARRY_METRIC_LEVEL_INT64(name, unit, value) \
  TARRY_DETAIL_METRIC(int64, TARRY_METRIC_KIND_LEVEL, name, unit, value)
#define TARRY_METRIC_LEVEL_UINT64(name, unit, value) \
  TARRY_DETAIL_METRIC(uint64, TARRY_METRIC_KIND_LEVEL, name, unit, value)
#define TARRY_METRIC_LEVEL_DOUBLE(name, unit, value) \
  TARRY_DETAIL_METRIC(double, TARRY_METRIC_KIND_LEVEL, name, unit, value)

#define TARRY_RECORDING_OFF() tarry_recording_off()
#define TARRY_RECORDING_ON() tarry_recording_on()
#define TARRY_IS_RECORDING() tarry_is_recording()

#ifdef __cplusplus
/* A region ends in the function that began it. So the guard's own functions must not be recorded, nor be in the call
 * stack or, as inlined functions, in the debug information: call paths are made of these. */
#if defined(__GNUC__)
#define TARRY_DETAIL_UNRECORDED __attribute__((no_instrument_function, always_inline, artificial)) inline
#else
#define TARRY_DETAIL_UNRECORDED inline
#endif
namespace tarry_detail {
class Guard {
 public:
  TARRY_DETAIL_UNRECORDED explicit Guard(const tarry_region& place) : name_(place.name) { tarry_region_begin(&place); }
  TARRY_DETAIL_UNRECORDED Guard(const tarry_region& place, long long number) : name_(place.name) {
    tarry_iteration_begin(&place, number);
  }
  TARRY_DETAIL_UNRECORDED ~Guard() { tarry_region_end(name_); }
  Guard(const Guard&) = delete;
  Guard& operator=(const Guard&) = delete;

 private:
  const char* name_;
};
}  // namespace tarry_detail

#define TARRY_DETAIL_JOIN2(left, right) left##right
#define TARRY_DETAIL_JOIN(left, right) TARRY_DETAIL_JOIN2(left, right)
#define TARRY_REGION(name)                                                                     \
  TARRY_DETAIL_PLACE(TARRY_DETAIL_JOIN(tarry_place_, __LINE__), name, TARRY_KIND_REGION);      \
  const tarry_detail::Guard TARRY_DETAIL_JOIN(tarry_guard_, __LINE__)(TARRY_DETAIL_JOIN(tarry_place_, __LINE__))
#define TARRY_ITERATION(name, number)                                                          \
  TARRY_DETAIL_PLACE(TARRY_DETAIL_JOIN(tarry_place_, __LINE__), name, TARRY_KIND_PHASE);       \
  const tarry_detail::Guard TARRY_DETAIL_JOIN(tarry_guard_, __LINE__)(TARRY_DETAIL_JOIN(tarry_place_, __LINE__), number)
#endif

#else /* not instrumented */

#define TARRY_REGION_BEGIN(name) ((void)0)
#define TARRY_REGION_END(name) ((void)0)
#define TARRY_REGION_OVERHEADS(name, mnemonics) ((void)0)
#define TARRY_PHASE_BEGIN(name) ((void)0)
#define TARRY_PHASE_END(name) ((void)0)
#define TARRY_ITERATION_BEGIN(name, number) ((void)0)
#define TARRY_ITERATION_END(name) ((void)0)
#define TARRY_PARAMETER_INT(name, value) ((void)0)
#define TARRY_PARAMETER_STRING(name, value) ((void)0)
#define TARRY_METRIC_INT64(name, unit, value) ((void)0)
#define TARRY_METRIC_UINT64(name, unit, value) ((void)0)
#define TARRY_METRIC_DOUBLE(name, unit, value) ((void)0)
#define TARRY_METRIC_LEVEL_INT64(name, unit, value) ((void)0)
#define TARRY_METRIC_LEVEL_UINT64(name, unit, value) ((void)0)
#define TARRY_METRIC_LEVEL_DOUBLE(name, unit, value) ((void)0)
#define TARRY_RECORDING_OFF() ((void)0)
#define TARRY_RECORDING_ON() ((void)0)
#define TARRY_IS_RECORDING() 0
#ifdef __cplusplus
#define TARRY_REGION(name) static_assert(true, "")
#define TARRY_ITERATION(name, number) static_assert(true, "")
#endif

#endif
#endif
