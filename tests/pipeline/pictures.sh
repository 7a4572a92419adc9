# pictures.sh -- the pictures in docs/pictures are those of the traces in the tests, and docs/METRICS.md shows each;
# screenshots are small, and a document shows each.
set -u
pictures=$TARRY_ROOT/docs/pictures
TARRY_PICTURES=traces.json "$TARRY_BUILD/tests/unit/analysis_tests" --gtest_filter='Pictures.*' --gtest_brief=1 || exit 1
mkdir drawn
"$PYTHON" "$pictures/make_pictures.py" traces.json drawn || exit 1
failed=0
for name in $({ ls "$pictures"; ls drawn; } | grep '^[0-9].*[.]svg$' | sort -u); do
  cmp -s "drawn/$name" "$pictures/$name" || { echo "$name is out of date: make pictures"; failed=1; }
  grep -qF "(pictures/$name)" "$TARRY_ROOT/docs/METRICS.md" || { echo "docs/METRICS.md does not show $name"; failed=1; }
done
for name in $(cd "$pictures" && ls | grep '[.]png$'); do
  [ "$(wc -c <"$pictures/$name")" -le 60000 ] || { echo "$name has more than 60,000 bytes"; failed=1; }
  grep -qF "pictures/$name)" "$TARRY_ROOT"/README.md "$TARRY_ROOT"/docs/*.md || { echo "no document shows $name"; failed=1; }
done
exit $failed
