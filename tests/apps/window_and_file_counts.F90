! window_and_file_counts.F90 -- the Fortran twin of window_and_file_counts.c, for one of the three interfaces of MPI.
!
! Compiled with -DMPIF_H, -DUSE_MPI or -DUSE_MPI_F08. Prints, per rank: EXPECT RANK KIND=COUNT ... KIND.FIELD=SUM ...
#ifdef USE_MPI_F08
#define HANDLE(kind) type(kind)
#define STATUS_OF type(MPI_Status)
#else
#define HANDLE(kind) integer
#define STATUS_OF integer, dimension(MPI_STATUS_SIZE)
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
  integer, parameter :: kinds = 22
  integer, parameter :: create = 1, destroy = 2, begin = 3, end_ = 4, group_sync = 5, lock = 6, release = 7, put = 8, &
      get = 9, atomic = 10, remote = 11, local = 12, request = 13, opened = 14, closed = 15, seek = 16, io_begin = 17, &
      issued = 18, complete = 19, put_bytes = 20, get_bytes = 21, io_bytes = 22
  character(len=32), parameter :: names(kinds) = [character(len=32) :: 'RMA_WIN_CREATE', 'RMA_WIN_DESTROY', &
      'RMA_COLLECTIVE_BEGIN', 'RMA_COLLECTIVE_END', 'RMA_GROUP_SYNC', 'RMA_REQUEST_LOCK', 'RMA_RELEASE_LOCK', &
      'RMA_PUT', 'RMA_GET', 'RMA_ATOMIC', 'RMA_OP_COMPLETE_REMOTE', 'RMA_OP_COMPLETE_BLOCKING', &
      'RMA_OP_COMPLETE_NON_BLOCKING', 'IO_CREATE_HANDLE', 'IO_DESTROY_HANDLE', 'IO_SEEK', 'IO_OPERATION_BEGIN', &
      'IO_OPERATION_ISSUED', 'IO_OPERATION_COMPLETE', 'RMA_PUT.bytes', 'RMA_GET.bytes', 'IO_OPERATION_COMPLETE.bytes']
  integer :: expected(kinds) = 0
  integer :: rank, ranks, next, previous, ierror
  double precision :: memory(64), out(64) = 1, in(64)
  integer(kind=MPI_ADDRESS_KIND), parameter :: place = 0, source = 8, sums = 16

