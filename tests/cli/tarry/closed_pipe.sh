# closed_pipe.sh -- a reader that has seen enough (`| head`) is no failure of any tool, and a verdict remains one.
tar -xJf "$TARRY_ROOT/tests/data/peer/micro.tar.xz"
trace=micro/g1-late-sender-chain/traces.otf2
tarry merge -q --from otf2 $trace -o run && tarry replay -q run || exit 1
"$PYTHON" "$TARRY_ROOT/tests/report/make_program.py" old.cubex
"$PYTHON" "$TARRY_ROOT/tests/report/make_program.py" slow.cubex --scale solve=2
without_reader() { "$PYTHON" "$TARRY_ROOT/tests/cli/without_reader.py" "$@"; }
for arguments in "" "--help" "help replay"; do without_reader tarry $arguments; done
for tool in instrument measure score unify sync replay predict merge cube report archive; do
  without_reader tarry $tool --help
  without_reader tarry $tool --version
done
without_reader tarry cube dump --csv old.cubex
without_reader tarry cube diff slow.cubex old.cubex -o -
without_reader tarry cube cmp old.cubex slow.cubex
without_reader tarry cube cmp old.cubex old.cubex
without_reader tarry score old.cubex
without_reader tarry report run
without_reader tarry report --json run
without_reader tarry archive dump run
without_reader tarry archive verify run
without_reader tarry merge run --to csv -o -
without_reader tarry sync run --check
without_reader tarry replay -q run -o -
without_reader tarry replay --list-patterns
without_reader tarry predict run
