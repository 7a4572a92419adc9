! mpi_plugin.F90 -- a plug-in in Fortran with the functions of mpi_plugin.c; mpif.h, or mpi_f08 with -DF08.
function ask() result(status) bind(c)
  use iso_c_binding, only: c_int
  implicit none
  integer(c_int) :: status
  status = 0
end function

function run() result(status) bind(c)
  use iso_c_binding, only: c_int
#ifdef F08
  use mpi_f08
  implicit none
#else
  implicit none
  include 'mpif.h'
#endif
  integer(c_int) :: status
  integer :: rank, processes, total, error
  call MPI_Init(error)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, error)
  call MPI_Comm_size(MPI_COMM_WORLD, processes, error)
  call MPI_Allreduce(rank, total, 1, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, error)
  call MPI_Finalize(error)
  status = merge(0, 1, total == processes * (processes - 1) / 2)
end function
