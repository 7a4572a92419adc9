# store.sh -- a page of the runs of a store, and what is wrong with one.
command -v tarry-explore >/dev/null || { echo "built without the explorer"; exit 77; }
try() { tarry explore "$@"; echo "status $?"; }
blocks() { "$PYTHON" "$TARRY_ROOT/tests/explorer/check_blocks.py" "$@"; }
for ranks in 1 2 4; do
  "$PYTHON" "$TARRY_ROOT/tests/report/make_program.py" r$ranks.cubex --ranks $ranks --program app
done
tarry store add -q --store runs.db --param layout=rows r1.cubex r2.cubex >added
tarry store add -q --store runs.db --param layout=columns r4.cubex >added
try --store runs.db -o page.html
blocks page.html --print index | grep -o '"title": "app[^}]*"block": "[^"]*"'
try --store runs.db --where 'ranks <= 2' --scaling weak --at processes=64 --metric time -o some.html
blocks some.html --print index | grep -o '"command": "[^}]*"'
# Without models: no parameter of this name varies.
try -q --store runs.db --at n=64 -o other.html
blocks other.html --print s0.study | grep -o '"why": "--at.*"'
# What is wrong.
try --store runs.db r1.cubex -o out.html
try --store missing.db -o out.html
try --store r1.cubex -o out.html
try --store runs.db --where 'ranks > 100' -o out.html
try --store runs.db --where 'ranks >' -o out.html
try --store runs.db --scaling sideways -o out.html
try --store runs.db --at nowhere -o out.html
try --store runs.db -o runs.db
try --where 'ranks > 1' r1.cubex -o out.html
tarry store rm -q --store runs.db 1 2 3 >removed
try --store runs.db -o out.html
ls
