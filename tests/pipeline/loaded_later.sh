# loaded_later.sh -- MPI in libraries that a program opens while it runs, with RTLD_LOCAL, is recorded like any other.
# no-san
# mpich-long
# timeout 240
set -euo pipefail
apps=$TARRY_ROOT/tests/apps
"$MPICC" -std=gnu11 -O1 -Wall -Werror -DALONE -o alone "$apps/mpi_plugin.c"
"$MPICC" -std=gnu11 -O1 -Wall -Werror -shared -fPIC -o plugin.so "$apps/mpi_plugin.c"
"${CC:-cc}" -std=gnu11 -O1 -Wall -Werror -o load "$apps/load_mpi_plugin.c" -ldl -lpthread

fail() { echo "$1"; exit 1; }

# What the events on stdin call, and how often. What the program asks before MPI_Init is not recorded yet.
calls() { awk '$4 == "ENTER" && /"MPI_/ { print $1, $5 }' | sed 's/region=[0-9]*://' | sort | uniq -c; }

# measure ARCHIVE COMMAND...: with two processes; complaints of the recorder remain in ARCHIVE.err
measure() {
  local archive=$1
  shift
  "$@" >"$archive.out" 2>"$archive.err" || { cat "$archive.out" "$archive.err"; fail "'$*' fails"; }
  sort "$archive.out" | diff - expected_output || fail "'$*' prints something else"
  tarry archive verify "$archive" >/dev/null
  tarry replay -q --strict "$archive" 2>>"$archive.err"
  tarry archive dump "$archive" >"$archive.events"
}

mpirun -np 2 ./alone | sort >expected_output
measure alone.run tarry measure -q -t -o alone.run -- mpirun -np 2 ./alone
calls <alone.run.events >expected_calls
grep -q '50 1 "MPI_Sendrecv"' expected_calls || fail "the program itself is not recorded"

for way in once threads ask-and-reload; do
  mpirun -np 2 ./load ./plugin.so $way | sort | diff - expected_output || fail "$way: does not work without us"
  measure $way.run tarry measure -q -t -o $way.run -- mpirun -np 2 ./load ./plugin.so $way
  calls <$way.run.events | diff expected_calls - || fail "$way: not the calls of the program that links MPI"
  [ ! -s $way.run.err ] || { cat $way.run.err; fail "$way: somebody complains"; }
done
measure at_once.run env LD_BIND_NOW=1 tarry measure -q -t -o at_once.run -- mpirun -np 2 ./load ./plugin.so once
calls <at_once.run.events | diff expected_calls - || fail "LD_BIND_NOW: not the same calls"

# An instrumented program that loads MPI later, and its plug-in, which is instrumented, too, and needs no such program.
tarry instrument "${CC:-cc}" -std=gnu11 -O1 -o load_functions "$apps/load_mpi_plugin.c" -ldl -lpthread
tarry instrument "$MPICC" -std=gnu11 -O1 -shared -fPIC -o functions.so "$apps/mpi_plugin.c"
mpirun -np 2 ./load ./functions.so once | sort | diff - expected_output || fail "an instrumented plug-in cannot be opened"
mkdir carried.run
TARRY_TRACE=1 TARRY_ARCHIVE=$PWD/carried.run mpirun -np 2 ./load ./functions.so once | sort | diff - expected_output
tarry archive dump carried.run >carried.events
grep -c 'MPI_Sendrecv' carried.events | grep -x 100 >found || fail "an instrumented plug-in is not recorded"
mpirun -np 2 ./alone | sort >expected_output
for plugin in plugin.so functions.so; do
  mpirun -np 2 ./load_functions ./$plugin once 2>bare.err | sort | diff - expected_output ||
    fail "$plugin: not without measuring"
  [ ! -s bare.err ] && [ -z "$(ls -d tarry-* 2>/dev/null)" ] ||
    { cat bare.err; fail "$plugin: measured, and nobody asked"; }
  measure functions.$plugin tarry measure -q -t -o functions.$plugin -- mpirun -np 2 ./load_functions ./$plugin once
  grep -c 'MPI_Sendrecv' functions.$plugin.events | grep -x 100 >found || fail "$plugin: not recorded"
  grep -q 'ENTER.*"open_plugin"' functions.$plugin.events || fail "$plugin: what comes before MPI is not recorded"
done

