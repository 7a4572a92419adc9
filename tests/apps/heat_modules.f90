! heat_modules.f90 -- a rod that cools down: Fortran with modules, contained procedures, recursion and callbacks.
!
! usage: heat_modules, on any number of processes. Prints one line: the sum of all temperatures.
module rod
  use mpi
  implicit none
  integer, parameter :: cells = 200
  double precision :: heat(0:cells + 1) = 1
  integer :: below = MPI_PROC_NULL, above = MPI_PROC_NULL
contains
  subroutine place(rank, ranks)
    integer, intent(in) :: rank, ranks
    if (rank > 0) below = rank - 1
    if (rank + 1 < ranks) above = rank + 1
    if (rank == 0) heat(cells / 2) = 100
  end subroutine

  subroutine exchange()
    integer :: error
    call shift(heat(1), below, heat(cells + 1), above, 1)
    call shift(heat(cells), above, heat(0), below, 2)
    call MPI_Barrier(MPI_COMM_WORLD, error)
  contains
    subroutine shift(give, target, take, source, tag)
      double precision, intent(in) :: give
      double precision, intent(inout) :: take
      integer, intent(in) :: target, source, tag
      integer :: status(MPI_STATUS_SIZE)
      call MPI_Sendrecv(give, 1, MPI_DOUBLE_PRECISION, target, tag, take, 1, MPI_DOUBLE_PRECISION, source, tag, &
                        MPI_COMM_WORLD, status, error)
    end subroutine
  end subroutine

  subroutine cool(rate)
    double precision, intent(in) :: rate
    double precision :: next(cells)
    next = heat(1:cells) + rate * (heat(0:cells - 1) - 2 * heat(1:cells) + heat(2:cells + 1))
    heat(1:cells) = next
  end subroutine
end module

module sums
  use mpi
  implicit none
  abstract interface
    double precision function of_part(first, last)
      integer, intent(in) :: first, last
    end function
  end interface
contains
  ! Halves are summed by themselves, so that rounding is small.
  recursive double precision function halved(part, first, last, depth) result(total)
    procedure(of_part) :: part
    integer, intent(in) :: first, last, depth
    integer :: middle
    if (depth == 0) then
      total = part(first, last)
    else
      middle = (first + last) / 2
      total = halved(part, first, middle, depth - 1) + halved(part, middle + 1, last, depth - 1)
    end if
  end function

  double precision function sum_of_all(mine)
    double precision, intent(in) :: mine
    integer :: error
    call MPI_Allreduce(mine, sum_of_all, 1, MPI_DOUBLE_PRECISION, MPI_SUM, MPI_COMM_WORLD, error)
  end function
end module

program heat_modules
  use rod
  use sums
  implicit none
  integer :: rank, ranks, step, error
  double precision :: total
  call MPI_Init(error)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, error)
  call MPI_Comm_size(MPI_COMM_WORLD, ranks, error)
  call place(rank, ranks)
  do step = 1, 60
    call exchange()
    call cool(0.1d0)
    total = halved(part_of_all, 1, cells, 3)
  end do
  if (rank == 0) print '(a, f0.6)', 'sum ', total
  call MPI_Finalize(error)
contains
  double precision function part_of_all(first, last)
    integer, intent(in) :: first, last
    part_of_all = sum_of_all(sum(heat(first:last)))
  end function
end program
