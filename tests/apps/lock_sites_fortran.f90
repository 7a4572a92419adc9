! lock_sites_fortran.f90 -- reaches the locks of the recorder in a Fortran program: MPI in one process, files, procedures.
!
! Links lock_site_signals.c, whose handler runs at each lock. Prints "done" and ends with 0.
module signals
  use, intrinsic :: iso_c_binding
  implicit none
  integer(c_int), bind(c, name='lock_sites_is_recorded') :: lock_sites_is_recorded
end module signals

module work
  use mpi
  implicit none
  integer :: total = 0
contains
  recursive subroutine descend(depth)
    integer, intent(in) :: depth
    total = total + 1
    if (depth > 0) call descend(depth - 1)
  end subroutine descend

  subroutine exchange(round)
    integer, intent(in) :: round
    integer :: error, request, status(MPI_STATUS_SIZE), received, sent
    sent = round
    call MPI_Irecv(received, 1, MPI_INTEGER, 0, round, MPI_COMM_SELF, request, error)
    call MPI_Send(sent, 1, MPI_INTEGER, 0, round, MPI_COMM_SELF, error)
    call MPI_Wait(request, status, error)
    call MPI_Allreduce(sent, received, 1, MPI_INTEGER, MPI_SUM, MPI_COMM_SELF, error)
    if (received /= round) error stop 1
  end subroutine exchange

  subroutine make_communicators()
    integer :: copy, part, error
    call MPI_Comm_dup(MPI_COMM_WORLD, copy, error)
    call MPI_Comm_split(copy, 0, 0, part, error)
    call MPI_Barrier(part, error)
    call MPI_Comm_free(part, error)
    call MPI_Comm_free(copy, error)
  end subroutine make_communicators

  subroutine use_file(round)
    integer, intent(in) :: round
    character(len=32) :: name
    integer :: there
    write (name, '(a,i0,a)') 'fortran_', round, '.txt'
    open (newunit=there, file=name, status='replace', action='readwrite')
    write (there, *) round
    rewind (there)
    read (there, *) total
    close (there)
    if (total /= round) error stop 2
  end subroutine use_file

  subroutine fill_blocks()
    integer :: i
    do i = 1, 20000
      call descend(3)
    end do
  end subroutine fill_blocks
end module work

program lock_sites_fortran
  use signals
  use work
  implicit none
  integer :: round, error
  call MPI_Init(error)
  lock_sites_is_recorded = 1
  do round = 1, 14
    call descend(round)
    call exchange(round)
    call make_communicators()
    call use_file(round)
    call fill_blocks()
  end do
  lock_sites_is_recorded = 0
  call MPI_Finalize(error)
  print '(a)', 'done'
end program lock_sites_fortran
