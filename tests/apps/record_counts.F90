! record_counts.F90 -- the Fortran twin of record_counts.c, for one of the three interfaces of MPI.
!
! Compiled with -DMPIF_H, -DUSE_MPI or -DUSE_MPI_F08. Prints, per rank: EXPECT RANK KIND=COUNT ... Runs on an even number
! of at least 4 ranks. What MPI hands back (statuses, indices, flags, names) is checked as well: a recorder in between
! must not change it.
#ifdef USE_MPI_F08
#define HANDLE(kind) type(kind)
#define STATUS_OF type(MPI_Status)
#define SOURCE(status) status%MPI_SOURCE
#define TAG(status) status%MPI_TAG
#define AFTER
#else
#define HANDLE(kind) integer
#define STATUS_OF integer, dimension(MPI_STATUS_SIZE)
#define SOURCE(status) status(MPI_SOURCE)
#define TAG(status) status(MPI_TAG)
#define AFTER , ierror
#endif

module counts
#ifdef USE_MPI_F08
  use mpi_f08
#endif
#ifdef USE_MPI
  use mpi
#endif
  implicit none
#ifdef MPIF_H
  include 'mpif.h'
#endif
  integer, parameter :: many = 16, length = 1024
  integer, parameter :: send = 1, isend = 2, isend_complete = 3, irecv_request = 4, recv = 5, irecv = 6, test = 7, &
      cancelled = 8, begin = 9, end_ = 10, nbc_request = 11, nbc_complete = 12, create = 13, destroy = 14, kinds = 14
  character(len=32), parameter :: names(kinds) = [character(len=32) :: 'MPI_SEND', 'MPI_ISEND', 'MPI_ISEND_COMPLETE', &
      'MPI_IRECV_REQUEST', 'MPI_RECV', 'MPI_IRECV', 'MPI_REQUEST_TEST', 'MPI_REQUEST_CANCELLED', &
      'MPI_COLLECTIVE_BEGIN', 'MPI_COLLECTIVE_END', 'NON_BLOCKING_COLLECTIVE_REQUEST', &
      'NON_BLOCKING_COLLECTIVE_COMPLETE', 'COMM_CREATE', 'COMM_DESTROY']
  integer :: expected(kinds) = 0
  HANDLE(MPI_Comm) :: world
  HANDLE(MPI_Request) :: requests(2 * many + 2)
  STATUS_OF :: status
  integer :: rank, ranks, next, previous, ierror
  double precision :: out(length), in(length)

