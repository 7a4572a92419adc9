/* pomp2.h -- what OPARI2 calls in a copy of a source; `tarry instrument` includes it there (docs/THREADS.md).
 *
 * It includes no other header: the source may define macros that change headers (_GNU_SOURCE), and does so behind it.
 */
#ifndef TARRY_POMP2_H
#define TARRY_POMP2_H
#pragma GCC system_header

typedef void* OPARI2_Region_handle;
typedef OPARI2_Region_handle POMP2_Region_handle;
typedef OPARI2_Region_handle POMP2_USER_Region_handle;
typedef __INT64_TYPE__ POMP2_Task_handle;

#ifdef __cplusplus
extern "C" {
#endif

#define TARRY_DETAIL_POMP_BEGIN(name) void POMP2_##name(POMP2_Region_handle* region, const char* text)
#define TARRY_DETAIL_POMP_CALL(name) void POMP2_##name(POMP2_Region_handle* region)
#define TARRY_DETAIL_POMP_TASK_END(name) void POMP2_##name(POMP2_Region_handle* region, POMP2_Task_handle old_task)

TARRY_DETAIL_POMP_BEGIN(Atomic_enter);
TARRY_DETAIL_POMP_CALL(Atomic_exit);
TARRY_DETAIL_POMP_BEGIN(Flush_enter);
TARRY_DETAIL_POMP_CALL(Flush_exit);
TARRY_DETAIL_POMP_BEGIN(Critical_enter);
TARRY_DETAIL_POMP_CALL(Critical_begin);
TARRY_DETAIL_POMP_CALL(Critical_end);
TARRY_DETAIL_POMP_CALL(Critical_exit);
TARRY_DETAIL_POMP_BEGIN(For_enter);
TARRY_DETAIL_POMP_CALL(For_exit);
TARRY_DETAIL_POMP_BEGIN(Master_begin);
TARRY_DETAIL_POMP_CALL(Master_end);
TARRY_DETAIL_POMP_BEGIN(Section_begin);
TARRY_DETAIL_POMP_CALL(Section_end);
TARRY_DETAIL_POMP_BEGIN(Sections_enter);
TARRY_DETAIL_POMP_CALL(Sections_exit);
TARRY_DETAIL_POMP_BEGIN(Single_enter);
TARRY_DETAIL_POMP_CALL(Single_begin);
TARRY_DETAIL_POMP_CALL(Single_end);
TARRY_DETAIL_POMP_CALL(Single_exit);
TARRY_DETAIL_POMP_BEGIN(Workshare_enter);
TARRY_DETAIL_POMP_CALL(Workshare_exit);
TARRY_DETAIL_POMP_BEGIN(Ordered_enter);
TARRY_DETAIL_POMP_CALL(Ordered_begin);
TARRY_DETAIL_POMP_CALL(Ordered_end);
TARRY_DETAIL_POMP_CALL(Ordered_exit);

void POMP2_Parallel_fork(POMP2_Region_handle* region, int is_parallel, int threads, POMP2_Task_handle* old_task,
                         const char* text);
TARRY_DETAIL_POMP_CALL(Parallel_begin);
TARRY_DETAIL_POMP_CALL(Parallel_end);
TARRY_DETAIL_POMP_TASK_END(Parallel_join);
void POMP2_Implicit_barrier_enter(POMP2_Region_handle* region, POMP2_Task_handle* old_task);
TARRY_DETAIL_POMP_TASK_END(Implicit_barrier_exit);
void POMP2_Barrier_enter(POMP2_Region_handle* region, POMP2_Task_handle* old_task, const char* text);
TARRY_DETAIL_POMP_TASK_END(Barrier_exit);
void POMP2_Taskwait_begin(POMP2_Region_handle* region, POMP2_Task_handle* old_task, const char* text);
TARRY_DETAIL_POMP_TASK_END(Taskwait_end);

void POMP2_Task_create_begin(POMP2_Region_handle* region, POMP2_Task_handle* new_task, POMP2_Task_handle* old_task,
                             int is_deferred, const char* text);
TARRY_DETAIL_POMP_TASK_END(Task_create_end);
void POMP2_Task_begin(POMP2_Region_handle* region, POMP2_Task_handle task);
TARRY_DETAIL_POMP_CALL(Task_end);
void POMP2_Untied_task_create_begin(POMP2_Region_handle* region, POMP2_Task_handle* new_task,
                                    POMP2_Task_handle* old_task, int is_deferred, const char* text);
TARRY_DETAIL_POMP_TASK_END(Untied_task_create_end);
void POMP2_Untied_task_begin(POMP2_Region_handle* region, POMP2_Task_handle task);
TARRY_DETAIL_POMP_CALL(Untied_task_end);
POMP2_Task_handle POMP2_Get_new_task_handle(void);

/* The types of locks are those of omp.h, which is not included here. */
int POMP2_Lib_get_max_threads(void);
void POMP2_Init_lock(void* lock);
void POMP2_Destroy_lock(void* lock);
void POMP2_Set_lock(void* lock);
void POMP2_Unset_lock(void* lock);
int POMP2_Test_lock(void* lock);
void POMP2_Init_nest_lock(void* lock);
void POMP2_Destroy_nest_lock(void* lock);
void POMP2_Set_nest_lock(void* lock);
void POMP2_Unset_nest_lock(void* lock);
int POMP2_Test_nest_lock(void* lock);

/* #pragma pomp inst */
void POMP2_Init(void);
void POMP2_Finalize(void);
void POMP2_On(void);
void POMP2_Off(void);
TARRY_DETAIL_POMP_BEGIN(Begin);
TARRY_DETAIL_POMP_CALL(End);

#undef TARRY_DETAIL_POMP_BEGIN
#undef TARRY_DETAIL_POMP_CALL
#undef TARRY_DETAIL_POMP_TASK_END

#ifdef __cplusplus
}
#endif

#endif
