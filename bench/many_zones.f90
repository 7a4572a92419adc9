! many_zones.f90 -- zones of small blocks that are solved line by line, as BT-MZ does: threads share the lines of a zone,
! and each point of a line calls three small functions. The processes give their last zone to the next one.
!
! usage: many_zones STEPS   -- in each step a process calls 3 x 2 x 24 x 24 x 23 x 3 = 238,464 small functions.
module small_blocks
  implicit none
  integer, parameter :: points = 24, zones = 2, block = 5
contains
  subroutine subtract_product(a, x, y)
    real(8), intent(in) :: a(block, block), x(block)
    real(8), intent(inout) :: y(block)
    integer :: i
    do i = 1, block
      y = y - a(:, i) * x(i)
    end do
  end subroutine

  subroutine subtract_block_product(a, b, c)
    real(8), intent(in) :: a(block, block), b(block, block)
    real(8), intent(inout) :: c(block, block)
    integer :: i
    do i = 1, block
      c(:, i) = c(:, i) - matmul(a, b(:, i))
    end do
  end subroutine

  subroutine solve_block(a, c, x)
    real(8), intent(inout) :: a(block, block), c(block, block), x(block)
    real(8) :: factor
    integer :: i, k
    do i = 1, block
      factor = 1 / a(i, i)
      c(i, :) = c(i, :) * factor
      x(i) = x(i) * factor
      do k = 1, block
        if (k == i) cycle
        factor = a(k, i)
        c(k, :) = c(k, :) - factor * c(i, :)
        x(k) = x(k) - factor * x(i)
      end do
    end do
  end subroutine
end module

module directions
  use small_blocks
  implicit none
contains
  subroutine solve_lines(u, strides)
    real(8), intent(inout) :: u(block, *)
    integer, intent(in) :: strides(3)
    real(8) :: a(block, block), c(block, block)
    integer :: i, j, k, m, at
    !$omp parallel do private(a, c, i, j, m, at)
    do k = 0, points - 1
      do j = 0, points - 1
        do i = 1, points - 1
          at = 1 + i * strides(1) + j * strides(2) + k * strides(3)
          a = 0.01d0
          c = 0.01d0
          do m = 1, block
            a(m, m) = 2 + u(m, at)
          end do
          call subtract_product(c, u(:, at - strides(1)), u(:, at))
          call subtract_block_product(c, c, a)
          call solve_block(a, c, u(:, at))
        end do
      end do
    end do
  end subroutine

  subroutine solve_zone(u)
    real(8), intent(inout) :: u(block, points**3)
    call solve_lines(u, [1, points, points**2])
    call solve_lines(u, [points, points**2, 1])
    call solve_lines(u, [points**2, 1, points])
  end subroutine
end module

program many_zones
  use mpi
  use directions
  implicit none
  real(8), allocatable :: u(:, :, :)
  real(8) :: sum_of_all
  character(16) :: argument
  integer :: steps, step, zone, rank, size, failed

  call MPI_Init(failed)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, failed)
  call MPI_Comm_size(MPI_COMM_WORLD, size, failed)
  call get_command_argument(1, argument)
  read (argument, *) steps
  allocate (u(block, points**3, zones))
  u = 0.001d0
  do step = 1, steps
    do zone = 1, zones
      call solve_zone(u(:, :, zone))
    end do
    call MPI_Sendrecv_replace(u(:, :, zones), block * points**3, MPI_DOUBLE_PRECISION, mod(rank + 1, size), 1, &
                              mod(rank - 1 + size, size), 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE, failed)
    u(:, :, zones) = u(:, :, zones) + 0.001d0
  end do
  call MPI_Reduce(sum(u), sum_of_all, 1, MPI_DOUBLE_PRECISION, MPI_SUM, 0, MPI_COMM_WORLD, failed)
  if (rank == 0) print '(es12.5)', sum_of_all
  call MPI_Finalize(failed)
end program
