! large_counts_f08.f90 -- large counts and a persistent collective in mpi_f08, by 2 ranks.
program large_counts_f08
  use mpi_f08
  implicit none
  integer(MPI_COUNT_KIND) :: count = 10
  integer :: rank, data(10) = 1
  type(MPI_Request) :: request
  call MPI_Init()
  call MPI_Comm_rank(MPI_COMM_WORLD, rank)
  if (rank == 0) call MPI_Send(data, count, MPI_INTEGER, 1, 3, MPI_COMM_WORLD)
  if (rank == 1) call MPI_Recv(data, count, MPI_INTEGER, 0, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE)
  call MPI_Bcast_init(data, count, MPI_INTEGER, 0, MPI_COMM_WORLD, MPI_INFO_NULL, request)
  call MPI_Start(request)
  call MPI_Wait(request, MPI_STATUS_IGNORE)
  call MPI_Request_free(request)
  call MPI_Finalize()
end program
