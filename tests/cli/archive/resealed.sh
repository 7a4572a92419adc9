# resealed.sh -- an archive that says what cannot be, with checksums that are right, is refused by name by every tool.
. "$TARRY_ROOT/tests/cli/expect.bash"
record good
tarry replay -q good || exit 1
reseal() { "$PYTHON" "$TARRY_ROOT/tests/cli/reseal.py" "$@" || exit 1; }

# hostile NAME VALUE: a manifest that says so. Memory and time are those of a refusal.
hostile() {
  rm -rf bad && cp -r good bad && reseal manifest bad/manifest.xml "$1" "$2"
  for command in "archive verify" "archive info" "archive dump" unify replay sync "sync --check" "merge --to csv -o -" \
    "merge --to tarry -o out" score report; do
    fails "bad/manifest.xml: says that $1 is '$2', which cannot be" bash -c "ulimit -v 2000000; exec tarry $command bad"
  done
  fails "bad/manifest.xml: says that $1 is" tarry replay --strict bad -o out.cubex
}
hostile ranks 4000000000
hostile ticks-per-second 0
hostile ticks-per-second nan
for fact in "ranks -1" "ranks 0" "ranks 3x" "ranks 99999999999999999999" "threads 4294967295" "ticks-per-second inf" \
  "ticks-per-second -1e9" "ticks-per-second 1e300" "domains 4000000000" "exit-status 70000" "started 0000" \
  "started 99999-01-01T00:00:00Z" "seconds -1" "seconds nan" "bytes -1"; do
  set -- $fact
  rm -rf bad && cp -r good bad && reseal manifest bad/manifest.xml "$1" "$2"
  fails "bad/manifest.xml: says that $1 is '$2', which cannot be" tarry archive verify bad
  fails "bad/manifest.xml: says that $1 is '$2', which cannot be" tarry replay bad -o out.cubex
done

# What could be, but is not so.
for fact in "ranks 4" "ranks 2" "threads 7" "ticks-per-second 12345"; do
  set -- $fact
  rm -rf bad && cp -r good bad && reseal manifest bad/manifest.xml "$1" "$2"
  differs 'damaged' tarry archive verify bad
  grep -q "^manifest.xml: says that there are $2" out || complain "verify does not say that $fact is wrong"
done

# Whatever the definitions say: no crash, no more memory or time than they deserve.
for seed in 1 2 3 4 5 6 7 8 9 10 11 12; do
  rm -rf bad && cp -r good bad && reseal chunk bad/definitions.tdef $seed
  for command in "archive verify" "archive info" "replay -o out.cubex"; do
    (ulimit -v 4000000; tarry $command bad) >out 2>err
    status=$?
    [ $status -le 1 ] || complain "tarry $command ends with $status after 'chunk $seed'"
  done
done
exit $wrong
