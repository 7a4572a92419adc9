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

# What asks for different things is refused.
for options in "--iterations step --overheads" "--iterations step --region compute" "--iterations step --files" \
  "--overhead OSYN --iterations step" "--csv --json" "--files --source-path ." "--csv --source-path ." \
  "--iterations step --source-path ." "--overheads --source-path ." "--overheads --metric time"; do
  tarry report $options a.cubex; echo "$options: status $?"
done
