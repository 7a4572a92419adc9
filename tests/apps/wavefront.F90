! wavefront.F90 -- sweeps through a line of ranks, twin of wavefront.c; mpif.h. See there for its wait states.
program wavefront
  use pausing
  implicit none
  include 'mpif.h'
  integer, parameter :: sweeps = 4
  integer(kind=8) :: origin
  integer :: rank, ranks, sweep, status(MPI_STATUS_SIZE), ierror
  double precision :: edge(64)
  call MPI_INIT(ierror)
  call MPI_COMM_RANK(MPI_COMM_WORLD, rank, ierror)
  call MPI_COMM_SIZE(MPI_COMM_WORLD, ranks, ierror)
  edge = 1
  origin = clock_milliseconds() + 100
  call MPI_BCAST(origin, 1, MPI_INTEGER8, 0, MPI_COMM_WORLD, ierror)
  call set_origin(origin)
  do sweep = 1, sweeps
    if (rank > 0) call MPI_RECV(edge, 64, MPI_DOUBLE_PRECISION, rank - 1, sweep, MPI_COMM_WORLD, status, ierror)
    call pause_until(180 * (sweep - 1) + 120 + 30 * rank)
    if (rank < ranks - 1) call MPI_SEND(edge, 64, MPI_DOUBLE_PRECISION, rank + 1, sweep, MPI_COMM_WORLD, ierror)
  end do
  call MPI_FINALIZE(ierror)
end program