# Fortran.
for binding in "" -DF08; do
  "${MPIFORT:-mpifort}" -O1 -shared -fPIC $binding -o fortran.so "$apps/mpi_plugin.F90"
  : >expected_output
  measure "fortran$binding.run" tarry measure -q -t -o "fortran$binding.run" -- mpirun -np 2 ./load ./fortran.so once
  calls <"fortran$binding.run.events" >found
  grep -q '1 1 "MPI_Allreduce"' found || fail "Fortran $binding: not recorded"
done

# Functions that the program asks the library for.
flags="-std=gnu11 -O1 -Wall"
"${CC:-cc}" $flags -shared -fPIC -DSECOND -o libsecond.so "$apps/mpi_by_name.c"
"${CC:-cc}" $flags -shared -fPIC -DFIRST -o libfirst.so "$apps/mpi_by_name.c"
"${CC:-cc}" $flags -o by_name "$apps/mpi_by_name.c" -L. -Wl,--no-as-needed -lfirst -lsecond -ldl -Wl,-rpath,"$PWD"
library=$(ldd alone | awk '$1 ~ /^libmpi(ch)?\.so/ { print $3 }')
mpirun -np 2 ./by_name "$library" | sort >expected_output
measure by_name.run tarry measure -q -t -o by_name.run -- mpirun -np 2 ./by_name "$library"
calls <by_name.run.events >found
grep -q '1 1 "MPI_Barrier"' found || fail "functions asked for by name are not recorded"

# Functions that the library may not have, and programs without MPI that ask whether it is there: the functions of the
# recorder are no MPI. Who calls them all the same is told.
"$MPICC" $flags -o has_mpi "$apps/has_functions.c" -Wl,--no-as-needed $("$MPICC" -show | grep -o -e ' -lmpi[^ ]*') -ldl
"${CC:-cc}" $flags -o has_none "$apps/has_functions.c" -ldl
for program in has_mpi has_none; do
  ./$program >expected_output
  tarry measure -q -t -o $program.run -- ./$program >$program.out 2>$program.err || { cat $program.err; fail $program; }
  diff $program.out expected_output || fail "$program: finds other functions"
done
grep -q '^linked: 0 0; table: 0 0; MPI_Barrier: no no no' has_none.out || fail "there is MPI in a program without"
grep -q '^linked: 1 .; table: 1 .; MPI_Barrier: yes yes yes' has_mpi.out || fail "there is no MPI in a program with it"
echo 'int MPI_Comm_size(void) { return 0; }' | "${CC:-cc}" -shared -fPIC -x c -o libsizes.so -
echo 'int MPI_Comm_size(); int main(void) { int size; return MPI_Comm_size(0, &size) == 0; }' | "${CC:-cc}" -fPIC -x c \
  -o calls_none - -Wl,-z,lazy -L. -lsizes -Wl,-rpath,"$PWD"
"${CC:-cc}" -shared -fPIC -x c -o libsizes.so /dev/null
tarry measure -q -t -o calls_none.run -- ./calls_none 2>calls.err || fail "a program without MPI gets a wrong answer: $?"
grep -q 'MPI_Comm_size was called, but no MPI library is loaded' calls.err || { cat calls.err; fail "nobody says that"; }

# Another MPI than Open MPI; loaded twice, and two of them in one process. It is not recorded, but works and is named.
for name in A B; do
  [ $name = A ] && hash=gnu || hash=sysv
  "${CC:-cc}" -std=gnu11 -O1 -Wall -Werror -shared -fPIC -Wl,--hash-style=$hash -DNAME="\"Toy $name\"" \
    -o libtoy$name.so "$apps/toy_mpi.c"
  "${CC:-cc}" -std=gnu11 -O1 -Wall -Werror -shared -fPIC -o toy$name.so "$apps/toy_mpi_plugin.c" -L. -ltoy$name \
    -Wl,-rpath,"$PWD"
done
./load ./toyA.so run-twice >expected_output
[ "$(sort expected_output | uniq -c | awk '{ print $1 }' | sort -u)" = 2 ] || fail "the toy library does not work"
tarry measure -q -t -o toy.run -- ./load ./toyA.so run-twice >toy.out 2>toy.err ||
  { cat toy.err; fail "a reloaded MPI library"; }
diff toy.out expected_output
grep -q "'Toy A' is not an MPI library that tarry knows" toy.err || { cat toy.err; fail "it is not named"; }
./load ./toyA.so ./toyB.so >expected_output
tarry measure -q -t -o toys.run -- ./load ./toyA.so ./toyB.so >toy.out 2>toy.err ||
  { cat toy.err; fail "two MPI libraries"; }
diff toy.out expected_output
