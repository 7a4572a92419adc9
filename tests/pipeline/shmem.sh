# shmem.sh -- OpenSHMEM: waits on 2, 4 and 8 processes beside what the program has noted, and beside the same in MPI;
# what causes them; summaries; OTF2; Fortran.
# serial
set -u
failed=0
fail() { echo "FAILED: $1"; failed=1; }
. "$TARRY_ROOT/tests/pipeline/checked_screen.bash"
apps=$TARRY_ROOT/tests/apps
export OMPI_MCA_btl=^openib  # whose end kills processes of OpenSHMEM

command -v oshcc >/dev/null || { echo "skip: no OpenSHMEM (oshcc)"; exit 77; }
oshcc -O1 -g -o waits "$apps/shmem_waits.c" || exit 1
timeout 60 oshrun -np 2 ./waits >bare.out 2>bare.err || { echo "skip: OpenSHMEM does not run here"; exit 77; }
mpicc -O1 -g -DUSE_MPI -o mpi_waits "$apps/shmem_waits.c" || exit 1

# seconds REPORT METRIC PATH: of all processes.
seconds() { tarry cube dump --csv "$1" -m "$2" | awk -F, -v end="$3\$" '$2 ~ end {sum += $5} END {print sum + 0}'; }
# near WHAT FOUND EXPECTED: within 10 %.
near() {
  awk -v found="$2" -v wanted="$3" 'BEGIN {exit !(found > 0.9 * wanted && found < 1.1 * wanted)}' || fail "$1: $2 s, and not $3 s"
}
# expect RUN KIND METRIC PATH: what the program says, in RUN.out.
expect() {
  near "$1, $2" "$(seconds "$1/analysis.cubex" "$3" "$4")" "$(sed -n "s/^$2 //p" "$1.out")"
}
# measured RUN PROGRAM...: with the words that it prints without us.
measured() {
  timeout 100 tarry measure -q -t -s -o "$1" -- "${@:2}" >"$1.out" || fail "$1: status $?"
  tarry replay -q --strict "$1" || fail "$1 is not analysed"
}

for size in 2 4 8; do
  measured run$size oshrun -np $size ./waits
  cmp -s <(sed 's/ .*//' bare.out) <(sed 's/ .*//' run$size.out) || fail "$size processes print something else"
  expect run$size barrier shmem_barrier_wait '/at_barrier/(barrier/)?shmem_barrier_all'
  expect run$size reduction shmem_wait_nxn '/at_reduction.*/shmem_long_sum_to_all'
  expect run$size broadcast shmem_late_broadcast '/at_broadcast.*/shmem_broadcast64'
  expect run$size notice shmem_late_notifier '/for_notice.*/shmem_long_wait_until'
  expect run$size lock shmem_lock_contention '/for_lock.*/shmem_set_lock'
  [ $size = 2 ] || expect run$size set shmem_barrier_wait '/in_set.*/shmem_barrier'
  expect run$size allocation shmem_memory_wait '/at_allocation.*/shmem_malloc'
  check_screen run$size run$size/analysis.cubex || fail "the first screen of $size processes is not so"

  # What process 0 did meanwhile is the cause.
  near "the delay before a broadcast" "$(seconds run$size/analysis.cubex delay_12n '/at_broadcast.*')" \
    "$(sed -n 's/^broadcast //p' run$size.out)"

  measured mpi$size mpirun -np $size ./mpi_waits
  expect mpi$size barrier mpi_barrier_wait '/at_barrier/(barrier/)?MPI_Barrier'
  expect mpi$size reduction mpi_wait_nxn '/at_reduction.*/MPI_Allreduce'
  expect mpi$size broadcast mpi_latebroadcast '/at_broadcast.*/MPI_Bcast'
  expect mpi$size notice mpi_latesender '/for_notice.*/MPI_Recv'
done

# The summary has the same time and the same bytes as the trace.
for metric in shmem_rma shmem_sync_lock bytes_put; do
  near "$metric of the summary" "$(seconds run4/summary.cubex $metric '')" "$(seconds run4/analysis.cubex $metric '')"
done

# There and back as OTF2 nothing changes. Without places the notice is the last access before the wait's end.
tarry merge -q --strict run4 -o otf2 --to otf2 && tarry merge -q --strict --from otf2 otf2/traces.otf2 -o back &&
  tarry replay -q --strict back || fail "OTF2 is not analysed"
for metric in shmem_barrier_wait shmem_late_notifier shmem_lock_contention shmem_late_broadcast; do
  near "$metric behind OTF2" "$(seconds back/analysis.cubex $metric '')" "$(seconds run4/analysis.cubex $metric '')"
done
otf2-print --show-global-defs otf2/traces.otf2 2>/dev/null | grep -q 'PARADIGM.*SHMEM' || fail "OTF2 does not name the paradigm"

if gfortran -O1 -g -c "$apps/shmem_waits.f90" 2>fortran.err && oshcc -o fortran shmem_waits.o -lgfortran; then
  measured fortran.run oshrun -np 2 ./fortran
  near "Fortran for a notice" "$(seconds fortran.run/analysis.cubex shmem_late_notifier '')" \
    "$(sed -n 's/^ *notice *//p' fortran.run.out)"
fi
exit $failed
