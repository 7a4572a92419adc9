# file_io.sh -- bytes read and written stand in the summary as in the trace; records of files survive OTF2 and back.
# no-san
# mpich-long
set -eu
fail() { echo "$1"; exit 1; }
"$MPICC" -std=gnu11 -O1 -Wall -Werror -o files "$TARRY_ROOT/tests/apps/window_and_file_counts.c"
tarry measure -q -s -t -o run -- mpirun -np 4 ./files >files.txt
tarry archive verify run
tarry archive dump run >run.events

# rank,metric,bytes: of completed operations, by the mode that their begin says.
awk '
  { delete field; for (i = 5; i <= NF; ++i) { split($i, part, "="); field[part[1]] = part[2] } }
  $4 == "IO_OPERATION_BEGIN" { mode[$1, field["matching"]] = field["mode"] }
  $4 == "IO_OPERATION_COMPLETE" { bytes[$1 "," (mode[$1, field["matching"]] == 0 ? "io_bytes_read" : "io_bytes_written")] += field["bytes"] }
  END { for (key in bytes) print key "," bytes[key] }' run.events | sort >trace.bytes
tarry cube dump --csv run/summary.cubex |
  awk -F, '$1 ~ /^io_bytes_/ { bytes[$3 "," $1] += $5 } END { for (key in bytes) print key "," bytes[key] }' | sort >summary.bytes
[ "$(wc -l <trace.bytes)" = 8 ] || fail "not all ranks read and write"
diff trace.bytes summary.bytes || fail "the summary counts other bytes than the trace"
# A summary alone counts what the program says of that run: how much is read behind the end of another rank's part differs.
tarry measure -q -s -o alone -- mpirun -np 4 "$TARRY_ROOT/tests/apps/own_output.sh" files
cat files.output.* | sed -n 's/^EXPECT \([0-9]*\) .*IO_OPERATION_COMPLETE.bytes=\([0-9]*\).*/\1,\2/p' | sort >said.bytes
[ "$(wc -l <said.bytes)" = 4 ] || fail "not all ranks say what they did"
tarry cube dump --csv alone/summary.cubex |
  awk -F, '$1 ~ /^io_bytes_/ { bytes[$3] += $5 } END { for (rank in bytes) print rank "," bytes[rank] }' | sort | diff said.bytes - ||
  fail "the summary alone counts other bytes than the program"

# OTF2 holds every record, and brings it back: names of files, too.
tarry merge -q run -o otf2 --to otf2
tarry merge -q --from otf2 otf2/traces.otf2 -o back
tarry archive dump back >back.events
for events in run back; do
  awk '$4 ~ /^IO_/ { $3 = ""; print }' $events.events >$events.io
done
[ "$(wc -l <run.io)" -gt 100 ] || fail "too few records of files: $(wc -l <run.io)"
diff run.io back.io || fail "records of files differ behind OTF2"
otf2-print otf2/traces.otf2 >printed.txt
for pair in IO_CREATE_HANDLE:IO_CREATE_HANDLE IO_OPERATION_BEGIN:IO_OPERATION_BEGIN IO_OPERATION_COMPLETE:IO_OPERATION_COMPLETE; do
  [ "$(grep -c "^${pair#*:} " printed.txt)" = "$(grep -c " ${pair%:*} " run.events)" ] || fail "OTF2's reader sees other $pair"
done
# The analysis sees the same in the archive, in what came back, and in the OTF2 trace itself.
tarry replay -q --strict run
tarry replay -q --strict back
tarry replay -q --strict -o otf2.cubex otf2/traces.otf2
for report in run/analysis back/analysis otf2; do
  tarry cube dump --csv $report.cubex | grep '^mpi_file_' | sort >"$(echo $report | tr / -).counts"
done
[ -s run-analysis.counts ] || fail "no operations on files"
diff run-analysis.counts back-analysis.counts && diff run-analysis.counts otf2.counts || fail "the analyses differ"
# And what other formats get.
tarry merge -q run -o - --to csv >run.csv
[ "$(grep -c IO_OPERATION_COMPLETE run.csv)" = "$(grep -c IO_OPERATION_COMPLETE run.events)" ] || fail "records of files in CSV"
