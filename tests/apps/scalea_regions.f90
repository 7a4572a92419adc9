! scalea_regions.f90 -- regions that directives of SCALEA mark, with what the program measures itself.
!
! Prints a line "NAME VISITS SECONDS" for each region.
module work_module
  implicit none
contains
  subroutine work(seconds)
    double precision, intent(in) :: seconds
    double precision :: until
    until = now() + seconds
    do while (now() < until)
    end do
  end subroutine

  double precision function now()
    integer(8) :: count, rate
    call system_clock(count, rate)
    now = dble(count) / dble(rate)
  end function

  subroutine tell(name, visits, seconds)
    character(*), intent(in) :: name
    integer, intent(in) :: visits
    double precision, intent(in) :: seconds
    print '(A,1X,I0,1X,F9.6)', name, visits, seconds
  end subroutine
end module

program scalea_regions
  use work_module
  implicit none
  double precision :: begin, inner, start
  integer :: i
!SIS$ CR PMETRIC ODATA_SEND, ODATA_COL
  !SIS$ CR first BEGIN
  call work(0.01d0)   ! the recording starts
  !SIS$ END CR
  begin = now()
  inner = 0
!SIS$ CR comp_main, CR_A, CR_S PMETRIC WTIME, OSYN BEGIN
  do i = 1, 3
    start = now()
    !SIS$ CR init_comp BEGIN
    call work(0.1d0)
    !SIS$ END CR
    inner = inner + (now() - start)
!SIS$ MEASURE DISABLE
    call hidden()
!SIS$ MEASURE ENABLE
  end do
!SIS$ END CR
  call tell('comp_main', 1, now() - begin)
  call tell('init_comp', 3, inner)
contains
  subroutine hidden()
    !SIS$ CR never_seen BEGIN
    call work(0.01d0)
    !SIS$ END CR
  end subroutine
end program
