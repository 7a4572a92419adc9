# throttle.sh -- short functions that are called often are counted from some call on: in traces and summaries, with
# recursion, threads, exceptions and jumps. All calls are there, recorded or counted.
# timeout 300
set -u
failed=0
fail() { echo "FAILED: $*"; failed=1; }
tarry instrument c++ -w -O1 -pthread -o program "$TARRY_ROOT/tests/apps/throttled.cpp" || exit 1
times=100000

# visits REPORT FUNCTION: recorded ones
visits() { tarry cube dump --csv "$1" -m visits | awk -F, -v end="/$2\$" '$2 ~ end { sum += $5 } END { print sum + 0 }'; }
# counted REPORT FUNCTION: those that were only counted
counted() {
  tarry report --json "$1" | "$PYTHON" -c "
import json, sys
print(sum(each['calls'] for each in json.load(sys.stdin).get('throttled', []) if each['name'] == '$2'))"
}
# run NAME OPTION...
run() {
  tarry measure -q -o "$1" "${@:2}" -- ./program $times >"$1.out" 2>"$1.err" || fail "$1: status $?"
  cmp -s bare.out "$1.out" && cmp -s bare.err "$1.err" || fail "$1 prints something else: $(cat "$1.err")"
}
./program $times >bare.out 2>bare.err || exit 1

run traced -t -s --throttle 4000:20us
tarry archive verify -q traced >/dev/null || fail "the trace is not whole"
tarry replay -q --strict traced || fail "the trace is not analysed"
# Each location leaves what it enters, and nothing else.
tarry archive dump traced | awk '
  $4 == "ENTER" { ++open[$1 " " $2] }
  $4 == "LEAVE" && --open[$1 " " $2] < 0 { print "leaves too much:", $0; exit 1 }
  END { for (each in open) if (open[each]) { print each, open[each], "are open"; exit 1 } }' || fail "enters and leaves do not fit"
for report in traced/summary.cubex traced/analysis.cubex; do
  while read -r function calls; do
    recorded=$(visits $report $function) only_counted=$(counted $report $function)
    [ $((recorded + only_counted)) = "$calls" ] ||
      fail "$report: $function has $recorded visits and $only_counted calls, and not $calls together"
    [ "$recorded" -ge 2000 ] && [ "$recorded" -le 20000 ] || fail "$report: $function was throttled at $recorded visits"
  done <bare.out
  while read -r function calls; do
    [ $function = sum ] || [ "$(visits $report $function)" = "$calls" ] || fail "$report: $(visits $report $function) visits of $function"
    [ "$(counted $report $function)" = 0 ] || fail "$report: $function was throttled"
  done <bare.err
done
# What a throttled function calls is recorded as its caller's.
tarry cube dump --csv traced/summary.cubex -m visits | grep -q '/main/inner,' || fail "inner is not below main"
tarry report traced | tr -s ' \n' ' ' | grep -q 'THROTTLED: [0-9]* calls of in_threads, [0-9]* of tiny.* and of [0-9] more are only counted' ||
  fail "the screen does not tell: $(tarry report traced | head)"
run summary -s --throttle 4000:20us
run trace -t --throttle 4000:20us --memory 1M
tarry replay -q --strict trace || fail "a trace without a summary is not analysed"
for report in summary/summary.cubex trace/analysis.cubex; do
  [ $(($(visits $report tiny) + $(counted $report tiny))) = $((2 * times)) ] || fail "$report: calls of tiny are missing"
done

# All is recorded; and functions that are not called often enough, or not short enough.
run off -s --throttle off
while read -r function calls; do [ "$(visits off $function)" = "$calls" ] || fail "off: $(visits off $function) visits of $function"; done <bare.out
tarry report off | grep -q THROTTLED && fail "something is throttled in spite of --throttle off"
run rare -s --throttle 4000000
tarry report rare | grep -q THROTTLED && fail "functions with few visits are throttled"
run slow -s --throttle 1000:1ns
tarry report slow | grep -q THROTTLED && fail "functions that take long are throttled"
# By default after some 100000 visits.
run usual -s
[ "$(counted usual tiny)" -gt 0 ] && [ "$(visits usual tiny)" -ge 80000 ] || fail "tiny: $(counted usual tiny) calls behind $(visits usual tiny) visits"
for wrong in 0 x 100:1 100:us 100:1s 100: :1us; do
  tarry measure --throttle $wrong -o wrong -- true >wrong.out 2>&1 && fail "--throttle $wrong is taken"
  grep -q "^tarry-measure: --throttle: '$wrong' is not a valid value" wrong.out || { cat wrong.out; fail "$wrong: another message"; }
done
exit $failed
