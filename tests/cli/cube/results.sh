# results.sh -- results go where they are wanted and nowhere else; each form of a report has the same values.
make() { "$PYTHON" "$TARRY_ROOT/tests/report/make_cubex.py" "$@"; }
make a.cubex && make b.cubex --big-endian --dense --compressed
values() { tarry cube dump --csv "$@" | sort; }
run() { tarry cube "$@"; echo "status $?"; }
run merge a.cubex b.cubex && ls merge.cubex
run merge a.cubex b.cubex
run diff a.cubex b.cubex -o a.cubex
run diff - - -o x.cubex
run cut a.cubex -o x.cubex
run cut --root nowhere a.cubex -o x.cubex
run part --ranks 9 a.cubex -o x.cubex
run part --ranks 3-1 a.cubex -o x.cubex
run remap a.cubex -o x.cubex
run diff a.cubex missing.cubex -o x.cubex
run diff a.cubex b.cubex -o /nonexistent/x.cubex
ls x.cubex 2>&1 | head -1

run part a.cubex -o x.cubex
# Two equal siblings have become one, whose values are their sums.
tarry cube dump --csv -m visits,time,mpi a.cubex >a.csv && tarry cube dump --csv -m visits,time,mpi merge.cubex >merge.csv
"$PYTHON" "$TARRY_ROOT/tests/peer/compare_reports.py" a.csv merge.csv | tail -1
tarry cube convert a.cubex -o a.cube && tarry cube convert a.cube -o - | tarry cube dump --csv -m visits,time,mpi,min_time - | sort >back
cmp <(values -m visits,time,mpi,min_time a.cubex) back && echo "version 3 and back: the same"
cat >my.spec <<'SPEC'
<metrics>
  <metric><!-- copied --><disp_name>T</disp_name><uniq_name>time</uniq_name><dtype>FLOAT</dtype><uom>sec</uom>
    <metric type="PREDERIVED_EXCLUSIVE"><disp_name>Sends</disp_name><uniq_name>sends</uniq_name><dtype>FLOAT</dtype>
      <cubepl>${s}[${calculation::callpath::id}] * metric::time(e)</cubepl>
      <cubeplinit>{ global(s); ${i} = 0; while (${i} < ${cube::#callpaths}) {
        if (${cube::region::name}[${cube::callpath::calleeid}[${i}]] =~ /^MPI_Send$/) { ${s}[${i}] = 1; };
        ${i} = ${i} + 1; }; return 0; }</cubeplinit></metric></metric>
</metrics>
SPEC
tarry cube remap -r my.spec a.cubex -o r.cubex && tarry cube info r.cubex | tail -6
tarry cube remap -d -r my.spec a.cubex -o s.cubex && cmp <(values -m sends r.cubex) <(values -m sends s.cubex) && echo "stored: the same"
for report in merge.cubex r.cubex s.cubex; do "$PYTHON" "$TARRY_ROOT/tests/report/check_cubex.py" $report; done
tarry cube diff a.cubex b.cubex -o - >/dev/full; echo "status $?"
