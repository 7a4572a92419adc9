! pomp_regions.f90 -- regions marked with "!POMP$ INST" in Fortran.
!
! Visits of the regions: outer 1; early 4 below it, left by "ALTEND" twice; hidden 0 (off); either 3,
! entered by "BEGIN" once and by "ALTBEGIN" twice. Prints "pomp 8".
module passing
  implicit none
  integer :: passes = 0
contains
  subroutine leave_early(value)
    integer, intent(in) :: value
!POMP$ INST BEGIN(early)
    if (mod(value, 2) == 1) then
!POMP$ INST ALTEND(early)
      return
    end if
    passes = passes + 1
!POMP$ INST END(early)
  end subroutine
  subroutine enter_either(value)
    integer, intent(in) :: value
    if (value > 0) then
!POMP$ INST BEGIN(either)
      passes = passes + 1
    else
!POMP$ INST ALTBEGIN(either)
      passes = passes + 2
    end if
!POMP$ INST END(either)
  end subroutine
end module

program regions
  use passing
  implicit none
  integer :: i
!POMP$ INST INIT
!POMP$ INST BEGIN(outer)
  do i = 1, 4
    call leave_early(i)
  end do
!POMP$ INST END(outer)
  do i = 0, 1
    call enter_either(i)
  end do
  call enter_either(0)
!POMP$ INST OFF
!POMP$ INST BEGIN(hidden)
  passes = passes + 1
!POMP$ INST END(hidden)
!POMP$ INST ON
  print '(a,i0)', 'pomp ', passes
end program
