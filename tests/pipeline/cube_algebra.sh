# cube_algebra.sh -- reports and results of the reference's report tools: ours have the same values; each result obeys
# every rule of the format.
set -u
. "$TARRY_ROOT/tests/peer/unpack.bash"
unpack_peer_cases cube-algebra
cd peer/cube-algebra || exit 1
failed=0
metrics=$(cut -d, -f1 a.csv | sort -u | grep -vx 'metric\|min_time\|max_time' | paste -sd,)

# same GOLD.csv REPORT: the values of REPORT are those of GOLD.csv. The reference treats minima in its own ways.
same() {
  tarry cube dump --csv "$2" >ours.csv && "$PYTHON" "$TARRY_ROOT/tests/peer/compare_reports.py" "$1" ours.csv \
    --only "$metrics" --rel 1e-12 --abs 1e-15 >differences || { cat differences; echo "FAILED: $2"; failed=1; }
  echo "$2: $(tail -1 differences)"
}
follows_rules() { "$PYTHON" "$TARRY_ROOT/tests/report/check_cubex.py" "$@" >/dev/null || { echo "FAILED: $*"; failed=1; }; }

for report in a b diff cutr; do same $report.csv $report.cubex; done
tarry cube diff a.cubex b.cubex -o our_diff.cubex && same diff.csv our_diff.cubex
tarry cube cut --root inner a.cubex -o our_cut.cubex && same cutr.csv our_cut.cubex
tarry cube diff - b.cubex -o - <a.cubex >piped.cubex && cmp our_diff.cubex piped.cubex || failed=1

for op in merge mean min max; do tarry cube $op a.cubex b.cubex -o $op.cubex && follows_rules $op.cubex; done
same b.csv merge.cubex
tarry cube clean a.cubex -o clean.cubex && same a.csv clean.cubex && follows_rules clean.cubex
tarry cube cut --prune sweep a.cubex -o pruned.cubex && follows_rules pruned.cubex
tarry cube part --ranks 1-2 a.cubex -o part.cubex && follows_rules part.cubex
tarry cube clean -C a.cubex -o collapsed.cubex && same a.csv collapsed.cubex && follows_rules collapsed.cubex
tarry cube clean -c a.cubex -o reduced.cubex && same a.csv reduced.cubex && follows_rules reduced.cubex
follows_rules our_diff.cubex && follows_rules our_cut.cubex

# What holds by arithmetic: a - a is nothing; (a - b) merged parts are a - b; pruning moves time, it loses none.
tarry cube diff a.cubex a.cubex -o - | tarry cube dump --csv -m time,visits - | tail -n +2 | grep . && failed=1
tarry cube part --ranks 1-2 --invert a.cubex -o others.cubex && tarry cube merge part.cubex others.cubex -o whole.cubex &&
  same a.csv whole.cubex
total() { tarry cube info "$1" | awk '$1 == "time" { print $2 }'; }
test "$(total pruned.cubex)" = "$(total a.cubex)" || { echo "FAILED: pruning loses time"; failed=1; }

# remaps_to GOLD.csv REPORT: with the specification that it contains, the report has the values of the reference's
# post-processing, and no others.
remaps_to() {
  tarry cube remap -d "$2" -o - >remapped.cubex && follows_rules remapped.cubex && tarry cube dump --csv remapped.cubex >ours.csv &&
    "$PYTHON" "$TARRY_ROOT/tests/peer/compare_reports.py" "$1" ours.csv >differences ||
    { grep -v ' 0 differ$' differences; echo "FAILED: $2"; failed=1; }
  echo "$2, remapped: $(tail -1 differences)"
}
cd ../..
tar -xJf "$TARRY_ROOT/tests/data/peer/summary-gold.tar.xz" -C peer
for case in $(unpack_peer_cases zoo-4 sweep3d-4 npb-lu-S-4 npb-cg-S-4 sp-mz-S-2x2 bt-mz-S-2x2); do
  remaps_to "peer/summary-gold/${case##*/}.csv" "$case/profile.cubex"
  test ! -e "$case/scout.cubex" || remaps_to "$case/gold.csv" "$case/scout.cubex"
done
exit $failed
