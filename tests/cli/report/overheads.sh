# overheads.sh -- overheads as SCALEA classifies them: the tree, a region, the call paths of a class, a reference run.
"$PYTHON" "$TARRY_ROOT/tests/report/make_analysis.py" a.cubex
tarry report --overheads a.cubex
echo
tarry report --region compute a.cubex | sed -n 1,4p
echo
tarry report --overheads --overhead osyn,ODATA_COL a.cubex
tarry report --overheads --csv a.cubex | grep -E '^(overhead|COMP|OSYN_COL|OADD_COMP|ODATA),'
tarry report --overhead OSYN --csv a.cubex
echo
tarry report --reference a.cubex a.cubex | sed -n 2,6p
tarry report --overheads --json a.cubex |
  "$PYTHON" -c 'import json, sys; found = json.load(sys.stdin); print(found["version"], found["allocation"], found["classes"][-1])'
"$PYTHON" "$TARRY_ROOT/tests/report/make_analysis.py" part.cubex --without-waits --incomplete 'rank 1 was killed'
tarry report --overheads part.cubex | grep -E 'INCOMPLETE|No wait'
