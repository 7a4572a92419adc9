! element_loop.f90 -- a Fortran program of finite elements: a function of the material for each point, and a subroutine
! for each element.
!
! usage: element_loop [STEPS]      (40)
!
! Each step visits 20,000 elements of four points each. stress() takes some nanoseconds, assemble() calls it four times
! and adds about a hundred.
module materials
  implicit none
contains
  double precision function stress(strain, modulus)
    double precision, intent(in) :: strain, modulus
    stress = modulus * strain * (1d0 - 0.1d0 * strain * strain)
  end function stress

  subroutine assemble(element, strains, forces)
    integer, intent(in) :: element
    double precision, intent(in) :: strains(:)
    double precision, intent(inout) :: forces(:)
    integer :: point, pass
    double precision :: total
    total = 0d0
    do point = 1, 4
      total = total + stress(strains(element) * point, 210d0)
    end do
    do pass = 1, 12
      total = total * 0.998d0 + strains(element) / dble(pass)
    end do
    forces(element) = forces(element) + total
  end subroutine assemble
end module materials

program element_loop
  use materials
  implicit none
  integer, parameter :: elements = 20000
  integer :: step, steps, element
  double precision :: strains(elements), forces(elements)
  character(len=16) :: argument
  steps = 40
  if (command_argument_count() > 0) then
    call get_command_argument(1, argument)
    read (argument, *) steps
  end if
  do element = 1, elements
    strains(element) = 1d-3 * dble(mod(element, 97))
  end do
  forces = 0d0
  do step = 1, steps
    do element = 1, elements
      call assemble(element, strains, forces)
    end do
  end do
  print '(es20.12)', sum(forces)
end program element_loop
