# sampling_timers.sh -- a program's own timers, signals and masks, and its system calls, are the same with samples.
# no-san
# timeout 60
set -uo pipefail
"$MPICC" -O2 -Wall -Wextra -Werror -o own_timers "$TARRY_ROOT/tests/apps/own_timers.c" -lrt -lpthread || exit 1
./own_timers 200 >truth
[ $? -eq 4 ] && grep -q '^interrupted calls: 0$' truth && ! grep -q 'MISSED\|LOST' truth || { cat truth; exit 1; }
for options in "--sample 97" "--sample 1999" "--sample 1999 --sample-inside"; do
  # shellcheck disable=SC2086
  tarry measure $options -s -t -o "run$RANDOM" -- ./own_timers 200 >out 2>said
  [ $? -eq 4 ] || { echo "another status"; exit 1; }
  diff truth out || exit 1
  grep -Eq '[1-9][0-9]* samples cost' said || { cat said; exit 1; }
done
