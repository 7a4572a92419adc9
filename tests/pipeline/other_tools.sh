# other_tools.sh -- another PMPI tool and the recorder see each call of the program once, wherever the tool is.
#
# Linked into the program, a shared library of it, preloaded in front of the recorder or behind it, given to the ranks
# alone: the tool prints what it prints bare, and the records are those of the program without the tool. In C and in
# Fortran; with call paths, in a summary and in a trace.
# no-san
# mpich-long
# timeout 240
set -u
failed=0
complain() { echo "$1: $2"; cat "$1.err" "$1.out" 2>/dev/null; failed=1; }
apps=$TARRY_ROOT/tests/apps
fort=${MPIFORT:-mpifort}
"$MPICC" -std=gnu11 -O2 -g -Wall -Werror -fPIC -shared -o libtool.so "$apps/other_tool.c" &&
  "$MPICC" -std=gnu11 -O2 -g -Wall -Werror -fPIC -shared -DFORTRAN -o libftool.so "$apps/other_tool.c" &&
  "$MPICC" -std=gnu11 -O2 -g -Wall -Werror -o plain "$apps/counted_calls.c" &&
  "$MPICC" -std=gnu11 -O2 -g -Wall -Werror -o linked "$apps/counted_calls.c" "$apps/other_tool.c" &&
  "$MPICC" -std=gnu11 -O0 -Wall -Werror -fno-plt -Wl,-z,now -o linked_now "$apps/counted_calls.c" "$apps/other_tool.c" &&
  "$MPICC" -std=gnu11 -O2 -o shared "$apps/counted_calls.c" -L. -ltool -Wl,-rpath,"$PWD" &&
  "$fort" -O1 -o fortran "$apps/counted_calls.F90" &&
  "$MPICC" -std=gnu11 -O2 -DFORTRAN -c -o ftool.o "$apps/other_tool.c" &&
  "$fort" -O1 -o fortran_linked "$apps/counted_calls.F90" ftool.o &&
  "$fort" -O1 -o fortran_shared "$apps/counted_calls.F90" -L. -lftool -Wl,-rpath,"$PWD" || exit 1

# visits REPORT: "function visits" of all processes together, without the paths to it. A tool's function of that name,
# in which MPI's is called, does not count.
visits() {
  tarry cube dump --csv -m visits "$1" | awk -F, '
    $1 == "visits" { visits[$2] += $NF; for (outer = $2; sub("/[^/]*$", "", outer);) has_inner[outer] = 1 }
    END {
      for (path in visits) {
        n = split(path, part, "/")
        if (part[n] ~ /^MPI_/ && !(path in has_inner)) sum[part[n]] += visits[path]
      }
      for (name in sum) print name, sum[name]
    }' | sort
}

tarry measure -s -o reference -- mpirun -np 2 ./plain >reference.out 2>reference.err || complain reference "status $?"
visits reference/summary.cubex >expected
grep -qx 'MPI_Send 14' expected && grep -qx 'MPI_Comm_size 4' expected || { cat expected; exit 1; }

# both NAME OPTIONS COMMAND...: alike, with the tool's line; the records are those without the tool. `before`: a library
# that is preloaded when `tarry measure` starts.
before=
both() {
  local name=$1 options=$2 report=summary
  shift 2
  LD_PRELOAD=$before "$@" >"$name.bare" 2>"$name.said" || complain "$name" "fails bare"
  grep -q '^tool: ' "$name.bare" || complain "$name" "no line of the tool bare: $(cat "$name.bare")"
  # shellcheck disable=SC2086  # several options
  LD_PRELOAD=$before tarry measure $options -o "run-$name" -- "$@" >"$name.out" 2>"$name.err" || complain "$name" "status $?"
  cmp "$name.bare" "$name.out" || complain "$name" "other output: $(cat "$name.out")"
  grep -v '^tarry' "$name.err" | cmp - "$name.said" || complain "$name" "other errors"
  case $options in *-t*) tarry replay -q --strict "run-$name" || complain "$name" "replay"; report=analysis ;; esac
  visits "run-$name/$report.cubex" | diff expected - || complain "$name" "other records"
}
both linked -s mpirun -np 2 ./linked
both linked_traced "-t" mpirun -np 2 ./linked
both linked_flat "-s -t --callpaths off" mpirun -np 2 ./linked
both linked_now "-s -t" mpirun -np 2 ./linked_now
both shared "-s -t" mpirun -np 2 ./shared
before=$PWD/libtool.so both preloaded "-s -t" mpirun -np 2 ./plain
both in_script "-s" sh -c "export LD_PRELOAD=$PWD/libtool.so; mpirun -np 2 ./plain"
both by_env "-s" mpirun -np 2 env LD_PRELOAD="$PWD/libtool.so" ./plain
if [ "$TARRY_TEST_MPI" = mpich ]; then
  both for_ranks "-s -t" mpirun -np 2 -genv LD_PRELOAD "$PWD/libtool.so" ./plain
