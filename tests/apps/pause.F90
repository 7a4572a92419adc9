! pause.F90 -- work that ends at a known time: the process sleeps, so that more ranks than cores do not distort it.
module pausing
  use iso_c_binding
  implicit none
  private
  public :: clock_milliseconds, set_origin, pause_until
  integer(c_int), parameter :: monotonic = 1, absolute = 1
  integer(c_long_long) :: origin = 0
  type, bind(c) :: timespec
    integer(c_long) :: seconds, nanoseconds
  end type
  interface
    integer(c_int) function clock_gettime(clock, time) bind(c)
      import :: c_int, timespec
      integer(c_int), value :: clock
      type(timespec), intent(out) :: time
    end function
    integer(c_int) function clock_nanosleep(clock, flags, moment, remaining) bind(c)
      import :: c_int, c_ptr, timespec
      integer(c_int), value :: clock, flags
      type(timespec), intent(in) :: moment
      type(c_ptr), value :: remaining
    end function
  end interface
contains
  integer(c_long_long) function clock_milliseconds()
    type(timespec) :: now
    integer(c_int) :: outcome
    outcome = clock_gettime(monotonic, now)
    clock_milliseconds = now%seconds * 1000 + now%nanoseconds / 1000000
  end function

  ! All ranks agree on the time 0.
  subroutine set_origin(milliseconds)
    integer(c_long_long), intent(in) :: milliseconds
    origin = milliseconds
  end subroutine

  subroutine pause_until(milliseconds)
    integer, intent(in) :: milliseconds
    integer(c_long_long) :: moment
    moment = origin + milliseconds
    do while (clock_nanosleep(monotonic, absolute, timespec(moment / 1000, mod(moment, 1000_c_long_long) * 1000000), &
        c_null_ptr) /= 0)
    end do
  end subroutine
end module
