# failures.sh -- what is no report, and what must not be written.
command -v tarry-explore >/dev/null || { echo "built without the explorer"; exit 77; }
"$PYTHON" "$TARRY_ROOT/tests/report/make_program.py" a.cubex
mkdir folder
echo text > text
try() { tarry explore "$@"; echo "status $?"; }
try
try a.cubex
try missing.cubex -o out.html
try text -o out.html
try folder -o out.html
try a.cubex missing.cubex -o out.html
try a.cubex -o folder
try a.cubex -o a.cubex
try a.cubex -o folder/none/out.html
try --verbatim a.cubex -o out.html
try - -o out.html < /dev/null
try - - -o out.html < a.cubex
try --repeats 2 a.cubex a.cubex -o out.html
try --what-if 0 a.cubex -o out.html
try --what-if 1 --no-what-if a.cubex -o out.html
echo old > out.html
try text -o out.html
cat out.html
ls
