! openmp_fortran.f90 -- OpenMP constructs in Fortran, without MPI; prints EXPECT NAME VISITS, over all threads.
program openmp_fortran
  use omp_lib
  implicit none
  integer, parameter :: threads = 3, steps = 10
  integer :: i, total, single_total
  integer(omp_lock_kind) :: lock
  total = 0
  single_total = 0
  call omp_set_dynamic(.false.)
  call omp_init_lock(lock)
!$omp parallel num_threads(threads)
!$omp do
  do i = 1, steps
!$omp critical
    total = total + i
!$omp end critical
  end do
!$omp end do
!$omp barrier
!$omp single
  single_total = single_total + 1
!$omp end single
!$omp master
  single_total = single_total + 1
!$omp end master
  call omp_set_lock(lock)
  total = total + 1
  call omp_unset_lock(lock)
!$omp end parallel
  call omp_destroy_lock(lock)
  if (total /= 55 + threads .or. single_total /= 2) print '(a)', 'wrong sum'
  print '(a,i0)', 'EXPECT parallel ', threads, 'EXPECT for ', threads, 'EXPECT critical ', steps, &
      'EXPECT barrier ', threads, 'EXPECT single ', threads, 'EXPECT single_sblock ', 1, 'EXPECT master ', 1, &
      'EXPECT omp_set_lock ', threads, 'EXPECT implicit_barrier ', 3 * threads
end program
