! counted_calls.F90 -- calls MPI functions as often as counted_calls.c does, and prints the same.
program counted_calls
  implicit none
  include 'mpif.h'
  integer :: rank, size, total, share, i, in, error
  call MPI_Init(error)
  call MPI_Comm_size(MPI_COMM_WORLD, size, error)
  call MPI_Comm_size(MPI_COMM_SELF, total, error)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, error)
  do i = 1, 7
    if (mod(rank, 2) == 0) call MPI_Send(i, 1, MPI_INTEGER, mod(rank + 1, size), i, MPI_COMM_WORLD, error)
    call MPI_Recv(in, 1, MPI_INTEGER, mod(rank + size - 1, size), i, MPI_COMM_WORLD, MPI_STATUS_IGNORE, error)
    if (mod(rank, 2) /= 0) call MPI_Send(i, 1, MPI_INTEGER, mod(rank + 1, size), i, MPI_COMM_WORLD, error)
    if (i <= 5) call MPI_Barrier(MPI_COMM_WORLD, error)
  end do
  share = 10
  do i = 1, 3
    call MPI_Bcast(share, 1, MPI_INTEGER, 0, MPI_COMM_WORLD, error)
  end do
  share = share * rank
  call MPI_Reduce(share, total, 1, MPI_INTEGER, MPI_SUM, 0, MPI_COMM_WORLD, error)
  if (rank == 0) then
    print '(a, i0)', 'sum ', total
    flush(6)
  end if
  call MPI_Finalize(error)
end program
