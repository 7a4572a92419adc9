# file_calls_flush.sh -- calls on files fill the memory, write it out and go on: in threads, and in handlers of signals.
# no-san
set -euo pipefail
fail() { echo "$1"; exit 1; }
cc -std=gnu11 -O1 -Wall -Werror -pthread -o many_writes "$TARRY_ROOT/tests/apps/many_writes.c"

for paths in 1 0; do
  TARRY_CALLPATHS=$paths tarry measure -q -s -t --io --memory 1M -o run-$paths -- ./many_writes 3 80000 >said.$paths
  [ "$(grep -c ,80000 said.$paths)" = 3 ] || fail "the program does something else: $(cat said.$paths)"
  tarry archive verify run-$paths
  tarry archive dump run-$paths >events
  grep -q BUFFER_FLUSH events || fail "nothing was written out"
  grep -q ' LOST ' events && fail "events are lost: $(grep ' LOST ' events)"
  tarry replay -q --strict run-$paths
  for report in summary analysis; do
    tarry report --files --csv run-$paths/$report.cubex >$report.files
  done
  diff summary.files analysis.files || fail "the tables of files differ"
  # A handler that interrupts the recorder is not recorded; all else is.
  for file in file.0 file.1 file.2; do
    [ "$(awk -F, -v file=$file '$1 == file { print $6 }' summary.files)" = 80000 ] || fail "$file: $(grep $file summary.files)"
  done
  awk -F, -v most="$(awk -F, '$1 == "alarms" { print $2 }' said.$paths)" \
    '$1 == "alarms" { n = $6 } END { exit !(n > 0 && n <= most) }' summary.files || fail "alarms: $(grep alarms summary.files) of $(cat said.$paths)"
done

# The first call of a thread may be its handler's. Nothing locks up, and no call of the threads is lost.
cc -std=gnu11 -O1 -Wall -Werror -pthread -o thread_starts "$TARRY_ROOT/tests/apps/thread_starts.c"
timeout --kill-after=5 60 tarry measure -q -s -t --io --memory 16M -o starts -- ./thread_starts 400 20 >said.starts
[ "$(cat said.starts)" = 8000 ] || fail "the program with many threads does something else: $(cat said.starts)"
for report in summary analysis; do
  [ $report = summary ] || tarry replay -q --strict starts
  tarry report --files --csv starts/$report.cubex >starts.$report.files
done
diff starts.summary.files starts.analysis.files || fail "the tables of files of many threads differ"
[ "$(awk -F, '$1 == "out" { print $6 }' starts.summary.files)" = 8000 ] || fail "$(cat starts.summary.files)"
