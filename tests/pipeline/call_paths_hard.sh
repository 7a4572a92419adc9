# call_paths_hard.sh -- stacks that are hard to walk: the program is what it was, and what is missing is counted.
# no-san
set -euo pipefail
fail() { echo "$1"; exit 1; }
"${MPICC%cc}cxx" -O2 -o hard "$TARRY_ROOT/tests/apps/call_paths_hard.cpp" -lpthread
tarry measure -s -t -o run -- mpirun -np 2 ./hard >out 2>err
[ "$(sort -u out)" = "TRUNCATED 3" ] || { cat out err; fail "the program prints something else"; }
grep -q '; 6 of them lack their outermost functions' err || { cat err; fail "stacks cut short are miscounted"; }
tarry archive verify run
tarry replay -q --strict run
tarry cube dump --csv run/summary.cubex | grep ^visits, | sort >summary
tarry cube dump --csv run/analysis.cubex | grep ^visits, | sort >trace
diff summary trace

# has VISITS PATH: in thread 0 of process 0.
has() { grep -qxF "visits,$2,0,0,$1" trace || { cut -c1-200 trace | head -50; fail "not $1 visits of $2"; }; }
has 9 'hard/main/interrupt(int)/handle(int)/leaf()/MPI_Comm_rank'    # twice; once, and left by a jump
has 6 'hard/main/run_coroutine()/leaf()/MPI_Comm_rank'
has 6 'hard/coroutine()/leaf()/MPI_Comm_rank'
has 3 'hard/main/call_made_code()/[unknown code]/leaf()/MPI_Comm_rank'

# Of a deep recursion the first functions are kept.
depth=$(grep -F /MPI_Comm_rank trace | tr -dc '/\n' | wc -L)
[ "$depth" = 67 ] || fail "the deepest path has $depth functions above its call"

# --depth decides how many functions are kept.
tarry measure -q --depth 20 -t -o flat -- mpirun -np 1 ./hard >out
tarry replay -q --strict flat
depth=$(tarry cube dump --csv -m visits flat/analysis.cubex | grep -F /MPI_Comm_rank | tr -dc '/\n' | wc -L)
[ "$depth" = 21 ] || fail "--depth 20: the deepest path has $depth functions above its call"
