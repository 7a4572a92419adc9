# efficiency_failures.sh -- what is wrong with options of efficiencies is told in one line.
tar -xJf "$TARRY_ROOT/tests/data/peer/micro.tar.xz"
chain=micro/g1-late-sender-chain/traces.otf2
"$PYTHON" "$TARRY_ROOT/tests/report/make_analysis.py" a.cubex
run() { tarry report "$@"; echo "status $?"; }
run --scaling weak a.cubex
run --efficiency --scaling stronger a.cubex
run --efficiency --like paraver a.cubex
run --efficiency --iteration 1 $chain
run --efficiency --iteration one --region compute $chain
run --efficiency --region nowhere $chain
run --efficiency --region nowhere a.cubex
run --efficiency --region main --iteration 7 $chain
run --efficiency --region compute --iteration 7 a.cubex
run --efficiency --overheads a.cubex
run --efficiency --files a.cubex
run --efficiency --iterations compute a.cubex
run a.cubex a.cubex
run --efficiency a.cubex nothing
run --efficiency -o a.cubex a.cubex
mkdir empty
run --efficiency empty
