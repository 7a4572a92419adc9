# fuzz.sh -- 500 changed archives and 500 damaged traces under sanitizers: verify finds each change, nothing crashes.
# timeout 300
fuzz=$TARRY_BUILD/fuzz
"$fuzz/changed_archives" 1 500 && "$fuzz/damaged_traces" 1 500