contains

  subroutine count(kind, number)
    integer, intent(in) :: kind, number
    expected(kind) = expected(kind) + number
  end subroutine

  subroutine together()
    call count(begin, 1)
    call count(end_, 1)
  end subroutine

  subroutine put_to(window, target, length)
    HANDLE(MPI_Win), intent(in) :: window
    integer, intent(in) :: target, length
    call MPI_Put(out, length, MPI_DOUBLE_PRECISION, target, place, length, MPI_DOUBLE_PRECISION, window, ierror)
    call count(put, 1)
    call count(put_bytes, 8 * length)
  end subroutine

  subroutine get_from(window, target, length)
    HANDLE(MPI_Win), intent(in) :: window
    integer, intent(in) :: target, length
    call MPI_Get(in, length, MPI_DOUBLE_PRECISION, target, source, length, MPI_DOUBLE_PRECISION, window, ierror)
    call count(get, 1)
    call count(get_bytes, 8 * length)
  end subroutine

  subroutine synchronise(window)
    HANDLE(MPI_Win), intent(in) :: window
    HANDLE(MPI_Group) :: everybody, targets, origins
    HANDLE(MPI_Request) :: handle
    call MPI_Win_fence(0, window, ierror)
    call together()
    call put_to(window, next, 4)
    call get_from(window, previous, 3)
    call MPI_Win_fence(0, window, ierror)
    call together()
    call count(remote, 2)
    call MPI_Comm_group(MPI_COMM_WORLD, everybody, ierror)
    call MPI_Group_incl(everybody, 1, [next], targets, ierror)
    call MPI_Group_incl(everybody, 1, [previous], origins, ierror)
    call MPI_Win_post(origins, 0, window, ierror)
    call MPI_Win_start(targets, 0, window, ierror)
    call put_to(window, next, 1)
    call MPI_Win_complete(window, ierror)
    call MPI_Win_wait(window, ierror)
    call count(group_sync, 4)
    call count(remote, 1)
    call MPI_Group_free(origins, ierror)
    call MPI_Group_free(targets, ierror)
    call MPI_Group_free(everybody, ierror)
    call MPI_Win_lock(MPI_LOCK_EXCLUSIVE, next, 0, window, ierror)
    call put_to(window, next, 2)
    call MPI_Win_flush_local(next, window, ierror)
    call MPI_Accumulate(out, 2, MPI_DOUBLE_PRECISION, next, sums, 2, MPI_DOUBLE_PRECISION, MPI_SUM, window, ierror)
    call MPI_Fetch_and_op(out, in, MPI_DOUBLE_PRECISION, next, sums, MPI_SUM, window, ierror)
    call MPI_Win_unlock(next, window, ierror)
    call count(local, 1)
    call count(remote, 1)
    call count(atomic, 2)
    call MPI_Win_lock_all(0, window, ierror)
    call MPI_Rput(out, 3, MPI_DOUBLE_PRECISION, next, place, 3, MPI_DOUBLE_PRECISION, window, handle, ierror)
    call MPI_Wait(handle, MPI_STATUS_IGNORE, ierror)
    call MPI_Win_unlock_all(window, ierror)
    call count(put, 1)
    call count(put_bytes, 24)
    call count(request, 1)
    call count(lock, 2)
    call count(release, 2)
  end subroutine

  subroutine windows()
    HANDLE(MPI_Win) :: window
    integer(kind=MPI_ADDRESS_KIND), parameter :: bytes = 512
    call MPI_Win_create(memory, bytes, 8, MPI_INFO_NULL, MPI_COMM_WORLD, window, ierror)
    call together()
    call synchronise(window)
    call MPI_Win_free(window, ierror)
    call together()
    call count(create, 1)
    call count(destroy, 1)
  end subroutine

  subroutine completed(length)
    integer, intent(in) :: length
    call count(io_begin, 1)
    call count(complete, 1)
    call count(io_bytes, 8 * length)
  end subroutine

  subroutine files()
    HANDLE(MPI_File) :: file
    HANDLE(MPI_Request) :: handle
    STATUS_OF :: status
    integer(kind=MPI_OFFSET_KIND) :: mine
    mine = 1024 * rank
    call MPI_File_open(MPI_COMM_WORLD, 'fortran-counts.data', &
        MPI_MODE_CREATE + MPI_MODE_RDWR + MPI_MODE_DELETE_ON_CLOSE, MPI_INFO_NULL, file, ierror)
    call count(opened, 1)
    call MPI_File_write_at(file, mine, out, 4, MPI_DOUBLE_PRECISION, status, ierror)
    call completed(4)
    call MPI_File_write_at_all(file, mine, out, 5, MPI_DOUBLE_PRECISION, MPI_STATUS_IGNORE, ierror)
    call completed(5)
    call MPI_File_seek(file, mine, MPI_SEEK_SET, ierror)
    call count(seek, 1)
    call MPI_File_read_all(file, in, 3, MPI_DOUBLE_PRECISION, status, ierror)
    call completed(3)
    call MPI_File_iread_at(file, mine, in, 2, MPI_DOUBLE_PRECISION, handle, ierror)
    call MPI_Wait(handle, status, ierror)
    call completed(2)
    call MPI_File_write_all_begin(file, out, 1, MPI_DOUBLE_PRECISION, ierror)
    call MPI_File_write_all_end(file, out, status, ierror)
    call completed(1)
    call count(issued, 2)
    call MPI_File_close(file, ierror)
    call count(closed, 1)
  end subroutine

end module

program window_and_file_counts
  use counts
  implicit none
  character(len=1024) :: line, part
  integer :: kind
  call MPI_Init(ierror)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierror)
  call MPI_Comm_size(MPI_COMM_WORLD, ranks, ierror)
  next = mod(rank + 1, ranks)
  previous = mod(rank + ranks - 1, ranks)
  call windows()
  call files()
  write (line, '(a,i0)') 'EXPECT ', rank
  do kind = 1, kinds
    write (part, '(a,a,i0)') trim(names(kind)), '=', expected(kind)
    line = trim(line) // ' ' // part
  end do
  print '(a)', trim(line)
  call MPI_Finalize(ierror)
end program