contains

  subroutine check(is_right, what)
    logical, intent(in) :: is_right
    character(len=*), intent(in) :: what
    if (is_right) return
    print '(a,i0,2a)', 'rank ', rank, ': wrong: ', what
    call MPI_Abort(world, 1 AFTER)
  end subroutine

  subroutine count(kind, number)
    integer, intent(in) :: kind, number
    expected(kind) = expected(kind) + number
  end subroutine

  subroutine collective(number)
    integer, intent(in) :: number
    call count(begin, number)
    call count(end_, number)
  end subroutine

  subroutine receives(number)
    integer, intent(in) :: number
    call count(irecv_request, number)
    call count(irecv, number)
  end subroutine

  subroutine sends(number)
    integer, intent(in) :: number
    call count(isend, number)
    call count(isend_complete, number)
  end subroutine

  subroutine blocking()
    integer :: i, got
    do i = 0, 9
      out(1) = rank
      if (mod(rank, 2) == 0) call MPI_Send(out, 10, MPI_DOUBLE_PRECISION, next, 1, world AFTER)
      if (mod(i, 2) == 1) then
        call MPI_Recv(in, 20, MPI_DOUBLE_PRECISION, previous, MPI_ANY_TAG, world, status AFTER)
        call MPI_Get_count(status, MPI_DOUBLE_PRECISION, got AFTER)
        call check(SOURCE(status) == previous .and. TAG(status) == 1 .and. got == 10, 'status of a receive')
      else
        call MPI_Recv(in, 20, MPI_DOUBLE_PRECISION, MPI_ANY_SOURCE, MPI_ANY_TAG, world, MPI_STATUS_IGNORE AFTER)
      end if
      call check(nint(in(1)) == previous, 'data of a receive')
      if (mod(rank, 2) == 1) call MPI_Send(out, 10, MPI_DOUBLE_PRECISION, next, 1, world AFTER)
    end do
    call MPI_Sendrecv(out, 5, MPI_INTEGER, next, 2, in, 5, MPI_INTEGER, previous, 2, world, MPI_STATUS_IGNORE AFTER)
    call MPI_Sendrecv_replace(out, 5, MPI_INTEGER, next, 2, previous, 2, world, status AFTER)
    call MPI_Sendrecv(out, 5, MPI_INTEGER, MPI_PROC_NULL, 2, in, 5, MPI_INTEGER, MPI_PROC_NULL, 2, world, status AFTER)
    call check(SOURCE(status) == MPI_PROC_NULL, 'status of a receive from nobody')
    call count(send, 12)
    call count(recv, 12)
  end subroutine

  subroutine non_blocking()
    integer :: i, index, done, left, indices(8)
    HANDLE(MPI_Request) :: fresh
    do i = 1, many
      call MPI_Irecv(in(i), 1, MPI_DOUBLE_PRECISION, previous, 10 + i, world, requests(i) AFTER)
      call MPI_Isend(out, 1, MPI_DOUBLE_PRECISION, next, 10 + i, world, requests(many + i) AFTER)
    end do
    call MPI_Irecv(in, 1, MPI_DOUBLE_PRECISION, MPI_PROC_NULL, 0, world, requests(2 * many + 1) AFTER)
    call MPI_Isend(out, 1, MPI_DOUBLE_PRECISION, MPI_PROC_NULL, 0, world, requests(2 * many + 2) AFTER)
    call MPI_Waitall(2 * many + 2, requests, MPI_STATUSES_IGNORE AFTER)
    call check(all([(requests(i) == MPI_REQUEST_NULL, i = 1, 2 * many + 2)]), 'handles after MPI_Waitall')
    call receives(many)
    call sends(many)

    ! Handles that moved since they were handed out.
    do i = 1, 4
      call MPI_Irecv(in(i), 1, MPI_DOUBLE_PRECISION, previous, 30 + i, world, fresh AFTER)
      requests(i) = fresh
      call MPI_Issend(out, 1, MPI_DOUBLE_PRECISION, next, 30 + i, world, fresh AFTER)
      requests(4 + i) = fresh
    end do
    do i = 1, 3
      call MPI_Waitany(8, requests, index, status AFTER)
#ifdef WAITANY_COUNTS_FROM_0
      index = index + 1
