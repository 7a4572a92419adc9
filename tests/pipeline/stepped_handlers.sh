# stepped_handlers.sh -- signals at every instruction of first calls, and of the allocator: their handlers may call
# functions that are new. Nothing hangs, and what is not recorded is counted.
# no-san
# timeout 300
set -u
[ "$(uname -m)" = x86_64 ] || { echo "single-steps x86-64 only"; exit 77; }
failed=0
complain() { echo "$*"; failed=1; }
source="$TARRY_ROOT/tests/apps/stepped_handlers.c"
tarry instrument gcc -std=gnu11 -O1 -g -w -pthread -o serial "$source" &&
  tarry instrument "$MPICC" -std=gnu11 -O2 -g -w -pthread -DUSES_MPI -o parallel "$source" || exit 1
if command -v clang >/dev/null; then tarry instrument clang -O0 -g -w -pthread -o other "$source" || exit 1; fi

# stepped NAME PROGRAM KIND COUNT FIRST STRIDE OPTIONS...: each call of a handler is recorded or counted.
stepped() {
  local name=$1 program=$2 kind=$3 numbers=$4
  timeout --kill-after=5 60 tarry measure -q "${@:5}" -o "$name" -- "./$program" "$kind" $numbers >"$name.out" 2>"$name.err" ||
    complain "$name: status $?: $(head -5 "$name.err")"
  grep -q "^$kind: \([0-9]*\) calls, \1 handled$" "$name.out" || complain "$name: $(cat "$name.out")"
  tarry archive verify "$name" >/dev/null 2>&1 || complain "$name is damaged"
  local calls recorded missed
  calls=$(awk '{ print $2 }' "$name.out")
  recorded=$(tarry archive dump "$name" | grep -c 'ENTER.*"handler_[0-9]*"')
  missed=$(tarry archive info "$name" | sed -n 's/^not recorded *\([0-9]*\) calls of signal.*/\1/p')
  echo "$name: $calls calls of handlers, $recorded recorded, ${missed:-0} counted"
  # Samples in a handler enter it once more.
  [[ " $* " == *" --sample "* && $recorded -ge $calls ]] || [ "$((recorded + ${missed:-0}))" = "$calls" ] || complain "$name: the others are lost"
}

for program in serial other; do
  [ -x $program ] || continue
  stepped $program-functions $program functions "60 10 61" -t
  stepped $program-regions $program regions "60 40 151" -s -t
  stepped $program-memory $program memory "400 5 3" -s -t
done
stepped pthreads serial pthreads "1 200 97" -s -t
stepped mpi parallel mpi "1 10 83" -s -t
stepped mpi-later parallel mpi "1 900 41" -t
stepped sampled serial memory "200 5 7" -s -t --sample 1999
echo 'SCOREP_REGION_NAMES_BEGIN EXCLUDE called_1* SCOREP_REGION_NAMES_END' >filter
stepped filtered serial memory "400 5 3" -s -t -f filter
for allocator in libjemalloc.so.2 libtcmalloc_minimal.so.4; do
  LD_PRELOAD=$allocator ./serial memory 1 5 3 2>&1 | grep -q "cannot be preloaded" && continue
  LD_PRELOAD=$allocator stepped $allocator serial memory "400 5 3" -s -t
done
exit $failed
