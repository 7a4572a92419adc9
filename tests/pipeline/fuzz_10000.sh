# fuzz_10000.sh -- the same 10,000 times, from another seed each day, and every byte of an archive one after the other.
# long
# timeout 7200
fuzz=$TARRY_BUILD/fuzz
seed=${SEED:-$(date +%Y%m%d)}
"$fuzz/changed_archives" "$seed" 10000 && "$fuzz/changed_reports" "$seed" 10000 && "$fuzz/damaged_traces" "$seed" 10000 && "$fuzz/changed_archives" --each-byte
