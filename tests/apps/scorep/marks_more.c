/* marks_more.c -- handles that another source defines, and the metrics of marks.c. */
#include <scorep/SCOREP_User.h>

SCOREP_GLOBAL_REGION_EXTERNAL(everywhere)
SCOREP_USER_METRIC_EXTERNAL(heat)
SCOREP_USER_GLOBAL_CARTESIAN_TOPOLOGY_EXTERNAL(world)

double spent(void);
double spent(void) {
  SCOREP_USER_REGION_BEGIN(everywhere, "not this name", SCOREP_USER_REGION_TYPE_COMMON)
  SCOREP_USER_METRIC_INIT(heat, "heat", "J", SCOREP_USER_METRIC_TYPE_INT64, SCOREP_USER_METRIC_CONTEXT_GLOBAL)
  SCOREP_USER_METRIC_INT64(heat, -1)
  SCOREP_USER_METRIC_UINT64(heat, 1u)
  SCOREP_USER_CARTESIAN_TOPOLOGY_CREATE(world, "world", 1)
  SCOREP_USER_REGION_END(everywhere)
  return 1;
}
