/* marks.c -- every macro of SCOREP_User.h for C, as programs use them: with a semicolon and without. Prints 45 and
 * whether it is being recorded. */
#include <scorep/SCOREP_User.h>
#include <stdio.h>

SCOREP_USER_GLOBAL_REGION_DEFINE(everywhere)
SCOREP_USER_METRIC_GLOBAL(heat)
SCOREP_USER_GLOBAL_CARTESIAN_TOPOLOGY_DEFINE(world)

double spent(void); /* marks_more.c */

static double assemble(int n) {
  SCOREP_USER_FUNC_DEFINE()
  SCOREP_USER_FUNC_BEGIN()
  double sum = 0;
  for (int i = 0; i < n; ++i) sum += i;
  SCOREP_USER_FUNC_END()
  return sum;
}

static double iterate(void) {
  double sum = 0;
  SCOREP_USER_REGION_DEFINE(step)
  SCOREP_USER_REGION_DEFINE(inner)
  SCOREP_USER_METRIC_LOCAL(residual)
  SCOREP_USER_METRIC_INIT(residual, "residual", "1", SCOREP_USER_METRIC_TYPE_DOUBLE, SCOREP_USER_METRIC_CONTEXT_CALLPATH)
  for (int i = 0; i < 4; ++i) {
    SCOREP_USER_REGION_BEGIN(step, "step", SCOREP_USER_REGION_TYPE_DYNAMIC);
    SCOREP_USER_REGION_BEGIN(inner, "inner", SCOREP_USER_REGION_TYPE_LOOP);
    sum = assemble(10);
    SCOREP_USER_METRIC_DOUBLE(residual, sum)
    SCOREP_USER_REGION_END(inner);
    SCOREP_USER_REGION_END(step);
  }
  return sum;
}

static void parameters(long long n) {
  SCOREP_USER_REGION_DEFINE(sized)
  SCOREP_USER_REGION_INIT(sized, "sized", SCOREP_USER_REGION_TYPE_COMMON | SCOREP_USER_REGION_TYPE_LOOP)
  SCOREP_USER_REGION_ENTER(sized)
  SCOREP_USER_PARAMETER_DEFINE(ignored)
  SCOREP_USER_PARAMETER_INT64("n", n)
  SCOREP_USER_PARAMETER_UINT64("many", 18446744073709551615ull);
  SCOREP_USER_PARAMETER_STRING("layout", "blocked");
  assemble((int)n);
  SCOREP_USER_REGION_END(sized)
  (void)n;
}

static void grid(void) {
  int x = 0, y = 0;
  SCOREP_USER_CARTESIAN_TOPOLOGY_DEFINE(plane)
  SCOREP_USER_CARTESIAN_TOPOLOGY_CREATE(plane, "plane", 2);
  SCOREP_USER_CARTESIAN_TOPOLOGY_ADD_DIM(plane, 1, 0, "x");
  SCOREP_USER_CARTESIAN_TOPOLOGY_ADD_DIM(plane, 1, 1, "y");
  SCOREP_USER_CARTESIAN_TOPOLOGY_INIT(plane);
  SCOREP_USER_CARTESIAN_TOPOLOGY_SET_COORDS(plane, 2, x, y);
  (void)x, (void)y;
}

static void rewind_it(void) {
  SCOREP_USER_REWIND_DEFINE(tried)
  SCOREP_USER_REWIND_POINT(tried, "tried")
  assemble(3);
  SCOREP_USER_REWIND_CHECK(tried, 1)
}

/* A dynamic name; and conditions without braces, as programs have them that are built with the macros only. */
static void by_name(int number) {
  char name[20];
  snprintf(name, sizeof name, "part %d", number);
#ifdef SCOREP_USER_ENABLE
  if (number > 0) SCOREP_USER_REGION_BY_NAME_BEGIN(name, SCOREP_USER_REGION_TYPE_COMMON)
  if (number > 0) SCOREP_USER_REGION_BY_NAME_END(name)
#endif
}

int main(void) {
  SCOREP_USER_REGION_DEFINE(run)
  SCOREP_USER_OA_PHASE_BEGIN(run, "run", SCOREP_USER_REGION_TYPE_COMMON)
  SCOREP_USER_REGION_BEGIN(everywhere, "everywhere", SCOREP_USER_REGION_TYPE_PHASE)
  const double sum = iterate();
  SCOREP_USER_REGION_END(everywhere)
  const double more = spent();
  parameters(512);
  grid();
  rewind_it();
  for (int i = 0; i < 3; ++i) by_name(i);
  SCOREP_USER_OA_PHASE_END(run)
  const int before = SCOREP_RECORDING_IS_ON();
  SCOREP_RECORDING_OFF()
  const int between = SCOREP_RECORDING_IS_ON();
  iterate();
  SCOREP_RECORDING_ON()
  printf("%g %d%d%d %g\n", sum, before, between, SCOREP_RECORDING_IS_ON(), more);
  return 0;
}
