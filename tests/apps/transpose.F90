! transpose.F90 -- twin of transpose.c; `use mpi_f08`. See there for its wait states.
program transpose_rows
  use mpi_f08
  use pausing
  implicit none
  integer, parameter :: rounds = 4, length = 16
  integer(kind=8) :: origin
  integer :: rank, ranks, i
  double precision, allocatable :: in(:), out(:)
  double precision :: check(2)
  call MPI_Init()
  call MPI_Comm_rank(MPI_COMM_WORLD, rank)
  call MPI_Comm_size(MPI_COMM_WORLD, ranks)
  allocate (in(length * ranks), out(length * ranks))
  in = 0
  origin = clock_milliseconds() + 100
  call MPI_Bcast(origin, 1, MPI_INTEGER8, 0, MPI_COMM_WORLD)
  call set_origin(origin)
  do i = 1, rounds
    call pause_until(360 * (i - 1) + merge(75, 15, rank == 0))
    call MPI_Bcast(in, length, MPI_DOUBLE_PRECISION, 0, MPI_COMM_WORLD)
    call pause_until(360 * (i - 1) + merge(195, 105, rank == 2))
    call MPI_Alltoall(in, length, MPI_DOUBLE_PRECISION, out, length, MPI_DOUBLE_PRECISION, MPI_COMM_WORLD)
    call pause_until(360 * (i - 1) + merge(330, 240, rank == 3))
    call MPI_Reduce(out, check, 2, MPI_DOUBLE_PRECISION, MPI_SUM, 0, MPI_COMM_WORLD)
    call MPI_Barrier(MPI_COMM_WORLD)
  end do
  call MPI_Finalize()
end program
