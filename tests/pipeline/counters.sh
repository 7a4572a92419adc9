# counters.sh -- counters against what programs are known to do: fresh pages, naps, memory, processor time; per thread, per
# call path, in summary, trace, analysis and conversions alike.
# timeout 180
set -u
. "$TARRY_ROOT/tests/cli/expect.bash"
failed=0
wrong() { echo "FAILED: $*"; failed=1; }
known=$TARRY_ROOT/tests/apps/counters_known.c
pages=1000 naps=60 megabytes=40
tarry instrument "$MPICC" -O1 "$known" -o known || exit 1
tarry instrument cc -O1 -DNO_MPI -pthread "$known" -o known_threads || exit 1

# between LEAST MOST VALUE WHAT
between() { awk "BEGIN { exit !($3 >= $1 && $3 <= $2) }" </dev/null || wrong "$4: $3 is not from $1 to $2"; }
# value REPORT METRIC FUNCTION RANK [THREAD]: of the call paths that end in the function
value() {
  tarry cube dump --csv "$1" |
    awk -F, -v metric="$2" -v name="$3" -v rank="$4" -v thread="${5:-0}" '
      $1 == metric && $3 == rank && $4 == thread { n = split($2, path, "/"); if (path[n] == name) sum += $5 }
      END { printf "%.17g\n", sum }'
}

own=ru_minflt,ru_nvcsw,ru_utime,ru_maxrss,heap_allocated,heap_freed,heap_allocations,heap_in_use,heap_peak
software=page-faults,context-switches,task-clock
tarry measure -s -t -o run --metrics $own,$software -- mpirun -np 2 ./known $pages $naps $megabytes >out 2>err || { cat out err; exit 1; }
has_software=1
if grep -q 'perf_event_open' err; then
  echo "the kernel does not allow software events here: $(grep perf_event_open err)"
  [ "$(grep -c '^tarry: ' err)" -eq 1 ] || wrong "more than one line about what cannot be counted"
  has_software=0
fi
tarry archive verify run >/dev/null || wrong "verify"
tarry replay -q run >out || wrong "replay"
bytes=$((megabytes << 20))
for report in run/summary.cubex run/analysis.cubex; do
  for rank in 0 1; do
    between $pages $((pages + 300)) "$(value $report ru_minflt touch_pages $rank)" "$report: faults of touched pages"
    between 0 300 "$(value $report ru_minflt compute $rank)" "$report: faults of a loop"
    between $naps $((naps + 60)) "$(value $report ru_nvcsw take_naps $rank)" "$report: naps"
    between 20000 1e7 "$(value $report ru_utime compute $rank)" "$report: processor time of a loop, us"
    between 0 "$(value $report ru_utime compute $rank)" "$(value $report ru_utime take_naps $rank)" "$report: of naps"
    between $bytes $((bytes + 100000)) "$(value $report heap_allocated allocate $rank)" "$report: memory allocated"
    between $bytes $((bytes + 100000)) "$(value $report heap_freed release $rank)" "$report: memory freed"
    between 1 20 "$(value $report heap_allocations allocate $rank)" "$report: blocks"
    between $bytes 1e9 "$(value $report heap_in_use allocate $rank)" "$report: memory in use"
    between 0 $((bytes / 2)) "$(value $report heap_in_use take_naps $rank)" "$report: memory in use before"
    between $bytes 1e9 "$(value $report heap_peak compute $rank)" "$report: peak"
    between 1e6 1e10 "$(value $report ru_maxrss compute $rank)" "$report: resident"
    [ $has_software -eq 1 ] || continue
    between $pages $((pages + 300)) "$(value $report page-faults touch_pages $rank)" "$report: page-faults"
    between $naps 1e6 "$(value $report context-switches take_naps $rank)" "$report: context switches"
    between 2e7 1e10 "$(value $report task-clock compute $rank)" "$report: task-clock, ns"
  done
done
# The trace says what the summary says.
for metric in ru_minflt heap_allocated heap_in_use ru_nvcsw; do
  tarry cube dump --csv run/summary.cubex | grep "^$metric," | sort >summary.$metric
  tarry cube dump --csv run/analysis.cubex | grep "^$metric," | sort >analysis.$metric
  cmp summary.$metric analysis.$metric || wrong "$metric: trace and summary differ"
done
# Every enter and leave has a value of each counter, at the same time, before it.
counters=$((9 + has_software * 3))
tarry archive dump run | awk -v counters=$counters '
  $4 == "METRIC" { ++values; at = $3; next }
  $4 == "ENTER" || $4 == "LEAVE" { ++steps; if (values != counters || at != $3) { print; exit 1 } values = 0 }
  END { exit steps < 20 }' || wrong "a step without its counters"
tarry archive info run | grep -q '^counters .*ru_minflt.*heap_peak' || wrong "info does not list the counters"
tarry report run >text
grep -q 'ru_minflt .* in .*touch_pages' text || { cat text; wrong "the findings lack the counters"; }
grep -q 'heap_peak .* at most' text || wrong "the findings lack the levels"
"$PYTHON" "$TARRY_ROOT/tests/oracle/read_archive.py" run >second_reader && tarry archive dump run | cmp - second_reader ||
  wrong "the second reader has something else"

