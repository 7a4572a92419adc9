! pcontrol.f90 -- switches its recording off and on by MPI_PCONTROL: 3 of 7 barriers are recorded.
program pcontrol
  use mpi
  implicit none
  integer :: i, error
  call MPI_INIT(error)
  call MPI_PCONTROL(0)
  do i = 1, 4
    call MPI_BARRIER(MPI_COMM_WORLD, error)
  end do
  call MPI_PCONTROL(1)
  do i = 1, 3
    call MPI_BARRIER(MPI_COMM_WORLD, error)
  end do
  call MPI_FINALIZE(error)
end program pcontrol
