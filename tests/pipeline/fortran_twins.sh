# fortran_twins.sh -- programs in Fortran have the wait states of their twins in C, in each of the three interfaces.
# timed
# no-san
# timeout 240
# mpich-long
set -u
failed=0
apps=$TARRY_ROOT/tests/apps

# twins NAME METRIC[,METRIC...]
twins() {
  local name=$1 metrics=$2
  echo "== $name"
  "$MPICC" -std=gnu11 -O1 -Wall -Werror -o "c_$name" "$apps/$name.c" &&
    "${MPIFORT:-mpifort}" -O1 -Wall -o "fortran_$name" "$apps/pause.F90" "$apps/$name.F90" || { failed=1; return; }
  for attempt in 1 2 3 4 5; do
    for language in c fortran; do
      run=$language-$name-$attempt
      tarry measure -q -t -o "$run" -- mpirun -np 4 "./${language}_$name" && tarry replay -q "$run" &&
        tarry cube dump --csv "$run/analysis.cubex" >"$run.csv" || { failed=1; return; }
    done
    "$PYTHON" "$TARRY_ROOT/tests/pipeline/compare_twins.py" "$metrics" c-"$name"-?.csv --with fortran-"$name"-?.csv >"$name.txt" &&
      { cat "$name.txt"; return; }
  done
  cat "$name.txt"
  failed=1
}

twins wavefront mpi_latesender
twins conjugate_gradient mpi_latesender,mpi_wait_nxn
twins transpose mpi_wait_nxn,mpi_latebroadcast,mpi_earlyreduce,mpi_barrier_wait
exit $failed
