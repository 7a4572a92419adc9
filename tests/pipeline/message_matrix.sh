# message_matrix.sh -- the matrix of a halo exchange on a grid of 64 ranks is the one on paper, in both reports.
# mpich-long
# no-san
# timeout 300
set -u
failed=0
rounds=5
"$MPICC" -O1 -Wall -Werror -o halo_2d "$TARRY_ROOT/tests/apps/halo_2d.c" || exit 1
tarry measure -q -s -t -o run -- mpirun -np 64 ./halo_2d $rounds || exit 1
tarry replay -q --strict run || exit 1

# Row by row of the grid: west and east are a ring, the first row has no north and the last no south.
"$PYTHON" - $rounds >paper.csv <<'PAPER'
import sys
rounds, side = int(sys.argv[1]), 8
print("sender,receiver,messages,bytes")
for rank in range(side * side):
    row, column = divmod(rank, side)
    sent = {row * side + (column - 1) % side: 8, row * side + (column + 1) % side: 16}
    if row > 0:
        sent[rank - side] = 24
    if row < side - 1:
        sent[rank + side] = 0
    for receiver, size in sorted(sent.items()):
        print(rank, receiver, rounds, rounds * size, sep=",")
PAPER
for report in summary analysis; do
  tarry cube matrix --csv run/$report.cubex >$report.csv || failed=1
  cmp paper.csv $report.csv || { echo "$report: another matrix"; failed=1; }
done
tarry cube matrix -n 2 run >shown
printf '%s\n' '1200 messages, 14400 bytes, between 240 pairs of processes' >wanted
head -1 shown | cmp - wanted || { cat shown; failed=1; }
grep -q '^\.\.\. and 238 more pairs' shown || { cat shown; failed=1; }

# Reports that sum up or compare have none.
tarry cube diff -o diff.cubex run/summary.cubex run/summary.cubex
tarry cube matrix diff.cubex 2>error && { echo "a difference has a matrix"; failed=1; }
grep -q 'diff.cubex: holds no messages' error || { cat error; failed=1; }
exit $failed
