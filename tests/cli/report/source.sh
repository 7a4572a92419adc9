# source.sh -- function, file, line and the source line itself; names and width.
"$PYTHON" "$TARRY_ROOT/tests/report/make_cubex.py" a.cubex
mkdir -p code/src
printf 'void ring(int n) {\n' > code/src/ring.cc
yes 'int i;' | head -20 > ring.c
echo "== from the working folder"
tarry report a.cubex | sed -n '/most of/,/ring.c:/p'
echo "== with --source-path"
COLUMNS=60 tarry report --full-names --source-path code/src a.cubex | sed -n '/most of/,/ring.c:/p'
echo "== for programs"
tarry report --csv a.cubex | sed -n 's/^callpath,time,5/5/p'
tarry report --json --source-path code/src a.cubex | "$PYTHON" -c '
import json, sys
for path in json.load(sys.stdin)["callpaths"][:2]:
    print([path[key] for key in ("function", "file", "line")], path.get("source"))'
rm ring.c; mkfifo ring.c
echo "== no pipe is read"
tarry report a.cubex | grep -c 'ring.c:10$'