# What a summary says of the size of a trace holds with counters.
memory=$(tarry archive info run | awk '$1 == "events" { n = $2 } $1 == "per" && $2 == "event" { print n * $3 }')
estimate=$(tarry score --csv run | awk -F, '$1 == "total" { print $6 }')
between "$(awk "BEGIN { print 0.9 * $memory }")" "$(awk "BEGIN { print 1.1 * $memory }")" "$estimate" "score with counters in the summary"

# Other formats, and back.
tarry merge -q run -o otf2 --to otf2 && tarry merge -q --from otf2 otf2/traces.otf2 -o back || wrong "OTF2"
tarry archive dump back | sed 's/^\([^ ]* [^ ]* \)[^ ]*/\1/' >back.dump
tarry archive dump run | sed 's/^\([^ ]* [^ ]* \)[^ ]*/\1/;s/LEAVE region=.*/LEAVE/' >run.dump
sed -i 's/LEAVE region=.*/LEAVE/' back.dump
sed -i 's/region=[0-9]*:/region=/' run.dump back.dump  # call sites get lost
cmp run.dump back.dump || wrong "OTF2 and back changes something"
otf2-print otf2/traces.otf2 | grep -q "METRIC .*$counters Values: .*ru_minflt" || wrong "no metric records in OTF2"
tarry merge -q back -o again --to otf2 || wrong "OTF2 again"
for trace in otf2 again; do otf2-print $trace/traces.otf2 | sed 1,9d >$trace.print; done
cmp otf2.print again.print || wrong "what was imported comes out otherwise"
tarry merge -q run --to csv -o - | grep -q 'METRIC,,,,metric=ru_minflt value=' || wrong "CSV"
tarry merge -q run --to jsonl -o - | grep -q '"kind":"METRIC","metric":"ru_minflt","value":' || wrong "JSON Lines"
tarry merge -q run --to paraver -o run.prv && grep -q 'ru_minflt' run.pcf && grep -q ':72000000:' run.prv || wrong "Paraver"
tarry merge -q run --to perfetto -o run.pftrace && grep -q 'ru_minflt' run.pftrace || wrong "Perfetto"

# Threads count for themselves; what the process has is the same for all.
tarry measure -s -o threads --metrics ru_minflt,heap_peak -- ./known_threads $pages 2 10 3 >out 2>&1 || { cat out; exit 1; }
for thread in 1 2 3; do
  between $pages $((pages + 300)) "$(value threads/summary.cubex ru_minflt touch_pages 0 $thread)" "faults of thread $thread"
done
between 0 500 "$(value threads/summary.cubex ru_minflt main 0 0)" "faults of the thread that waits"

# What this machine has not is said in one line, and the program runs; a misspelling is an error before anything starts.
tarry measure -o missing --metrics PAPI_TOT_CYC,PAPI_TOT_INS,ru_utime -- mpirun -np 2 ./known 10 1 1 >out 2>err || wrong "status with PAPI"
if ! tarry cube dump --csv missing/summary.cubex | grep -q '^PAPI_TOT_CYC,'; then
  [ "$(grep -c '^tarry: ' err)" -eq 1 ] || { cat err; wrong "not one line about the missing counters"; }
  grep -q '^tarry: .*PAPI_TOT_CYC, PAPI_TOT_INS' err || wrong "the line does not name them"
  tarry archive info missing | grep -q '^not counted .*PAPI_TOT_CYC' || wrong "info does not name them"
fi
tarry cube dump --csv missing/summary.cubex | grep -q '^ru_utime,' || wrong "the other counters are gone, too"
run_it tarry measure -o never --metrics ru_utim -- ./known_threads 1 1 1
[ $status -eq 2 ] && [ ! -e never ] || wrong "a misspelling: status $status"
TARRY_METRICS=page-falts run_it tarry measure -o never -- ./known_threads 1 1 1
[ $status -eq 2 ] || wrong "a misspelling in the environment: status $status"
tarry measure --metrics help >help
grep -q heap_in_use help || wrong "help"
# What the help lists of PAPI can be counted: the first, the last, and one in the middle.
sed '1,/^PAPI: presets/d' help | awk '{ print $1 }' >papi
for event in $(sed -n '1p;$p' papi) $(sed -n "$((($(wc -l <papi) + 1) / 2))p" papi); do
  tarry measure -s -o "papi.$event" --metrics "$event" -- ./known_threads 1 1 1 >out 2>err || wrong "status with $event"
  grep '^tarry: ' err && wrong "$event is listed and cannot be counted"
done
# Nothing was asked for: nothing is there.
tarry measure -s -t -o plain -- ./known_threads 1 1 1 >out 2>&1 || wrong "without counters"
! tarry archive dump plain | grep -q METRIC || wrong "counters that nobody asked for"
exit $((failed || wrong))
