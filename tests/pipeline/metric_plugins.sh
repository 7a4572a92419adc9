# metric_plugins.sh -- counters of shared libraries: strictly synchronous and sampled ones, per thread and process, the two
# of Tarry, and plug-ins that do everything wrong.
# no-san
set -u
failed=0
fail() { echo "FAILED: $1"; failed=1; }
apps=$TARRY_ROOT/tests/apps
plugin() { # NAME PLACE PERIOD
  gcc -shared -fPIC -Wall -Werror -DPLACE=TARRY_PLUGIN_PER_$2 -DPERIOD_US=$3 -I"$TARRY_ROOT/lib/measure/user" \
    "$apps/counting_plugin.c" -o $1.so || exit 1
}
plugin thread THREAD 0
plugin process PROCESS 0
plugin sampled THREAD 10000
cat >app.c <<'C'
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <tarry/user.h>
#include <time.h>
static void* run(void* unused) {
  for (int i = 0; i < 100; ++i) {
    const struct timespec time = {0, 1000000};
    TARRY_REGION_BEGIN("step");
    errno = 5;
    TARRY_REGION_BEGIN("inner");
    if (errno != 5) puts("errno is another one");
    TARRY_REGION_END("inner");
    nanosleep(&time, 0);
    TARRY_REGION_END("step");
  }
  return unused;
}
int main(void) {
  pthread_t other;
  pthread_create(&other, 0, run, 0);
  run(0);
  pthread_join(other, 0);
  puts("done");
  return 6;
}
C
tarry instrument --user gcc -O1 app.c -o app -pthread || exit 1
sum() { tarry cube dump --csv "$1" -m "$2" 2>/dev/null | awk -F, -v path="$3" -v thread="${4:-}" \
  'NR > 1 && $2 ~ path && (thread == "" || $4 == thread) {sum += $NF} END {print sum + 0}'; }
highest() { tarry cube dump --csv "$1" -m "$2" | awk -F, 'NR > 1 && $NF > most {most = $NF} END {print most + 0}'; }
measure() { # NAME PLUGIN
  tarry measure -q -s -t --metric-plugin "$2" -o $1 -- ./app >$1.out 2>$1.err
  [ $? = 6 ] || fail "$1: another status"
  [ "$(cat $1.out)" = done ] || fail "$1: another output: $(cat $1.out)"
  tarry archive verify $1 >/dev/null || fail "$1: not intact"
}

# Each enter and leave reads once: 400 of each thread, and those at its ends.
measure thread ./thread.so
for thread in 0 1; do
  [ "$(sum thread/summary.cubex reads '/inner' $thread)" = 100 ] ||
    fail "thread $thread: $(sum thread/summary.cubex reads '/inner' $thread) reads in inner"
done
[ "$(highest thread/summary.cubex ladder)" = 42 ] || fail "the highest level: $(highest thread/summary.cubex ladder)"
tarry replay -q --strict thread || fail "not analysed"
[ "$(sum thread/analysis.cubex reads '/inner')" = 200 ] || fail "analysis: $(sum thread/analysis.cubex reads '/inner') reads"
tarry merge -q thread -o otf2 --to otf2 && tarry merge -q --from otf2 otf2/traces.otf2 -o back
tarry replay -q --strict back || fail "OTF2 is not analysed"
[ "$(sum back/analysis.cubex reads '/inner')" = 200 ] || fail "OTF2: $(sum back/analysis.cubex reads '/inner') reads"
tarry archive info thread | grep -q 'ladder \[rungs\]' || fail "the unit is not there"

# Of a process: in its first thread. Sampled: not at each enter.
measure process ./process.so
[ "$(sum process/summary.cubex reads . 1)" = 0 ] || fail "thread 1 counts for the process, too"
[ "$(sum process/summary.cubex reads '/inner' 0)" = 100 ] || fail "process: $(sum process/summary.cubex reads '/inner' 0)"
measure sampled ./sampled.so
reads=$(sum sampled/summary.cubex reads . 0)
[ "$reads" -ge 2 ] && [ "$reads" -le 200 ] || fail "sampled: $reads reads of 400"
# Two at once, and counters beside them.
tarry measure -q -s --metrics ru_utime --metric-plugin ./thread.so --metric-plugin network:lo -o two -- ./app >out 2>err
[ $? = 6 ] || fail "two plug-ins: another status: $(cat err)"
[ "$(sum two/summary.cubex reads '/inner')" = 200 ] || fail "two: $(sum two/summary.cubex reads '/inner') reads"

