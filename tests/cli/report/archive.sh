# archive.sh -- of an archive the analysis is taken, else the summary.
make() { "$PYTHON" "$TARRY_ROOT/tests/report/$1.py" "$2"; }
mkdir run
tarry report run; echo "status $?"
echo "<tarry-archive/>" > run/manifest.xml
tarry report run; echo "status $?"
make make_cubex run/summary.cubex
tarry report run | head -1
make make_analysis run/analysis.cubex
tarry report run | head -1
