# pages.sh -- pages to files and streams are the same, and every report can have one; what is damaged is said.
command -v tarry-explore >/dev/null || { echo "built without the explorer"; exit 77; }
make() { "$PYTHON" "$TARRY_ROOT/tests/report/make_cubex.py" "$@"; }
blocks() { "$PYTHON" "$TARRY_ROOT/tests/explorer/check_blocks.py" "$1" >/dev/null && echo "$1: intact"; }
make a.cubex
make b.cubex --big-endian --compressed --gzip-anchor
"$PYTHON" "$TARRY_ROOT/tests/report/make_program.py" p.cubex
tarry explore a.cubex -o a.html; echo "status $?"
blocks a.html
tarry explore a.cubex -o - > stream.html; echo "status $?"
tarry explore - -o - < a.cubex > both.html; echo "status $?"
# They differ in the command and the name of the input only.
for page in a stream both; do "$PYTHON" "$TARRY_ROOT/tests/explorer/check_blocks.py" $page.html --digest; done | sort -u | wc -l
tarry explore a.cubex b.cubex p.cubex -o three.html; echo "status $?"
blocks three.html
# A report replaces an old page in one step.
tarry explore p.cubex -o a.html; echo "status $?"
blocks a.html
make cut.cubex --anchor-first --cut 1600
tarry explore cut.cubex -o cut.html; echo "status $?"
tarry explore --strict cut.cubex -o cut.html; echo "status $?"
blocks cut.html
ls
