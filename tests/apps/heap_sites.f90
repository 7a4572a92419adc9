! heap_sites.f90 -- allocatable and pointer arrays: what a pointer leaves, what another subroutine frees.
!
! Prints a line "FUNCTION BLOCKS REQUESTED" for what each function has allocated and the program never frees.
module parts
  implicit none
  real(8), allocatable :: shared(:)
contains
  subroutine leak_pointers()
    real(8), pointer :: block(:)
    integer :: i
    do i = 1, 30
      allocate (block(2000))
      block(1) = i
      nullify (block)
    end do
  end subroutine leak_pointers
  subroutine fill_shared()
    allocate (shared(100000))
    shared = 1
  end subroutine fill_shared
  subroutine drop_shared()
    if (sum(shared) < 1) stop 1
    deallocate (shared)
  end subroutine drop_shared
end module parts

program heap_sites
  use parts
  implicit none
  print '(a,i0,1x,i0)', 'leak_pointers ', 30, 30 * 16000  ! takes memory, which the runtime frees at the end
  call leak_pointers()
  call fill_shared()
  call drop_shared()
end program heap_sites