#endif
      call check(index >= 1 .and. index <= 8, 'index of MPI_Waitany')
      call check(requests(index) == MPI_REQUEST_NULL, 'handle after MPI_Waitany')
      if (index <= 4) call check(TAG(status) == 30 + index, 'status of MPI_Waitany')
    end do
    left = 5
    do while (left > 0)
      call MPI_Waitsome(8, requests, done, indices, MPI_STATUSES_IGNORE AFTER)
      left = left - done
    end do
    call receives(4)
    call sends(4)
  end subroutine

  subroutine unsuccessful_test()
    logical :: flag
    if (rank == 0) then
      call MPI_Irecv(in, 1, MPI_DOUBLE_PRECISION, 1, 40, world, requests(1) AFTER)
      call MPI_Test(requests(1), flag, status AFTER)
      call check(.not. flag, 'flag of MPI_Test')
      call count(test, 1)
    end if
    call MPI_Barrier(world AFTER)
    call collective(1)
    if (rank == 0) then
      call MPI_Wait(requests(1), status AFTER)
      call receives(1)
    else if (rank == 1) then
      call MPI_Send(out, 1, MPI_DOUBLE_PRECISION, 0, 40, world AFTER)
      call count(send, 1)
    end if
  end subroutine

  subroutine requests_of_other_kinds()
    HANDLE(MPI_Message) :: message
    logical :: flag
    integer :: i
    call MPI_Irecv(in, 1, MPI_DOUBLE_PRECISION, previous, 999, world, requests(1) AFTER)
    call MPI_Cancel(requests(1) AFTER)
    call MPI_Wait(requests(1), status AFTER)
    call MPI_Test_cancelled(status, flag AFTER)
    call check(flag, 'flag of MPI_Test_cancelled')
    call count(irecv_request, 1)
    call count(cancelled, 1)

    call MPI_Send_init(out, 3, MPI_REAL, next, 50, world, requests(1) AFTER)
    call MPI_Recv_init(in, 3, MPI_REAL, previous, 50, world, requests(2) AFTER)
    do i = 1, 5
      call MPI_Startall(2, requests AFTER)
      call MPI_Waitall(2, requests, MPI_STATUSES_IGNORE AFTER)
    end do
    call MPI_Request_free(requests(1) AFTER)
    call MPI_Request_free(requests(2) AFTER)
    call receives(5)
    call sends(5)

    call MPI_Irecv(in, 1, MPI_INTEGER, previous, 51, world, requests(2) AFTER)
    call MPI_Isend(out, 1, MPI_INTEGER, next, 51, world, requests(1) AFTER)
    call MPI_Request_free(requests(1) AFTER)
    call MPI_Wait(requests(2), status AFTER)
    call receives(1)
    call sends(1)

    call MPI_Isend(out, 7, MPI_INTEGER, next, 52, world, requests(1) AFTER)
    call MPI_Mprobe(previous, 52, world, message, status AFTER)
    call MPI_Mrecv(in, 7, MPI_INTEGER, message, status AFTER)
    call MPI_Wait(requests(1), status AFTER)
    call count(recv, 1)
    call sends(1)
    call MPI_Isend(out, 7, MPI_INTEGER, next, 53, world, requests(1) AFTER)
    flag = .false.
    do while (.not. flag)
      call MPI_Improbe(previous, 53, world, flag, message, status AFTER)
    end do
    call MPI_Imrecv(in, 7, MPI_INTEGER, message, requests(2) AFTER)
    call MPI_Testall(2, requests, flag, MPI_STATUSES_IGNORE AFTER)
    do while (.not. flag)
      call count(test, 2)
      call MPI_Testall(2, requests, flag, MPI_STATUSES_IGNORE AFTER)
    end do
    call receives(1)
    call sends(1)
  end subroutine

  subroutine collectives()
    integer :: counts(ranks), places(ranks), offsets(ranks), i
    HANDLE(MPI_Datatype) :: types(ranks)
    do i = 1, ranks
      counts(i) = 1
      places(i) = i - 1
      offsets(i) = 8 * (i - 1)
      types(i) = MPI_DOUBLE_PRECISION
    end do
    call MPI_Bcast(out, 4, MPI_DOUBLE_PRECISION, 1, world AFTER)
    call MPI_Scatter(out, 1, MPI_DOUBLE_PRECISION, in, 1, MPI_DOUBLE_PRECISION, 0, world AFTER)
    call MPI_Scatterv(out, counts, places, MPI_DOUBLE_PRECISION, in, 1, MPI_DOUBLE_PRECISION, 0, world AFTER)
    call MPI_Gather(out, 1, MPI_DOUBLE_PRECISION, in, 1, MPI_DOUBLE_PRECISION, 0, world AFTER)
    call MPI_Gatherv(out, 1, MPI_DOUBLE_PRECISION, in, counts, places, MPI_DOUBLE_PRECISION, 0, world AFTER)
    call MPI_Reduce(out, in, 2, MPI_DOUBLE_PRECISION, MPI_SUM, 0, world AFTER)
    call MPI_Allgather(out, 1, MPI_DOUBLE_PRECISION, in, 1, MPI_DOUBLE_PRECISION, world AFTER)
    call MPI_Allgatherv(out, 1, MPI_DOUBLE_PRECISION, in, counts, places, MPI_DOUBLE_PRECISION, world AFTER)
    call MPI_Alltoall(out, 1, MPI_DOUBLE_PRECISION, in, 1, MPI_DOUBLE_PRECISION, world AFTER)
    call MPI_Alltoallv(out, counts, places, MPI_DOUBLE_PRECISION, in, counts, places, MPI_DOUBLE_PRECISION, world AFTER)
    call MPI_Alltoallw(out, counts, offsets, types, in, counts, offsets, types, world AFTER)
    call MPI_Allreduce(out, in, 2, MPI_DOUBLE_PRECISION, MPI_SUM, world AFTER)
    call MPI_Reduce_scatter(out, in, counts, MPI_DOUBLE_PRECISION, MPI_SUM, world AFTER)
    call MPI_Reduce_scatter_block(out, in, 1, MPI_DOUBLE_PRECISION, MPI_SUM, world AFTER)
    call MPI_Scan(out, in, 1, MPI_DOUBLE_PRECISION, MPI_SUM, world AFTER)
    call MPI_Exscan(out, in, 1, MPI_DOUBLE_PRECISION, MPI_SUM, world AFTER)
    if (rank == 0) then
      call MPI_Gather(MPI_IN_PLACE, 1, MPI_DOUBLE_PRECISION, in, 1, MPI_DOUBLE_PRECISION, 0, world AFTER)
    else
      call MPI_Gather(out, 1, MPI_DOUBLE_PRECISION, in, 1, MPI_DOUBLE_PRECISION, 0, world AFTER)
    end if
    call MPI_Allgather(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, in, 1, MPI_DOUBLE_PRECISION, world AFTER)
    in(1) = rank
    call MPI_Allreduce(MPI_IN_PLACE, in, 2, MPI_DOUBLE_PRECISION, MPI_SUM, world AFTER)
    call check(nint(in(1)) == ranks * (ranks - 1) / 2, 'sum in place')
    call collective(19)
    call MPI_Ibcast(out, 4, MPI_DOUBLE_PRECISION, 1, world, requests(1) AFTER)
    call MPI_Iallreduce(out, in, 2, MPI_DOUBLE_PRECISION, MPI_SUM, world, requests(2) AFTER)
    call MPI_Ibarrier(world, requests(3) AFTER)
    call MPI_Waitall(3, requests, MPI_STATUSES_IGNORE AFTER)
    call count(nbc_request, 3)
    call count(nbc_complete, 3)
  end subroutine

  subroutine communicators()
    HANDLE(MPI_Comm) :: copy, half, ring, bridge, merged, later, single, lonely, star, web
    HANDLE(MPI_Group) :: everybody, first
    integer :: dims(1), root, got
    logical :: periods(1), flag
    character(len=MPI_MAX_OBJECT_NAME) :: name
    dims(1) = ranks
    periods(1) = .true.
    call MPI_Comm_dup(world, copy AFTER)
    call MPI_Comm_set_name(copy, 'a copy' AFTER)
    call MPI_Comm_get_name(copy, name, got AFTER)
    call check(name == 'a copy' .and. got == 6, 'name of a communicator')
    call MPI_Comm_split(copy, mod(rank, 2), rank, half AFTER)
    call MPI_Cart_create(world, 1, dims, periods, .false., ring AFTER)
    root = 1
    if (mod(rank, 2) == 1) root = 0
    call MPI_Intercomm_create(half, 0, world, root, 7, bridge AFTER)
    call MPI_Comm_test_inter(bridge, flag AFTER)
    call check(flag, 'flag of MPI_Comm_test_inter')
    call MPI_Intercomm_merge(bridge, mod(rank, 2) == 1, merged AFTER)
    call MPI_Dist_graph_create_adjacent(world, 1, [previous], MPI_UNWEIGHTED, 1, [next], MPI_UNWEIGHTED, MPI_INFO_NULL, &
        .false., web AFTER)
    call MPI_Graph_create(world, 2, [1, 2], [1, 0], .false., star AFTER)
    call collective(7)
    call MPI_Comm_idup(world, later, requests(1) AFTER)
    call MPI_Wait(requests(1), status AFTER)
    call count(create, 7)
    if (rank < 2) call count(create, 1)
    call MPI_Comm_group(world, everybody AFTER)
    call MPI_Group_incl(everybody, 1, [0], first AFTER)
    call MPI_Comm_create(world, first, single AFTER)
    call collective(1)
    if (rank == 0) then
      call MPI_Comm_create_group(world, first, 3, lonely AFTER)
      call MPI_Comm_free(lonely AFTER)
      call MPI_Comm_free(single AFTER)
      call collective(3)
      call count(create, 2)
      call count(destroy, 2)
    end if
    call MPI_Neighbor_allgather(out, 1, MPI_DOUBLE_PRECISION, in, 1, MPI_DOUBLE_PRECISION, ring AFTER)
    call MPI_Ineighbor_alltoall(out, 1, MPI_DOUBLE_PRECISION, in, 1, MPI_DOUBLE_PRECISION, ring, requests(1) AFTER)
    call MPI_Wait(requests(1), status AFTER)
    call MPI_Neighbor_alltoallv(out, [1], [0], MPI_DOUBLE_PRECISION, in, [1], [0], MPI_DOUBLE_PRECISION, web AFTER)
    call collective(2)
    call count(nbc_request, 2)
    call count(nbc_complete, 2)
    root = 0
    if (mod(rank, 2) == 0) root = MPI_PROC_NULL
    if (rank == 0) root = MPI_ROOT
    call MPI_Bcast(out, 2, MPI_INTEGER, root, bridge AFTER)
    call MPI_Allreduce(out, in, 1, MPI_INTEGER, MPI_SUM, bridge AFTER)
    call MPI_Barrier(later AFTER)
    call MPI_Barrier(merged AFTER)
    call MPI_Bcast(out, 1, MPI_INTEGER, 0, MPI_COMM_SELF AFTER)
    call collective(5)
    call MPI_Sendrecv(out, 1, MPI_INTEGER, rank / 2, 3, in, 1, MPI_INTEGER, rank / 2, 3, bridge, status AFTER)
    call count(send, 1)
    call count(recv, 1)
    call release(bridge)
    call release(merged)
    call release(half)
    call release(copy)
    call release(ring)
    call release(later)
    call release(web)
    if (rank < 2) call release(star)
    call MPI_Group_free(first AFTER)
    call MPI_Group_free(everybody AFTER)
  end subroutine

  subroutine release(comm)
    HANDLE(MPI_Comm), intent(inout) :: comm
    call MPI_Comm_free(comm AFTER)
    call check(comm == MPI_COMM_NULL, 'handle after MPI_Comm_free')
    call collective(1)
    call count(destroy, 1)
  end subroutine

end module

program record_counts
  use counts
  implicit none
  character(len=length) :: line, part
  integer :: kind
  call MPI_Init(ierror)
  world = MPI_COMM_WORLD
  call MPI_Comm_rank(world, rank AFTER)
  call MPI_Comm_size(world, ranks, ierror)
  next = mod(rank + 1, ranks)
  previous = mod(rank + ranks - 1, ranks)
  call blocking()
  call non_blocking()
  call unsuccessful_test()
  call requests_of_other_kinds()
  call collectives()
  call communicators()
  write (line, '(a,i0)') 'EXPECT ', rank
  do kind = 1, kinds
    write (part, '(a,a,i0)') trim(names(kind)), '=', expected(kind)
    line = trim(line) // ' ' // part
  end do
  print '(a)', trim(line)
  call MPI_Finalize(ierror)
end program
