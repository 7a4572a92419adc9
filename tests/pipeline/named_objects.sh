# named_objects.sh -- names that a program gives to communicators and windows: recorded, through OTF2, in reports.
# no-san
# mpich-long
set -u
failed=0
fail() { echo "FAILED: $1"; failed=1; }
"$MPICC" -std=gnu11 -O1 -Wall -Werror -o named "$TARRY_ROOT/tests/apps/named_objects.c" || exit 1
OMPI_MCA_osc=^ucx tarry measure -q -t -o run -- mpirun -np 2 ./named || exit 1
tarry replay -q --strict run || fail "replay"
tarry cube info run/analysis.cubex | grep -q "^topology *'grid' 2 x 1$" || { tarry cube info run/analysis.cubex; fail "the grid in the report"; }
tarry archive info run | grep -q "^topology .*grid of communicator .*'grid'$" || { tarry archive info run; fail "the grid in the archive"; }
tarry merge -q --strict run -o otf2 --to otf2 && tarry replay -q --strict otf2/traces.otf2 -o imported.cubex || fail "OTF2"
if command -v otf2-print >/dev/null; then
  otf2-print --show-global-defs otf2/traces.otf2 >definitions.txt 2>complaints || fail "otf2-print"
  [ ! -s complaints ] || { cat complaints; fail "otf2-print complains"; }
  for name in 'COMM .* "halo"' 'COMM .* "freed "early""' 'COMM .* "mine"' 'COMM .* "name 9' 'COMM .* "grid"' \
    'CART_TOPOLOGY  *0 .* "grid"' 'RMA_WIN .* "window"'; do
    grep -qE "^$name" definitions.txt || { grep -E '^(COMM|CART_T|RMA)' definitions.txt; fail "$name"; }
  done
  grep -qE '"first name"|"yours"' definitions.txt && fail "a name that does not count"
fi
exit $failed
