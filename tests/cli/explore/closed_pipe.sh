# closed_pipe.sh -- a reader that has seen enough of a page is no failure.
command -v tarry-explore >/dev/null || { echo "built without the explorer"; exit 77; }
"$PYTHON" "$TARRY_ROOT/tests/report/make_program.py" run.cubex
without_reader() { "$PYTHON" "$TARRY_ROOT/tests/cli/without_reader.py" "$@"; }
without_reader tarry explore --help
without_reader tarry explore --version
without_reader tarry explore -q run.cubex -o -
