# sampling_stress.sh -- samples among fork, exec, dlclose, exceptions, longjmp and cancellation, on threads that call MPI.
# no-san
# mpich-long
# timeout 120
set -euo pipefail
. "$TARRY_ROOT/tests/pipeline/sampling_stress.bash"
stress 0

# Cancellation is harmless without samples, too.
tarry measure -q --callpaths off -t -o plain -- mpirun -np 2 ./stress ./plugin.so 100 | cmp - truth
tarry archive verify plain
