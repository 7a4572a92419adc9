# many_threads.sh -- thousands of threads that come and go: each is a location with all its events and call paths, and
# the memory of those that have ended serves the next ones. Also where the process is killed behind them.
# no-san
# timeout 180
set -u
failed=0
threads=3000
complain() { echo "$*"; failed=1; }
gcc -std=gnu11 -O1 -g -Wall -Werror -pthread -o plain "$TARRY_ROOT/tests/apps/many_threads.c" &&
  tarry instrument gcc -std=gnu11 -O1 -g -Wall -Werror -pthread -o instrumented "$TARRY_ROOT/tests/apps/many_threads.c" || exit 1

# enters FILTER ARCHIVE: how many threads have entered `work` once, and how often it was entered by others.
enters() {
  tarry archive dump "$1" | awk '$4 == "ENTER" && /"work"/ { ++n[$2] }
    END { for (each in n) n[each] == 1 ? ++once : ++other; print once + 0, other + 0 }'
}

# measured NAME PROGRAM OPTIONS...: what holds of each recording.
measured() {
  local name=$1 program=$2
  shift 2
  tarry measure -q "$@" -o "$name" -- "./$program" $threads >"$name.out" 2>"$name.err" || complain "$name: status $?: $(cat "$name.err")"
  [ "$(cat "$name.out")" = "$threads calls, memory as before" ] || complain "$name: $(cat "$name.out")"
  tarry archive verify "$name" >"$name.verify" 2>&1 || complain "$name: $(cat "$name.verify")"
  tarry archive info "$name" | grep -q "^threads *$((threads + 1)) in all" || complain "$name: $(tarry archive info "$name" | grep ^threads)"
  if [ -e "$name/summary.cubex" ]; then
    tarry cube dump --csv "$name/summary.cubex" | awk -F, -v want=$threads '
      $1 == "visits" && $2 ~ /work$/ { sum += $NF } END { if (sum != want) { print sum " visits"; exit 1 } }' ||
      complain "$name: the summary has other visits"
  fi
}

measured trace instrumented -t
[ "$(enters trace)" = "$threads 0" ] || complain "trace: threads with one call, and others: $(enters trace)"
measured summary instrumented -s
measured both plain -s -t --sample 97 --memory 4M
tarry replay -q --strict both || complain "both: cannot be replayed"
measured often plain -s -t --sample 1999
TARRY_SPOOL=memory measured in_memory instrumented -s -t --memory 2M
[ "$(enters in_memory)" = "$threads 0" ] || complain "in memory: $(enters in_memory)"

# In a ring only the latest events are there; the summary is whole.
TARRY_WHEN_FULL=ring tarry measure -q -s -t --memory 2M -o ring -- ./instrumented $threads >ring.out 2>&1 || complain "ring: $(cat ring.out)"
grep -q 'memory as before' ring.out || complain "ring: $(cat ring.out)"
[ "$(tarry cube dump --csv ring/summary.cubex | awk -F, '$1 == "visits" && $2 ~ /work$/ { sum += $NF } END { print sum }')" = $threads ] ||
  complain "ring: the summary has other visits"

# Killed: what has ended is as whole as ever, and four threads are in their call.
tarry measure -q -s -t -o killed -- ./instrumented $threads kill >killed.out 2>&1 && complain "killed: status 0"
tarry unify -q killed >unify.out 2>&1
[ "$(enters killed)" = "$((threads + 4)) 0" ] || complain "killed: $(enters killed): $(cat killed.out unify.out)"
tarry cube dump --csv killed/summary.cubex | awk -F, -v want=$((threads + 4)) '
  $1 == "visits" && $2 ~ /work$/ { sum += $NF } END { if (sum != want) { print sum " visits"; exit 1 } }' ||
  complain "killed: the summary has other visits"
# Threads that fork teams: their call paths are below those of the threads, whose memory serves the next ones.
if command -v clang >/dev/null && tarry instrument clang -O1 -g -fopenmp -pthread -o forking "$TARRY_ROOT/tests/apps/forking_threads.c"; then
  tarry measure -q -s -o teams -- ./forking 400 >teams.out 2>&1 || complain "teams: status $?"
  [ "$(cat teams.out)" = "800 calls, memory as before" ] || complain "teams: $(cat teams.out)"
  tarry cube dump --csv teams/summary.cubex | awk -F, '
    $1 == "visits" && $2 ~ /fork_team\/.*\/inside$/ { inside += $NF } $1 == "visits" && $2 ~ /inside$/ { all += $NF }
    END { if (inside != 800 || all != 800) { print inside " of " all " visits"; exit 1 } }' || complain "teams: the summary has other visits"
fi
exit $failed
