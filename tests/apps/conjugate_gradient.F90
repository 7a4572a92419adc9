! conjugate_gradient.F90 -- twin of conjugate_gradient.c; `use mpi`. See there for its wait states.
program conjugate_gradient
  use mpi
  use pausing
  implicit none
  integer, parameter :: iterations = 4, length = 100
  integer(kind=8) :: origin
  integer :: rank, ranks, next, previous, i, requests(4), ierror
  double precision :: halo(length, 2), own(length), sums(2), part
  call MPI_Init(ierror)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierror)
  call MPI_Comm_size(MPI_COMM_WORLD, ranks, ierror)
  next = mod(rank + 1, ranks)
  previous = mod(rank + ranks - 1, ranks)
  own = 1
  sums = 1
  part = 1
  origin = clock_milliseconds() + 100
  call MPI_Bcast(origin, 1, MPI_INTEGER8, 0, MPI_COMM_WORLD, ierror)
  call set_origin(origin)
  do i = 1, iterations
    call pause_until(240 * (i - 1) + merge(120, 30, rank == 1))
    call MPI_Irecv(halo(1, 1), length, MPI_DOUBLE_PRECISION, previous, 1, MPI_COMM_WORLD, requests(1), ierror)
    call MPI_Irecv(halo(1, 2), length, MPI_DOUBLE_PRECISION, next, 2, MPI_COMM_WORLD, requests(2), ierror)
    call MPI_Isend(own, length, MPI_DOUBLE_PRECISION, next, 1, MPI_COMM_WORLD, requests(3), ierror)
    call MPI_Isend(own, length, MPI_DOUBLE_PRECISION, previous, 2, MPI_COMM_WORLD, requests(4), ierror)
    call MPI_Waitall(4, requests, MPI_STATUSES_IGNORE, ierror)
    call MPI_Allreduce(part, sums(1), 1, MPI_DOUBLE_PRECISION, MPI_SUM, MPI_COMM_WORLD, ierror)
    call pause_until(240 * (i - 1) + merge(210, 150, rank == 2))
    call MPI_Allreduce(MPI_IN_PLACE, sums(2), 1, MPI_DOUBLE_PRECISION, MPI_SUM, MPI_COMM_WORLD, ierror)
  end do
  call MPI_Finalize(ierror)
end program
