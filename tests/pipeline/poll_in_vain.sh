# poll_in_vain.sh -- calls in vain are recorded together, and every stage of the pipeline still knows how many there were.
# no-san
# mpich-long
# timeout 240
set -eu
fail() { echo "poll_in_vain.sh: $1"; exit 1; }
tarry instrument "$MPICC" -O1 -Wall -Werror -o poll_in_vain "$TARRY_ROOT/tests/apps/poll_in_vain.c"
"$MPICC" -O1 -Wall -Werror -o plain_poll "$TARRY_ROOT/tests/apps/poll_in_vain.c"

# count_visits REPORT: "MPI_Test=20001" for each function of rank 0.
count_visits() {
  tarry cube dump --csv "$1" | awk -F, '
    $1 == "visits" && $3 == 0 { count = split($2, step, "/"); sum[step[count]] += $5 }
    END { for (name in sum) print name "=" sum[name] }'
}

# compare NAME REPORT: as often as the program says.
compare() {
  count_visits "$2" | sort >visits
  tr ' ' '\n' <"$1.txt" | grep = | sort >expected
  test "$(wc -l <expected)" = 8 || fail "$1: the program says too little"
  missing=$(comm -23 expected visits)
  test -z "$missing" || { cat visits; fail "$2: the program called $(echo $missing)"; }
}

# What a dump says of each function of rank 0: calls, visits, those that stand for several, tests of requests, receives.
facts() {
  tarry archive dump "$1" --rank 0 | awk '
    $4 == "ENTER" { split($5, part, "\""); path[++depth] = part[2]; ++visits[part[2]]; ++calls[part[2]] }
    $4 == "ATTRIBUTE" { split($6, part, "="); calls[path[depth]] += part[2] - 1; ++folds[path[depth]] }
    $4 == "ATTRIBUTE" && ($5 != "attribute=1" || part[2] < 2) { print "BAD " $0 }
    $4 == "MPI_REQUEST_TEST" { ++tests[path[depth]] }
    $4 == "MPI_IRECV" { ++received[path[depth]] }
    $4 == "LEAVE" { --depth }
    END {
      for (name in visits)
        print name, "calls=" calls[name], "visits=" visits[name], "folds=" folds[name] + 0, "tests=" tests[name] + 0,
              "received=" received[name] + 0
    }'
}
fact() { facts_of=$(grep "^$2 " "$1.facts" | tr ' ' '\n' | sed -n "s/^$3=//p"); echo "${facts_of:-0}"; }

measured() {
  name=$1; shift
  tarry measure -q -s -t -o "run-$name" -- mpirun -np 2 "$@" >"$name.txt" || fail "$name: the program failed"
  tarry archive verify "run-$name" >/dev/null
  facts "run-$name" >"$name.facts"
  compare "$name" "run-$name/summary.cubex"
  tarry replay -q --strict "run-$name"
  compare "$name" "run-$name/analysis.cubex"
}

measured plain ./plain_poll plain 30000
if tarry archive info run-plain | grep -q '^clock *1e+09 ticks'; then
  echo "time is the system's clock here: nothing is folded"
  exit 77
fi
! grep BAD plain.facts || fail "an attribute makes no sense"
for function in MPI_Test MPI_Testany MPI_Testall MPI_Testsome MPI_Request_get_status MPI_Iprobe MPI_Improbe MPI_Win_test; do
  test "$(fact plain $function folds)" -ge 1 || fail "$function is not folded"
  test $((10 * $(fact plain $function visits))) -lt "$(fact plain $function calls)" || fail "$function is hardly folded"
done
for function in MPI_Test MPI_Testany MPI_Testsome; do
  test "$(fact plain $function received)" = 1 || fail "$function: its receive is missing"
  # The first one, and the first one behind the message that lets the other rank go.
  tests=$(fact plain $function tests)
  test "$tests" = 1 || test "$tests" = 2 || fail "$function: $tests tests are recorded in full"
done
test "$(fact plain MPI_Testall received)" = 2 || fail "MPI_Testall: its receives are missing"

# Longer than a millisecond: several visits.
measured long ./plain_poll plain 300000
test "$(fact long MPI_Test folds)" -ge 3 || fail "300000 tests took less than three milliseconds?"

# What a summary says of the trace is what a trace has: score goes by it.
events=$(tarry archive info run-plain | awk '$1 == "events" { gsub(",", "", $2); print $2 }')
told=$(tarry cube dump --csv run-plain/summary.cubex | awk -F, '$1 == "trace_events" { sum += $5 } END { print sum }')
test "$events" = "$told" || fail "the trace has $events events, the summary tells of $told"

# A summary alone.
tarry measure -q -o run-summary -- mpirun -np 2 ./plain_poll plain 30000 >summary.txt
compare summary run-summary/summary.cubex

# OTF2 holds the number of calls, too; as a trace of OTF2 and imported again.
tarry merge -q run-plain -o otf2 --to otf2
tarry replay -q -o otf2.cubex otf2/traces.otf2
compare plain otf2.cubex
tarry merge -q --from otf2 otf2/traces.otf2 -o again
test "$(tarry merge run-plain --fingerprint)" = "$(tarry merge again --fingerprint)" || fail "the way through OTF2 changes events"
tarry merge -q run-plain -o events.csv --to csv
grep -q 'ATTRIBUTE.*attribute=1 value=' events.csv || fail "CSV does not show it"

# What is left out takes its number of calls along.
tarry merge -q run-plain -o probes.csv --to csv --regions MPI_Iprobe
test "$(grep -c ATTRIBUTE probes.csv)" = "$(fact plain MPI_Iprobe folds)" || fail "numbers of calls are left of visits that are left out"
tarry merge -q run-plain -o long.csv --to csv --min-duration 10s
! grep -q ATTRIBUTE long.csv || fail "numbers of calls are left of visits that are too short"

# A function in between ends a fold.
measured between ./poll_in_vain between 3000
for function in MPI_Test MPI_Testall MPI_Iprobe; do
  test "$(fact between $function folds)" -ge 29 || fail "between: only $(fact between $function folds) folds of $function"
done
test "$(fact between MPI_Test tests)" -ge 30 || fail "between: the first tests are not recorded in full"

# Handlers of signals that run instrumented functions at any moment.
measured timer ./poll_in_vain timer 300000
test "$(fact timer on_timer visits)" -ge 10 || fail "the timer's handler was hardly recorded"

# One by one.
TARRY_TESTS=each measured each ./plain_poll plain 2000
! grep -q 'folds=[1-9]' each.facts || fail "TARRY_TESTS=each folds"
test "$(fact each MPI_Test tests)" -ge 2000 || fail "TARRY_TESTS=each does not record each test"

# Killed while it polls: that it does is to be seen. Hydra's processes have a session of their own.
ln plain_poll "poll.$$"
tarry measure -q -t -o run-killed -- mpirun -np 2 "./poll.$$" forever 1 >killed.txt 2>&1 &
job=$!
for wait in $(seq 100); do
  sleep 0.1
  pid=$(pgrep -f "^./poll.$$ forever" | head -1) && test -n "$pid" && break
done
sleep 0.5
pkill -KILL -f "^./poll.$$ forever" || fail "there is nothing to kill"
wait $job || true
tarry archive dump run-killed --rank 0 2>/dev/null >killed.events || true
grep -q 'MPI_REQUEST_TEST' killed.events || fail "a killed program does not show that it polled"
