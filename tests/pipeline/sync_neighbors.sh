# sync_neighbors.sh -- exchanges among neighbours and with a count for each pair are clock conditions, too.
# timeout 120
set -u
"$MPICC" -std=gnu11 -O1 -Wall -Werror -o topologies "$TARRY_ROOT/tests/apps/topologies.c" || exit 1
tarry measure -q -t -o run -- mpirun -np 6 ./topologies || exit 1

# Nodes whose clocks lie seconds apart: every condition in one direction is violated, 28 of them in making communicators.
"$TARRY_BUILD/tests/sync/distort_trace" run bad 3 10 || exit 1
found=$(tarry sync bad --check | sed 's/.* collective, \([0-9]*\) other collective.*/\1/')
[ "$found" -gt 28 ] || { echo "FAILED: $found other collective violations"; exit 1; }
tarry sync -q bad >said && tarry sync bad --check >left && grep -q '^0 ' left || { cat said left; exit 1; }
