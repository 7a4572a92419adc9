# efficiency.sh -- POP's efficiencies side by side, of traces and reports; machine forms; the options of it.
tar -xJf "$TARRY_ROOT/tests/data/peer/micro.tar.xz"
chain=micro/g1-late-sender-chain/traces.otf2
hybrid=micro/g5-hybrid/traces.otf2
"$PYTHON" "$TARRY_ROOT/tests/report/make_analysis.py" a.cubex --incomplete 'rank 1 was killed'
tarry report --efficiency $chain
echo
tarry report --efficiency --scaling weak $chain $hybrid a.cubex
echo
tarry report --efficiency --csv $chain
tarry report --efficiency --json $hybrid
echo
"$PYTHON" "$TARRY_ROOT/tests/report/make_analysis.py" counted.cubex --counters 1
"$PYTHON" "$TARRY_ROOT/tests/report/make_analysis.py" slower.cubex --counters 0.5
tarry report --efficiency counted.cubex slower.cubex | sed '1,4d'
tarry report --efficiency --csv counted.cubex a.cubex | grep _scaling
echo
tarry report --efficiency --region compute a.cubex | sed -n 1,8p
