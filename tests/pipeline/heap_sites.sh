# heap_sites.sh -- leaks by the call path that allocated, and who had the memory at the peak: C, C++ and Fortran, against what
# the programs know and what valgrind finds.
# timeout 300
set -u
failed=0
fail() { echo "FAILED: $*"; failed=1; }
apps=$TARRY_ROOT/tests/apps

# value REPORT METRIC FUNCTION [RANK]: of the call paths that end in the function
value() {
  tarry cube dump --csv "$1" -m "$2" | awk -F, -v name="$3" -v rank="${4:-}" '
    (rank == "" || $3 == rank) { n = split($2, path, "/"); if (path[n] ~ "^(\\(anonymous namespace\\)::|parts::)?" name "(\\(.*)?$") sum += $5 }
    END { printf "%.17g\n", sum }'
}
expect() { [ "$2" = "$3" ] || fail "$1: $2, and not $3"; }
# check_leaks REPORT OUTPUT [RANK]: all that the program tells, and nothing else of its functions.
check_leaks() {
  while read -r function blocks requested set_aside; do
    expect "$1: blocks of $function" "$(value "$1" heap_leaked_blocks "$function" "${3:-}")" "$blocks"
    [ -z "$set_aside" ] || expect "$1: bytes of $function" "$(value "$1" heap_leaked "$function" "${3:-}")" "$set_aside"
  done <"$2"
}
# check_valgrind PROGRAM OUTPUT: valgrind finds as many blocks and bytes in each function of which the program tells.
check_valgrind() {
  valgrind --child-silent-after-fork=yes --leak-check=full --show-leak-kinds=all --leak-resolution=high --num-callers=30 "$1" 2>memcheck >/dev/null </dev/null ||
    return 0  # the processor or the C library may be too new for it
  awk '/ bytes? in .* blocks? (is|are) / { gsub(",", ""); record = 1; bytes = $2; blocks = 0
         for (i = 1; i <= NF; ++i) if ($i ~ /^blocks?$/) blocks = $(i - 1)
         next }
       record && / (at|by) 0x/ { name = $0; sub(/^.*0x[0-9A-F]+: /, "", name); sub(/ \([^()]*\)$/, "", name)
         print bytes, blocks, name }
       /^==[0-9]+== *$/ { record = 0 }' memcheck >found
  while read -r function blocks requested _; do
    told=$(awk -v name="$function" '{ own = $0; sub(/^[0-9]+ [0-9]+ /, "", own) }
      own ~ "^(\\(anonymous namespace\\)::|__parts_MOD_)?" name "(\\(.*)?$" { bytes += $1; blocks += $2 } END { print blocks + 0, bytes + 0 }' found)
    expect "valgrind on $1: $function" "$told" "$blocks $requested"
  done <"$2"
  compared=1
}

all=heap_leaked,heap_leaked_blocks,heap_at_peak,heap_peak
compared=0
tarry instrument cc -w -O1 -pthread -o c "$apps/heap_sites.c" && cc -w -O1 -g -pthread -o c_bare "$apps/heap_sites.c" || exit 1
tarry measure -q -s -o c.run --metrics $all -- ./c >c.out || fail "C: status $?"
check_leaks c.run c.out
for function in allocate_for_others first_block allocate_many allocate_most free_all fork_child main; do
  expect "blocks of $function" "$(value c.run heap_leaked_blocks $function)" 0
