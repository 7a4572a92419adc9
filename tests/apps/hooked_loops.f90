! hooked_loops.f90 -- an instrumented function that a parallel loop calls: as in hooked_loops.c.
!
! usage: hooked_loops REGIONS CALLS   -- `small` is called REGIONS x CALLS times, from two threads.
subroutine small(x)
  real(8), intent(inout) :: x
  x = x * 1.0000001d0 + 1d-9
end subroutine

program hooked_loops
  real(8), allocatable :: a(:)
  integer :: i, k, regions, calls
  character(16) :: argument
  call get_command_argument(1, argument)
  read (argument, *) regions
  call get_command_argument(2, argument)
  read (argument, *) calls
  allocate (a(calls))
  a = 1
  do k = 1, regions
    !$omp parallel do num_threads(2)
    do i = 1, calls
      call small(a(i))
    end do
  end do
  print '(a, i0)', 'small ', regions * calls
end program
