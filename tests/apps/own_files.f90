! own_files.f90 -- writes and reads 50,000,000 bytes with unformatted streams. usage: own_files FILE
program own_files
  use mpi
  implicit none
  character(len=4096) :: name
  character, allocatable :: text(:)
  integer :: i, error
  call mpi_init(error)
  call get_command_argument(1, name)
  allocate(text(100000))
  text = 'x'
  open(unit=17, file=trim(name), access='stream', form='unformatted', status='replace')
  do i = 1, 500
    write(17) text
  end do
  rewind(17)
  do i = 1, 500
    read(17) text
  end do
  close(17)
  print '(i0)', count(text == 'x')
  call mpi_finalize(error)
end program
