# tables.sh -- what the printing operations say of one report.
"$PYTHON" "$TARRY_ROOT/tests/report/make_program.py" a.cubex
"$PYTHON" "$TARRY_ROOT/tests/report/make_program.py" b.cubex --scale solve=1.5
for command in "stat -m time,visits" "stat -i --by callpath --csv -r solve" "topn -n 2" "topn -i --by callpath" regioninfo sanity; do
  echo "== $command"
  tarry cube $command a.cubex; echo "status $?"
done
echo "== of a difference"
tarry cube diff a.cubex b.cubex -o - | tarry cube sanity -; echo "status $?"
tarry cube diff a.cubex b.cubex -o - | tarry cube topn -n 1 -
