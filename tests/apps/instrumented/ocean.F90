! ocean.F90 -- an MPI program in Fortran: module procedures, a contained one, user regions.
#include <tarry/user.inc>
module waves
  implicit none
contains
  subroutine advance(height)
    real(8), intent(inout) :: height(:)
    TARRY_REGION_BEGIN("smoothing")
    height(2:) = 0.5d0 * (height(2:) + height(:size(height) - 1))
    TARRY_REGION_END("smoothing")
  end subroutine
end module

program ocean
  use mpi
  use waves
  implicit none
  real(8) :: height(1000)
  integer :: i, ierror
  call MPI_Init(ierror)
  height = 1
  do i = 0, 4
    TARRY_ITERATION_BEGIN("tide", i)
    call advance(height)
    call exchange()
    TARRY_ITERATION_END("tide")
  end do
  print *, sum(height)
  call MPI_Finalize(ierror)
contains
  subroutine exchange()
    call MPI_Barrier(MPI_COMM_WORLD, ierror)
  end subroutine
end program
