# started_by.sh -- wrappers, shells and containers between us and the program: recorded, or said why not.
# no-san
# mpich-long
# timeout 120
set -u
. "$TARRY_ROOT/tests/pipeline/several_programs.bash"
failed=0
complain() { echo "$1: $2"; cat "$1.err" 2>/dev/null; failed=1; }
"$MPICC" -std=gnu11 -O1 -Wall -Werror -DROUNDS=5 -o end "$TARRY_ROOT/tests/apps/end.c" || exit 1
cp end other

# recorded NAME RANKS COMMAND...
recorded() {
  local name=$1 ranks=$2
  shift 2
  tarry measure -t -o "$name" -- "$@" >"$name.out" 2>"$name.err" || complain "$name" "status $?"
  grep -q "<run .*ranks=\"$ranks\".*complete=\"yes\"" "$name/manifest.xml" || complain "$name" "not complete"
  [ "$(tarry archive dump "$name" | grep -c ' ENTER .*"MPI_Barrier"')" = $((5 * ranks)) ] || complain "$name" "not its rounds"
}
# named ARCHIVE PROGRAM: what the manifest calls it.
named() { grep -q "<run program=\"$2\"" "$1/manifest.xml" || complain "$1" "not named after $2"; }

recorded nice 2 nice mpirun -np 2 ./end return 0
recorded timeout 2 timeout 60 mpirun -np 2 ./end return 0
recorded ranks_timeout 2 mpirun -np 2 timeout 60 ./end return 0
recorded taskset 2 mpirun -np 2 taskset 1 ./end return 0
recorded text 2 bash -c 'cd . && mpirun -np 2 ./end return 0'
recorded replaced 2 mpirun -np 2 sh -c 'exec ./end return 0'
recorded variables 2 mpirun -np 2 env OTHER=1 ./end return 0
named variables end
if command -v numactl >/dev/null && numactl --show >/dev/null 2>&1; then
  recorded numactl 2 mpirun -np 2 numactl --localalloc ./end return 0
fi
if [ -n "$has_several" ]; then
  recorded several 2 mpirun -np 1 ./other return 0 : -np 1 ./end return 0
  named several other
fi

# Containers: process numbers, users, mounts of their own.
if unshare -mpf --mount-proc true 2>/dev/null; then
  recorded processes 2 unshare -mpf --mount-proc mpirun -np 2 ./end return 0
  recorded shared_memory 2 unshare --mount sh -c 'mount -t tmpfs none /dev/shm && exec mpirun -np 2 ./end return 0'
  here=$PWD
  # shellcheck disable=SC2016  # expanded within
  hidden='mount -t tmpfs none "$0" && cd / && exec "$@"'
  cp -r end "$here/../$$.end" || exit 1
  trap 'rm -rf "$here/../$$.end"' EXIT
  tarry measure -t -o hidden -- unshare --mount sh -c "$hidden" "$here" "$here/../$$.end" return 0 >hidden.out 2>hidden.err ||
    complain hidden "status $?"
  grep -q "^tarry: $here/hidden: is not there for .*[(]in a container?" hidden.err || complain hidden "not said"
  tarry archive info hidden | grep -q '^missing *nothing was recorded' || complain hidden "is not marked as empty"
fi
if unshare -rmpf --mount-proc true 2>/dev/null; then
  recorded user 2 unshare -rmpf --mount-proc mpirun -np 2 ./end return 0
fi
[ $failed = 0 ] || exit 1
skip_without_several
