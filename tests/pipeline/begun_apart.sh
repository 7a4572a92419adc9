# begun_apart.sh -- processes that have begun to record before MPI_Init, each on its own, do not make the others wait.
# no-san
# mpich-long
set -eu
tarry instrument "$MPICC" -std=gnu11 -O0 -Wall -Werror -o begun_apart "$TARRY_ROOT/tests/apps/begun_apart.c"
for hiding in 0 1 "0 1"; do
  run="run.$(echo $hiding | tr ' ' -)"
  # shellcheck disable=SC2086  # one rank or two
  mpirun -np 2 ./begun_apart $hiding >bare.out
  # shellcheck disable=SC2086
  timeout 60 tarry measure -q -t -o $run -- mpirun -np 2 ./begun_apart $hiding >out 2>err ||
    { echo "hidden in $hiding: status $?"; cat err; exit 1; }
  diff bare.out out
  grep -q 'an unknown launcher has started several processes' err || { cat err; echo "$hiding: not a word"; exit 1; }
done
tarry measure -q -t -o run -- mpirun -np 2 ./begun_apart >out
tarry archive dump run >events
[ "$(grep -c 'ENTER.*"MPI_Allreduce"' events)" = 2 ] || { echo "not recorded where nobody hides"; exit 1; }
[ "$(grep -c 'ENTER.*"work"' events)" = 2 ] || { echo "what comes before MPI_Init is not recorded"; exit 1; }