# What Tarry brings along.
cat >sends.c <<'C'
#include <arpa/inet.h>
#include <stdio.h>
#include <sys/socket.h>
#include <tarry/user.h>
#include <time.h>
#include <unistd.h>
static char data[10000];
int main(void) {
  const int to = socket(AF_INET, SOCK_DGRAM, 0), from = socket(AF_INET, SOCK_DGRAM, 0);
  struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr = {htonl(INADDR_LOOPBACK)}};
  socklen_t size = sizeof address;
  const struct timespec time = {0, 30000000};
  bind(to, (struct sockaddr*)&address, sizeof address);
  getsockname(to, (struct sockaddr*)&address, &size);
  TARRY_REGION_BEGIN("before");
  TARRY_REGION_END("before");
  nanosleep(&time, 0);
  TARRY_REGION_BEGIN("send");
  for (int i = 0; i < 50; ++i) {
    sendto(from, data, sizeof data, 0, (struct sockaddr*)&address, size);
    if (recv(to, data, sizeof data, 0) != (ssize_t)sizeof data) puts("lost");
  }
  nanosleep(&time, 0);
  TARRY_REGION_END("send");
  return dup(0) == 5 ? 0 : 1;
}
C
tarry instrument --user gcc -O1 sends.c -o sends || exit 1
tarry measure -q -s --metric-plugin network:lo -o sent -- ./sends || fail "a descriptor has another number"
bytes=$(sum sent/summary.cubex lo_sent '/send')
[ "$bytes" -ge 500000 ] || fail "network: $bytes bytes sent, and not 500,000"
tarry measure -q --metric-plugin network:nonsense0 -o no-device -- ./app >out 2>err
grep -q 'no such network device' err || fail "no device: $(cat err)"
# A made folder of zones, of which one begins anew.
mkdir -p zones/intel-rapl:0
echo package-0 >zones/intel-rapl:0/name
echo 1000000 >zones/intel-rapl:0/max_energy_range_uj
echo 999900 >zones/intel-rapl:0/energy_uj
cat >uses.c <<'C'
#include <stdio.h>
#include <tarry/user.h>
#include <time.h>
int main(void) {
  const struct timespec time = {0, 30000000};
  for (int i = 0; i < 3; ++i) {
    TARRY_REGION_BEGIN("use");
    FILE* const file = fopen("zones/intel-rapl:0/energy_uj", "r+");
    fprintf(file, "%06d\n", i * 300);
    fclose(file);
    nanosleep(&time, 0);
    TARRY_REGION_END("use");
  }
  return 0;
}
C
tarry instrument --user gcc -O1 uses.c -o uses || exit 1
tarry measure -q -s --metric-plugin energy:$PWD/zones -o used -- ./uses || fail "energy: status"
[ "$(sum used/summary.cubex energy_package-0_0 '/use')" = 700 ] ||
  fail "energy: $(sum used/summary.cubex energy_package-0_0 '/use') uJ, and not 700"
if ! ls /sys/class/powercap/*:*/energy_uj >/dev/null 2>&1; then
  tarry measure -q --metric-plugin energy -o nothing -- ./app >out 2>err
  [ $? = 6 ] || fail "energy: another status without counters"
  [ "$(grep -c 'shows no energy' err)" = 1 ] || fail "energy: it is not said that there is none: $(cat err)"
fi

# What cannot be is said. What is wrong does no harm.
for case in none silent null many; do
  measure $case ./thread.so:$case
  [ "$(grep -c 'not counted: ' $case.err)" = 1 ] || fail "$case: $(cat $case.err)"
  tarry archive info $case | grep -q 'not counted' || fail "$case: the archive does not tell"
done
grep -q 'nothing to count on Sundays' none.err || fail "none: $(cat none.err)"
for case in names down refuse slow; do
  measure $case ./thread.so:$case
  [ -s $case.err ] && fail "$case: $(cat $case.err)"
  tarry replay -q --strict $case || fail "$case: not analysed"
done
[ "$(sum refuse/summary.cubex reads .)" = 0 ] || fail "values that are refused are recorded"
for case in crash endless; do
  [ $case = endless ] && [ -z "${PATIENCE:-}${ALL_CASES:-}" ] && continue # ten seconds
  tarry measure --metric-plugin ./thread.so:$case -o $case -- touch ran 2>err && fail "$case: it runs"
  grep -q 'when it is tried out' err || fail "$case: $(cat err)"
done
tarry measure --metric-plugin ./nowhere.so -o x -- touch ran 2>err && fail "nowhere.so is there"
tarry measure --metric-plugin nonsense -o x -- touch ran 2>err && fail "nonsense is a plug-in of Tarry's"
echo 'int x;' >empty.c && gcc -shared -fPIC empty.c -o empty.so
tarry measure -q --metric-plugin ./empty.so -o empty -- ./app >out 2>err
grep -q 'no plug-in' err || fail "empty.so: $(cat err)"
[ -e ran ] && fail "the program runs in spite of an error"
exit $failed
