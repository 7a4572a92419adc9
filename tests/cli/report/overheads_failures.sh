# overheads_failures.sh -- what is wrong with options of overheads is told in one line.
"$PYTHON" "$TARRY_ROOT/tests/report/make_analysis.py" a.cubex
tarry report --overhead OSYNC a.cubex; echo "status $?"
tarry report --overhead OSYN,, a.cubex; echo "status $?"
tarry report --region nowhere a.cubex; echo "status $?"
tarry report --cost page-faults=250ns a.cubex; echo "status $?"
tarry report --cost time=1s a.cubex; echo "status $?"
for cost in page-faults page-faults= =1s page-faults=fast page-faults=-1s; do
  tarry report --cost $cost a.cubex; echo "status $?"
done
tarry report --reference nothing.cubex a.cubex; echo "status $?"
tarry report --overheads --files a.cubex; echo "status $?"
