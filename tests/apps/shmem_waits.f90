! shmem_waits.f90 -- OpenSHMEM by its interface of C: process 1 waits for a value that process 0 writes late, and prints
! for how long, by what both have noted.
module shmem_of_c
  use iso_c_binding
  implicit none
  interface
    subroutine shmem_init() bind(C)
    end subroutine
    subroutine shmem_finalize() bind(C)
    end subroutine
    integer(c_int) function shmem_my_pe() bind(C)
      import
    end function
    type(c_ptr) function shmem_malloc(bytes) bind(C)
      import
      integer(c_size_t), value :: bytes
    end function
    subroutine shmem_barrier_all() bind(C)
    end subroutine
    subroutine shmem_long_p(target, value, process) bind(C)
      import
      type(c_ptr), value :: target
      integer(c_long), value :: value
      integer(c_int), value :: process
    end subroutine
    subroutine shmem_long_wait_until(target, comparison, value) bind(C)
      import
      type(c_ptr), value :: target
      integer(c_int), value :: comparison
      integer(c_long), value :: value
    end subroutine
    integer(c_int) function usleep(microseconds) bind(C)
      import
      integer(c_int), value :: microseconds
    end function
  end interface
end module

program shmem_waits
  use shmem_of_c
  implicit none
  integer(c_int), parameter :: is_not = 1
  type(c_ptr) :: flag
  integer(c_long), pointer :: value
  integer(c_long) :: called, rate
  integer(c_int) :: rank, ignored
  call shmem_init()
  rank = shmem_my_pe()
  flag = shmem_malloc(8_c_size_t)
  call c_f_pointer(flag, value)
  value = 0
  call shmem_barrier_all()
  if (rank == 0) ignored = usleep(200000)
  call system_clock(called, rate)
  if (rank == 0) call shmem_long_p(flag, called, 1)
  if (rank == 1) then
    call shmem_long_wait_until(flag, is_not, 0_c_long)
    print '(a, f12.6)', 'notice', real(value - called, c_double) / real(rate, c_double)
  end if
  call shmem_barrier_all()
  call shmem_finalize()
end program
