# fuzz.sh -- 500 changed archives, reports and traces each under sanitizers: verify finds each change, nothing crashes.
# timeout 900
fuzz=$TARRY_BUILD/fuzz
"$fuzz/changed_archives" 1 500 && "$fuzz/changed_reports" 1 500 && "$fuzz/damaged_traces" 1 500
