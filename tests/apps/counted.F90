! counted.F90 -- metrics of a program in Fortran; prints what a report holds as counted.c does.
#include <tarry/user.inc>
program counted
  implicit none
  integer :: pass
  real :: residual
  TARRY_REGION_BEGIN("assemble")
  do pass = 1, 4
    residual = 1.0 / pass
    TARRY_METRIC_INT64("updates", "", pass)
    TARRY_METRIC_DOUBLE("flops", "flop", 0.25)
    TARRY_METRIC_LEVEL_DOUBLE("residual", "", residual)
    TARRY_METRIC_LEVEL_INT64("depth", "", pass)
  end do
  TARRY_REGION_END("assemble")
  print '(a)', "updates assemble 10", "flops assemble 1", "residual assemble 1", "depth assemble 4"
end program
