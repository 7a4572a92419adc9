# changes.sh -- what changed, for people: the largest change first, factors instead of huge percentages, and before all
# else what makes reports hard to compare.
make() { "$PYTHON" "$TARRY_ROOT/tests/report/make_program.py" "$@"; }
make old.cubex && make new.cubex --scale solve=1.25 --scale setup=40 --scale main=0
make one.cubex --ranks 1 && make other.cubex --program other
run() { tarry cube "$@"; echo "status $?"; }
echo "== cmp"
run cmp --per callpath old.cubex new.cubex
run cmp one.cubex old.cubex
run cmp --format github one.cubex old.cubex
run cmp old.cubex one.cubex other.cubex
echo "== diff"
run diff new.cubex old.cubex -o change.cubex
run diff new.cubex old.cubex -o change.cubex -n 2
tarry cube diff -n 5 new.cubex old.cubex -o - | tarry cube topn -n 1 - || echo "on stdout: more than the report"
