# backtraces_200.sh -- as backtraces.sh, at 200 calls of each of six programs, some of which nobody here wrote.
# long
# no-san
# timeout 600
set -euo pipefail
. "$TARRY_ROOT/tests/pipeline/backtraces.bash"
build_own
same_backtraces blast_wave 200 4 4 ./blast_wave 100
same_backtraces heat_modules 200 2 4 ./heat_modules
same_backtraces openmp_calls 200 4 4 ./openmp_calls 40
python=/usr/bin/python3
if "$python" -c 'import mpi4py, numpy' 2>/dev/null; then
  same_backtraces mpi4py 200 4 4 "$python" "$TARRY_ROOT/tests/apps/mpi4py_halo.py" 60
fi
# The input of hpcc.sh.
"$TARRY_ROOT/tests/real/inputs/hpcc.sh" 256 2
if command -v lmp >/dev/null; then same_backtraces lammps 200 30 4 lmp -in "$TARRY_ROOT/tests/apps/in.liquid"; fi
if command -v hpcc >/dev/null; then same_backtraces hpcc 200 50 4 hpcc; fi
