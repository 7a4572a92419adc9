# archives.sh -- where a report is wanted, an archive will do: its analysis, else its summary.
make() { "$PYTHON" "$TARRY_ROOT/tests/report/make_program.py" "$@"; }
mkdir old new analysed
make old/summary.cubex && make new/summary.cubex --scale solve=2
cp old/summary.cubex analysed/ && make analysed/analysis.cubex --scale solve=3
run() { tarry cube "$@"; echo "status $?"; }
for operation in info dump calltree stat topn regioninfo sanity; do
  cmp <(tarry cube $operation new) <(tarry cube $operation new/summary.cubex) && echo "$operation: the summary"
done
run topn -v -n 1 analysed
run diff new old -o change.cubex
run calltree change.cubex
run cmp old new
run cmp old analysed
run test 'incl(time) > 1.1*base' base=old new
run part --ranks 0 new/ -o new/summary.cubex
run cut --root solve new -o - >cut.cubex && tarry cube calltree cut.cubex
