# summary_agrees.sh -- one run, recorded both ways: the summary has the values of the analysis, in each metric of both.
# timed
# mpich-long
# no-san
# timeout 300
set -u
failed=0
apps=$TARRY_ROOT/tests/apps

# agree NAME LEAST COMMAND...: LEAST metrics are in both reports; $options: more of `tarry measure`; $mode: of replay.
options='' mode=''
agree() {
  local name=$1 least=$2
  shift 2
  tarry measure -q -s -t $options -o "run-$name" -- "$@" >"$name.out" 2>&1 || echo "$name: status $?"
  tarry replay -q --strict "run-$name" || return 1
  for report in summary analysis; do tarry cube matrix --csv "run-$name/$report.cubex" >"$name-$report.matrix"; done
  [ -z "$mode" ] || tarry replay -q --strict $mode "run-$name" -o "run-$name/analysis.cubex" || return 1
  for report in summary analysis; do tarry cube dump --csv "run-$name/$report.cubex" >"$name-$report.csv"; done
  # Where there was no visit there is no shortest and no longest one.
  grep -E 'e\+[23][0-9][0-9]$' "$name-summary.csv" && failed=1
  cmp "$name-summary.matrix" "$name-analysis.matrix" || failed=1
  echo "$name: $(wc -l <"$name-summary.matrix") lines of the matrix"
  "$PYTHON" "$TARRY_ROOT/tests/pipeline/compare_summary.py" "$name-summary.csv" "$name-analysis.csv" "$least" || failed=1
}

build() { "$@" || { echo "FAILED: $*"; failed=1; }; }

build "$MPICC" -O1 -g -o persistent "$apps/persistent_requests.c"
# In the analysis the time between polls belongs to them, but for --compat (METRICS.md, "Polled").
mode=--compat agree persistent 25 mpirun -np 2 ./persistent 10 100
# Full buffers that are written out while the program runs are overhead in both.
build "$MPICC" -O1 -g -o progress "$apps/progress.c"
options="--memory 1M" agree flushes 20 mpirun -np 2 ./progress 3000
grep -q '^overhead,.*/TRACE BUFFER FLUSH,' flushes-summary.csv || { echo "no flush"; failed=1; }
build "$MPICC" -O1 -g -o windows_and_files "$apps/window_and_file_counts.c"
agree windows_and_files 40 mpirun -np 4 ./windows_and_files
build "$MPICC" -O1 -g -o passive "$apps/one_sided_passive.c"
agree passive 30 mpirun -np 4 ./passive
build "$MPICC" -O1 -g -pthread -o threads "$apps/thread_multiple.c"
agree threads 25 mpirun -np 2 ./threads
build "$MPICC" -O1 -g -pthread -o polled_grequest "$apps/polled_grequest.c"
mode=--compat agree polled_grequest 10 mpirun -np 1 ./polled_grequest 3
# The call that calls back is entered once, and has returned when the program goes on.
grep -E '/MPI_Test/(.*/MPI_Test|pthread_join|MPI_Grequest_start)' polled_grequest-analysis.csv && failed=1
build mpicxx -O3 -g -o blast_wave "$apps/blast_wave.cpp"
agree blast_wave 25 mpirun -np 4 ./blast_wave 100
build "${MPIFORT:-mpifort}" -O1 -g -cpp -o conjugate_gradient "$apps/pause.F90" "$apps/conjugate_gradient.F90"
agree conjugate_gradient 25 mpirun -np 4 ./conjugate_gradient
for program in openmp_constructs openmp_nested; do
  mkdir -p ompt opari2
  OMPI_CC=clang MPICH_CC=clang build "$MPICC" -std=gnu11 -O1 -g -fopenmp -o ompt/$program "$apps/$program.c"
  build tarry instrument --user "$MPICC" -std=gnu11 -O1 -g -fopenmp -o opari2/$program "$apps/$program.c"
  for way in ompt opari2; do agree $way-$program 20 mpirun -np 2 $way/$program; done
done
if [ "$TARRY_TEST_MPI" = openmpi ]; then
  build "$MPICC" -O1 -g -o spawn "$apps/spawn.c"
  agree spawn 30 mpirun -np 2 ./spawn
  if command -v lmp >/dev/null; then OMP_NUM_THREADS=1 agree lammps 30 mpirun -np 4 lmp -in "$apps/in.liquid"; fi
  if /usr/bin/python3 -c 'import mpi4py, numpy' 2>/dev/null; then
    agree mpi4py 30 mpirun -np 2 /usr/bin/python3 "$apps/mpi4py_halo.py" 60
  fi
  "$TARRY_ROOT/tests/real/inputs/hpcc.sh" 256 2
  if command -v hpcc >/dev/null; then mode=--compat agree hpcc 30 mpirun -np 4 hpcc; fi
fi
exit "$failed"