done
# The peak is where 40 blocks of 1 MiB are live, with all that was left by then.
at_peak=$(value c.run heap_at_peak allocate_most)
[ "$at_peak" -ge $((40 << 20)) ] && [ "$at_peak" -le $(((40 << 20) + 40 * 8192)) ] || fail "at the peak allocate_most has $at_peak"
expect "leak_here at the peak" "$(value c.run heap_at_peak leak_here)" "$(awk '$1 == "leak_here" { print $4 }' c.out)"
expect "what was freed before the peak" "$(value c.run heap_at_peak allocate_for_others)" 0
tarry report c.run | grep -q 'LEAK: 3002 kB in 300 blocks that leak_here allocated were never freed' || fail "the screen tells no leak"
tarry report c.run | tr -s ' \n' ' ' | grep -q 'at the peak, 4[0-9.]* MB of it from .*allocate_most' || fail "the screen tells no peak"
if command -v valgrind >/dev/null; then
  check_valgrind ./c_bare c.out
  valgrind --tool=massif --massif-out-file=massif ./c_bare >/dev/null 2>&1 &&
    massif=$(awk -F= '$1 == "mem_heap_B" && $2 > most { most = $2 } END { print most }' massif) &&
    recorded=$(tarry cube dump --csv c.run -m heap_at_peak | awk -F, 'NR > 1 { sum += $5 } END { print sum }') &&
    { awk "BEGIN { exit !($recorded > 0.99 * $massif && $recorded < 1.01 * $massif) }" || fail "massif has $massif at the peak, and not $recorded"; }
fi

# Such counters are in summaries. A trace beside it has the others.
tarry measure -q -t -o both --metrics heap -- ./c >both.out || fail "a trace: status $?"
check_leaks both/summary.cubex both.out
tarry replay -q --strict both || fail "the trace is not analysed"
tarry cube dump --csv both/analysis.cubex -m heap_allocated >/dev/null || fail "the analysis lacks the other counters"
! tarry cube dump --csv both/analysis.cubex 2>/dev/null | grep -q '^heap_leaked' || fail "the analysis tells of leaks that it does not know"

tarry instrument c++ -w -O1 -o cpp "$apps/heap_sites.cpp" && c++ -w -O1 -g -o cpp_bare "$apps/heap_sites.cpp" || exit 1
tarry measure -q -s -o cpp.run --metrics $all -- ./cpp >cpp.out || fail "C++: status $?"
check_leaks cpp.run cpp.out
for function in make_texts fill_lasting drop main; do expect "blocks of $function" "$(value cpp.run heap_leaked_blocks $function)" 0; done
command -v valgrind >/dev/null && check_valgrind ./cpp_bare cpp.out

if tarry instrument gfortran -O1 -o fortran "$apps/heap_sites.f90" 2>fortran.err; then
  gfortran -O1 -g -o fortran_bare "$apps/heap_sites.f90"
  tarry measure -q -s -o fortran.run --metrics $all -- ./fortran >fortran.out || fail "Fortran: status $?"
  check_leaks fortran.run fortran.out
  expect "blocks of fill_shared" "$(value fortran.run heap_leaked_blocks fill_shared)" 0
  command -v valgrind >/dev/null && check_valgrind ./fortran_bare fortran.out
fi
[ $compared = 1 ] || echo "nothing was compared with valgrind"

# More blocks than the table holds: they are counted, and the report says so.
tarry measure -q -s -o many --metrics $all -- ./c 12000000 >many.out || fail "many blocks: status $?"
check_leaks many many.out
tarry archive info many | grep -q '^not followed  *[0-9]* blocks of the heap' || fail "info does not tell of the blocks that were not followed"
tarry report many | grep -q 'HEAP: [0-9]* blocks of the heap were not followed' || fail "the screen does not tell of them"
! tarry report c.run | grep -q 'not followed' || fail "blocks were not followed where there is room"

if [ -n "${MPICC:-}" ]; then
  tarry instrument "$MPICC" -DMPI -w -O1 -pthread -o mpi "$apps/heap_sites.c" || exit 1
  tarry measure -q -s -o mpi.run --metrics $all -- mpirun -np 2 ./mpi >mpi.out || fail "MPI: status $?"
  expect "leak_here on rank 0" "$(value mpi.run heap_leaked_blocks leak_here 0)" 300
  expect "leak_here on rank 1" "$(value mpi.run heap_leaked_blocks leak_here 1)" 600
  tarry report mpi.run | tr -s ' \n' ' ' | grep -q 'in 900 blocks that leak_here allocated were never freed, most on rank 1' ||
    fail "the screen does not tell the rank"
fi
exit $failed
