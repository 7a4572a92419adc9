# says.sh -- a conversion ends with one line: what was written, how large; -q leaves it out, and so does a stream.
. "$TARRY_ROOT/tests/cli/expect.bash"
tar -xJf "$TARRY_ROOT/tests/data/peer/micro.tar.xz"
trace=micro/g1-late-sender-chain/traces.otf2
for format in otf2 paraver perfetto csv jsonl tarry; do
  out=out.$format
  [ $format != paraver ] || out=out.prv
  run_it tarry merge $trace -o $out --to $format
  grep -Eq "^tarry-merge: $out: [1-9][0-9]* bytes, written in " err && [ "$(grep -c written err)" -eq 1 ] ||
    complain "--to $format does not say what it wrote"
done
run_it tarry merge -q $trace -o quiet.csv --to csv
[ ! -s err ] || complain "-q speaks"
run_it tarry merge $trace -o - --to csv
[ ! -s err ] || complain "a stream speaks"
exit $wrong