else
  both for_ranks "-s -t" mpirun -np 2 -x LD_PRELOAD="$PWD/libtool.so" ./plain
fi
both fortran_linked "-s -t" mpirun -np 2 ./fortran_linked
both fortran_shared "-s -t" mpirun -np 2 ./fortran_shared
before=$PWD/libftool.so both fortran_preloaded "-s -t" mpirun -np 2 ./fortran

# What the tool hides cannot be told from the program: one line, and all runs as bare.
"$MPICC" -std=gnu11 -O2 -c -o tool.o "$apps/other_tool.c" && ar rc libother.a tool.o &&
  "$MPICC" -std=gnu11 -O2 -o hidden "$apps/counted_calls.c" -Wl,--exclude-libs,ALL libother.a || exit 1
mpirun -np 2 ./hidden >hidden.bare && tarry measure -s -o run-hidden -- mpirun -np 2 ./hidden >hidden.out 2>hidden.err ||
  complain hidden "status $?"
cmp hidden.bare hidden.out || complain hidden "other output"
grep -q '^tarry: hidden calls PMPI_Init itself: ' hidden.err || complain hidden "not said"
for quiet in linked shared preloaded fortran_linked; do
  grep '^tarry: ' $quiet.err && complain $quiet "has no reason for that line"
done

# In front of the recorder: by hand only.
LD_PRELOAD=$PWD/libtool.so:$TARRY_BUILD/lib/libtarry-mpi.so TARRY_SUMMARY=1 TARRY_ARCHIVE=$PWD/in_front \
  mpirun -np 2 ./plain >in_front.out 2>in_front.err || complain in_front "status $?"
cmp in_front.out linked.bare || complain in_front "other output"
tarry unify -q in_front && visits in_front/summary.cubex | diff expected - || complain in_front "other records"

# Two tools: the first one is called, the second one where the first is none.
"$MPICC" -std=gnu11 -O2 -fPIC -shared -o libsecond.so -xc - <<'END' || exit 1
#include <mpi.h>
#include <stdio.h>
static int reductions;
int MPI_Reduce(const void* a, void* b, int n, MPI_Datatype t, MPI_Op o, int r, MPI_Comm c) {
  if (++reductions == 1) fprintf(stderr, "second: reduces\n");
  return PMPI_Reduce(a, b, n, t, o, r, c);
}
int MPI_Barrier(MPI_Comm c) { (void)c; fprintf(stderr, "second: is not reached\n"); return PMPI_Abort(MPI_COMM_WORLD, 9); }
END
before=$PWD/libtool.so:$PWD/libsecond.so both two_tools "-s" mpirun -np 2 ./plain
[ "$(grep -c '^second: reduces' two_tools.err)" = 2 ] || complain two_tools "the second one is not called"

# What calls itself MPI but is none (a serial stub): the program gets its own functions.
printf 'int MPI_Init(int* a, char*** b) { (void)a, (void)b; return 0; }\nint MPI_Comm_size(int c, int* n) { *n = 5 + 0 * c; return 0; }\n' >seq.c
printf 'int MPI_Init(int*, char***); int MPI_Comm_size(int, int*);
int main(int c, char** v) { int n = 0; MPI_Init(&c, &v); MPI_Comm_size(0, &n); return n; }\n' >serial.c
gcc -shared -fPIC -o libseq.so seq.c && gcc -o serial serial.c -L. -lseq -Wl,-rpath,"$PWD" || exit 1
tarry measure -t -o serial_run -- ./serial >serial.out 2>serial.err
[ $? = 5 ] || complain serial "not status 5"
exit $failed
