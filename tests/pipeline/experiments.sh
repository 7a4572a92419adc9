# experiments.sh -- the study of docs/EXPERIMENTS.md, on 1, 2, 4 and 8 processes, as the page shows it.
# timeout 240
# no-san
set -eu
fail() { echo "$1"; exit 1; }
ln -s "$TARRY_ROOT/tests" tests
unset OMPI_MCA_rmaps_base_oversubscribe  # the page says what two cores need
"$PYTHON" "$TARRY_ROOT/tests/pipeline/document_steps.py" "$TARRY_ROOT/docs/EXPERIMENTS.md" >study.sh
command -v tarry-explore >/dev/null || sed -i '/^tarry explore/d' study.sh
[ "$(grep -c '^tarry ' study.sh)" -ge 3 ] || fail "the page has no steps"
sh -eu study.sh >tables || fail "a step of the page fails"
cat tables

# Each run is there, and the table has the eight of them.
[ "$(grep -c '^  processes=[1248]  *2 ' tables)" -eq 4 ] || fail "four numbers of processes, two runs each"
grep -q '^ *Load balance' tables || fail "no POP efficiencies"
grep -q '^  Computation  *[0-9.]*%' tables || fail "no time by kind"
# Times have a model, whatever this machine makes of them; the calls of each process are the same on any number of them.
"$PYTHON" - <<'CHECK'
import csv
rows = {(row["callpath"], row["metric"]): row for row in csv.DictReader(open("models.csv"))}
assert rows["heat/main", "time"]["constant"], rows["heat/main", "time"]
visits = next(row for (path, of), row in rows.items() if path.endswith("/MPI_Isend") and of == "visits")
assert visits["terms"] == "[]" and float(visits["constant"]) == 200, visits
assert len({path for path, _ in rows}) > 5, rows.keys()
CHECK
for plot in speedup efficiency models-time time time-shares; do
  "$PYTHON" -c 'import sys, xml.dom.minidom as xml; xml.parse(sys.argv[1])' "plots/$plot.svg" || fail "$plot.svg"
done
if command -v tarry-explore >/dev/null; then
  # The models of the page are those of the table.
  "$PYTHON" "$TARRY_ROOT/tests/explorer/check_blocks.py" study.html --print s0.study >study.json || fail "no page"
  "$PYTHON" - <<'CHECK'
import csv, json
models = {(row["callpath"], row["metric"]): row["model"] for row in json.load(open("study.json"))["callpath"]["models"]}
rows = list(csv.DictReader(open("models.csv")))
assert len(rows) == len(models) > 5, (len(rows), len(models))
for row in rows:
    model = models[row["callpath"], row["metric"]]
    assert (model is None) == (row["constant"] == ""), row
    assert model is None or (json.loads(row["terms"]), float(row["constant"])) == (model["terms"], model["constant"]), row
CHECK
fi

# Reports of the folders say the same as those of the store.
tarry scale runs/* --csv | sort >from_folders
sort models.csv | cmp - from_folders || fail "the store has other values"
tarry scale --store study.db --where 'ranks >= 4' --json | "$PYTHON" -c '
import json, sys
study = json.load(sys.stdin)
assert [c["parameters"]["processes"] for c in study["configurations"]] == [4, 8], study["configurations"]
assert all(row["model"] is None and row["why"] == "not enough points" for row in study["models"])'
