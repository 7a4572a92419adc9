! nested_work.f90 -- ten procedures, each of which takes at least a tenth of the time, calls included.
!
! usage: nested_work ROUNDS
module parts
  implicit none
  integer, parameter :: twentieth = 20000
  double precision, volatile :: kept = 1d0
contains
  subroutine left_leaf()
    integer :: i
    do i = 1, 2 * twentieth
      kept = kept * 0.5d0 + 1d0
    end do
  end subroutine

  subroutine right_leaf()
    integer :: i
    do i = 1, 2 * twentieth
      kept = kept * 0.25d0 + 1d0
    end do
  end subroutine

  subroutine last_leaf()
    integer :: i
    do i = 1, 2 * twentieth
      kept = kept * 0.125d0 + 1d0
    end do
  end subroutine

  subroutine left_branch()
    integer :: i
    call left_leaf()
    do i = 1, twentieth
      kept = kept * 0.75d0 + 1d0
    end do
  end subroutine

  subroutine right_branch()
    integer :: i
    call right_leaf()
    do i = 1, twentieth
      kept = kept * 0.75d0 + 2d0
    end do
  end subroutine

  subroutine both_branches()
    integer :: i
    call left_branch()
    call right_branch()
    do i = 1, twentieth
      kept = kept * 0.75d0 + 3d0
    end do
  end subroutine

  subroutine twice()
    integer :: i
    call last_leaf()
    do i = 1, twentieth
      kept = kept * 0.75d0 + 4d0
    end do
    call last_leaf()
  end subroutine

  subroutine last_part()
    integer :: i
    call twice()
    do i = 1, twentieth
      kept = kept * 0.75d0 + 5d0
    end do
  end subroutine

  subroutine step()
    integer :: i
    call both_branches()
    call last_part()
    do i = 1, twentieth
      kept = kept * 0.75d0 + 6d0
    end do
  end subroutine

  subroutine steps(rounds)
    integer, intent(in) :: rounds
    integer :: round
    do round = 1, rounds
      call step()
    end do
  end subroutine
end module

program nested_work
  use parts
  implicit none
  character(len=20) :: text
  integer :: rounds
  call get_command_argument(1, text)
  read (text, *) rounds
  call steps(rounds)
end program
