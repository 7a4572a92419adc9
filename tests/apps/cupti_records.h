/* cupti_records.h -- the newest types that the headers of CUPTI have for its records, by their version. */
#ifndef TARRY_TESTS_CUPTI_RECORDS_H
#define TARRY_TESTS_CUPTI_RECORDS_H

#include <cupti.h>

#if CUPTI_API_VERSION >= 130000 /* CUDA 13 */
typedef CUpti_ActivityKernel10 KernelRecord;
typedef CUpti_ActivityUnifiedMemoryCounter3 MigrationRecord;
#else
typedef CUpti_ActivityKernel9 KernelRecord;
typedef CUpti_ActivityUnifiedMemoryCounter2 MigrationRecord;
#endif
#if CUPTI_API_VERSION >= 26 /* CUDA 12.8 */
typedef CUpti_ActivityMemcpy6 CopyRecord;
#else
typedef CUpti_ActivityMemcpy5 CopyRecord;
#endif
typedef CUpti_ActivityMemcpyPtoP4 PeerCopyRecord;
typedef CUpti_ActivityMemset4 FillRecord;
typedef CUpti_ActivityDevice5 DeviceRecord;

#endif
