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
# A long thread behind many short ones has as many samples as one that is alone.
printf '#include <pthread.h>\n#include <stdlib.h>\n#include <time.h>\nstatic volatile unsigned long sum;
static void* work(void* seconds) { struct timespec t; do { for (int i = 0; i < 10000; ++i) sum += i; clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t); } while (t.tv_sec + t.tv_nsec * 1e-9 < *(double*)seconds); return NULL; }
static void run(double seconds) { pthread_t thread; pthread_create(&thread, NULL, work, &seconds); pthread_join(thread, NULL); }
int main(int argc, char** argv) { for (int i = atoi(argv[1]); i > 0; --i) run(0); run(0.4); return 0; }
' >late.c
gcc -O1 -o late late.c -lpthread || exit 1
samples() { tarry measure -s --sample 1999 -o "late$1" -- ./late "$1" 2>&1 | sed -n 's/.* \([0-9]*\) samples cost.*/\1/p'; }
alone=$(samples 0)
behind=$(samples 100)
[ "$alone" -gt 20 ] && [ $((behind * 10)) -gt $((alone * 7)) ] || { echo "$behind samples behind short threads, $alone alone"; exit 1; }
