# python_reads.sh -- calls on files that Python makes: its functions are found without asking the kernel for each word.
# no-san
set -u
python=$(command -v /usr/bin/python3 || command -v python3) || { echo "there is no Python"; exit 77; }
cc -shared -fPIC -O1 -Wall -Werror -o count_reads.so "$TARRY_ROOT/tests/apps/count_reads.c" || exit 1
export COUNT_READS_IN=$PWD/reads
failed=0
calls=4000
for mode in -t "-s -t"; do
  rm -rf run reads
  # shellcheck disable=SC2086
  LD_PRELOAD=$PWD/count_reads.so tarry measure -q $mode --io --sample 1 -o run -- "$python" "$TARRY_ROOT/tests/apps/python_writes.py" $calls >out 2>err
  [ "$(cat out)" = $((calls / 2 * 7)) ] || { echo "$mode: $(cat out err)"; failed=1; }
  # Each call is on a path of 21 nested functions. The program prints once, and so does the library.
  tarry archive dump run | awk -v calls=$calls '
    $4 == "ENTER" { ++depth; if (/write_below/) ++nested; if (/"write"/) { if (nested == 21) ++writes; else ++other } open[depth] = $0 }
    $4 == "LEAVE" { if (open[depth] ~ /write_below/) --nested; --depth }
    END { if (writes != calls || other > 2) { print writes + 0, "calls in the functions,", other + 0, "elsewhere"; exit 1 } }' ||
    { echo "$mode: other calls"; failed=1; }
  # There were some 60 for each call. What is seen for the first time is read with care.
  reads=$(sort -n reads | tail -1)
  [ "${reads:-none}" != none ] && [ "$reads" -gt 0 ] && [ "$reads" -lt $calls ] || { echo "$mode: ${reads:-none} reads by the kernel"; failed=1; }
done
exit $failed
