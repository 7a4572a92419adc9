# calltree_forms.sh -- levels, order, both ends of the tree, CSV, collapsed stacks, names, width; wrong usage.
"$PYTHON" "$TARRY_ROOT/tests/report/make_cubex.py" a.cubex --names-end '(std::vector&lt;int&gt;) const'
run() { echo "\$ calltree $*"; tarry cube calltree "$@" a.cubex; }
run -i --depth 2
run --min-percent 20 --sort visits
run --sort name
run --bottom-up
run --bottom-up --csv --depth 2
run --csv -i --depth 1
run --folded
run --folded --depth 2 --full-names
COLUMNS=1 run -i --depth 3 --full-names
COLUMNS=abc run -i --depth 1 --full-names
for wrong in --depth=0 "--folded --csv" "--bottom-up -i" --min-percent=101 "--bottom-up --sort visits"; do
  tarry cube calltree $wrong a.cubex
  echo "status $?"
done
tarry cube calltree --sort nothing a.cubex; echo "status $?"
tarry cube calltree --folded -m min_time a.cubex; echo "status $?"
