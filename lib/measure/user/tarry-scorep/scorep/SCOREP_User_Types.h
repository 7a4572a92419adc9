/* SCOREP_User_Types.h -- types and constants of Score-P's user interface, as Tarry has them (docs/FROM_SCOREP.md). */
#ifndef TARRY_SCOREP_USER_TYPES_H
#define TARRY_SCOREP_USER_TYPES_H

#include <stdint.h>

/* What a program calls a region by; the recorder makes what it points to. */
typedef struct tarry_scorep_region* SCOREP_User_RegionHandle;
#define SCOREP_USER_INVALID_REGION ((SCOREP_User_RegionHandle)0)

/* Added up: SCOREP_USER_REGION_TYPE_LOOP | SCOREP_USER_REGION_TYPE_DYNAMIC. */
typedef uint32_t SCOREP_User_RegionType;
#define SCOREP_USER_REGION_TYPE_COMMON 0
#define SCOREP_USER_REGION_TYPE_FUNCTION 1
#define SCOREP_USER_REGION_TYPE_LOOP 2
#define SCOREP_USER_REGION_TYPE_DYNAMIC 4
#define SCOREP_USER_REGION_TYPE_PHASE 8

typedef uint64_t SCOREP_User_ParameterHandle;
#define SCOREP_USER_INVALID_PARAMETER 0

typedef uint32_t SCOREP_SamplingSetHandle;
#define SCOREP_INVALID_SAMPLING_SET 0

typedef uint32_t SCOREP_User_MetricType;
#define SCOREP_USER_METRIC_TYPE_INT64 0
#define SCOREP_USER_METRIC_TYPE_UINT64 1
#define SCOREP_USER_METRIC_TYPE_DOUBLE 2
#define SCOREP_USER_METRIC_CONTEXT_GLOBAL 0
#define SCOREP_USER_METRIC_CONTEXT_CALLPATH 1

typedef uint32_t SCOREP_User_CartesianTopologyHandle;
#define SCOREP_USER_INVALID_CARTESIAN_TOPOLOGY 0

#endif
