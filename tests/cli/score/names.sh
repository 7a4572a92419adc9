# names.sh -- score shows functions of C++ without arguments; what differs only in these keeps them, and programs that
# read the output get whole names, as filters do.
make() { "$PYTHON" "$TARRY_ROOT/tests/report/make_program.py" "$@"; }
score() { tarry score --cost-per-event 10ns "$@" | grep -E 'Grid|Solver|^region|^callpath|^EXCLUDE'; }
setup='void Grid<double>::fill(std::vector<int> const&)'
make a.cubex --names "$setup" 'Solver<Grid<double> >::step(int)'
make same.cubex --names "$setup" 'void Grid<float>::fill(std::vector<int> const&)'
for form in "" "--by callpath" --full-names "--by callpath --full-names" --csv; do
  echo "== $form"
  score $form a.cubex
done
echo "== two instances of a template"
score same.cubex
score --by callpath same.cubex
echo "== one of them is shown"
score --top 2 --sort time same.cubex
echo "== a filter"
tarry score --cost-per-event 10ns -g - --min-time-per-visit 1h a.cubex | grep -E 'Grid|Solver'
