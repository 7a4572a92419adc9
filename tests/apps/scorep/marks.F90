! marks.F90 -- every macro of SCOREP_User.inc. Prints 45 and whether it is being recorded.
#include "scorep/SCOREP_User.inc"
module parts
  implicit none
contains
  function assemble(n) result(total)
    integer, intent(in) :: n
    integer :: total, i
    SCOREP_USER_FUNC_DEFINE()
    SCOREP_USER_FUNC_BEGIN("assemble")
    total = 0
    do i = 0, n - 1
      total = total + i
    end do
    SCOREP_USER_FUNC_END()
  end function

  subroutine iterate(total)
    integer, intent(out) :: total
    integer :: i
    SCOREP_USER_REGION_DEFINE(step)
    SCOREP_USER_REGION_DEFINE(inner)
    SCOREP_USER_METRIC_LOCAL(residual)
    SCOREP_USER_METRIC_INIT(residual, "residual", "1", SCOREP_USER_METRIC_TYPE_DOUBLE, SCOREP_USER_METRIC_CONTEXT_GLOBAL)
    total = 0
    do i = 1, 4
      SCOREP_USER_REGION_BEGIN(step, "step", SCOREP_USER_REGION_TYPE_DYNAMIC)
      SCOREP_USER_REGION_BEGIN(inner, "inner", SCOREP_USER_REGION_TYPE_LOOP)
      total = assemble(10)
      SCOREP_USER_METRIC_INT64(residual, 1_8)
      SCOREP_USER_METRIC_UINT64(residual, 1_8)
      SCOREP_USER_METRIC_DOUBLE(residual, 1d0)
      SCOREP_USER_REGION_END(inner)
      SCOREP_USER_REGION_END(step)
    end do
  end subroutine

  subroutine parameters(n)
    integer(8), intent(in) :: n
    SCOREP_USER_REGION_DEFINE(sized)
    SCOREP_USER_PARAMETER_DEFINE(size_of_it)
    SCOREP_USER_REGION_INIT(sized, "sized", SCOREP_USER_REGION_TYPE_COMMON)
    SCOREP_USER_REGION_ENTER(sized)
    SCOREP_USER_PARAMETER_INT64(size_of_it, "n", n)
    SCOREP_USER_PARAMETER_UINT64(size_of_it, "many", 2 * n)
    SCOREP_USER_PARAMETER_STRING(size_of_it, "layout", "blocked ")
    if (assemble(int(n)) < 0) stop 1
    SCOREP_USER_REGION_END(sized)
  end subroutine

  subroutine others()
    SCOREP_USER_REWIND_DEFINE(tried)
    SCOREP_USER_CARTESIAN_TOPOLOGY_DEFINE(plane)
    SCOREP_USER_GLOBAL_CARTESIAN_TOPOLOGY_DEFINE(world)
    SCOREP_USER_METRIC_GLOBAL(heat)
    SCOREP_USER_CARTESIAN_TOPOLOGY_CREATE(plane, "plane", 2)
    SCOREP_USER_CARTESIAN_TOPOLOGY_ADD_DIM(plane, 1, 0, "x")
    SCOREP_USER_CARTESIAN_TOPOLOGY_INIT(plane)
    SCOREP_USER_REWIND_POINT(tried, "tried")
    if (assemble(3) < 0) stop 1
    SCOREP_USER_REWIND_CHECK(tried, .true.)
    SCOREP_USER_REGION_BY_NAME_BEGIN("part 1", SCOREP_USER_REGION_TYPE_COMMON)
    SCOREP_USER_REGION_BY_NAME_END("part 1")
  end subroutine
end module

subroutine spent()
  implicit none
  SCOREP_GLOBAL_REGION_EXTERNAL(everywhere)
  SCOREP_USER_METRIC_EXTERNAL(heat)
  SCOREP_USER_REGION_BEGIN(everywhere, "not this name", SCOREP_USER_REGION_TYPE_COMMON)
  SCOREP_USER_REGION_END(everywhere)
end subroutine

program marks
  use parts
  implicit none
  integer :: total, ignored
  logical :: is_on(3)
  SCOREP_USER_REGION_DEFINE(run)
  SCOREP_USER_GLOBAL_REGION_DEFINE(everywhere)
  SCOREP_USER_OA_PHASE_BEGIN(run, "run", SCOREP_USER_REGION_TYPE_COMMON)
  SCOREP_USER_REGION_BEGIN(everywhere, "everywhere", SCOREP_USER_REGION_TYPE_PHASE)
  call iterate(total)
  SCOREP_USER_REGION_END(everywhere)
  call spent()
  call parameters(512_8)
  call others()
  SCOREP_USER_OA_PHASE_END(run)
  SCOREP_RECORDING_IS_ON(is_on(1))
  SCOREP_RECORDING_OFF()
  SCOREP_RECORDING_IS_ON(is_on(2))
  call iterate(ignored)
  SCOREP_RECORDING_ON()
  SCOREP_RECORDING_IS_ON(is_on(3))
  print '(i0,1x,3l1)', total, is_on
end program
