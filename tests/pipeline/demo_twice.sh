# demo_twice.sh -- the demo of the README, twice: the second run must not trip over the first.
# no-san
set -eu
"$TARRY_ROOT/tests/apps/demo.sh" >first.txt
"$TARRY_ROOT/tests/apps/demo.sh" >second.txt 2>second.err
cat second.txt
grep -q '500 iterations on 8 ranks, residual' second.txt
grep -q 'MPI_Waitall' second.txt
# The analysis takes less than a second.
sed -n 's/.*8 processes analysed in //p' second.txt second.err | grep -E '^[0-9.]+ (us|ms);'
# The last line names a page.
if command -v tarry-explore >/dev/null; then
  page=$(sed -n '$s/^To look around in a browser, open //p' second.txt)
  [ -s "$page" ] || { echo "no page: '$page'"; exit 1; }
fi
