# growth.sh -- traces that are large in one thing alone: with time or memory that grows with the square, with functions
# that call themselves once for each level, or with texts of all paths of a recursion, this runs into its limits.
# no-san
# timeout 300
set -eu
fail() { echo "FAILED: $*"; exit 1; }
grow() { "$TARRY_BUILD/tests/growth/grow_trace" "$1" "$2" "$1"; }
# within MEGABYTES COMMAND...: with so much address space. More workers have more stacks and arenas.
within() { (ulimit -v $(($1 * 1024)); shift; MALLOC_ARENA_MAX=1 exec "$@"); }
replay() {
  within "$1" tarry replay --workers 1 "$2" -o "$2.cubex" 2>"$2.log" || { cat "$2.log"; fail "replay of $2"; }
}
visits() { tarry cube dump --csv -m visits "$1.cubex" | awk -F, 'NR > 1 { sum += $5 } END { print sum }'; }

for kind in siblings roots; do
  grow $kind 100000
  replay 1000 $kind
  test "$(visits $kind)" -ge 400000 || fail "visits of $kind"
done
tarry sync --check siblings >/dev/null || fail 'sync of siblings'
tarry cube calltree siblings.cubex | tail -n +3 | wc -l | grep -qx 100001 || fail 'calltree of siblings'
for operation in diff merge; do
  tarry cube $operation -o $operation.cubex siblings.cubex siblings.cubex || fail "$operation of siblings"
done
tarry cube cmp siblings.cubex merge.cubex >/dev/null || fail 'merging a report with itself changes it'
tarry cube cut --root f7 -o cut.cubex siblings.cubex || fail 'cut of siblings'
tarry score --max-buffer 1K -g filter siblings.cubex >/dev/null || test $? -eq 1 || fail 'score of siblings'

grow recursion 100000
replay 400 recursion
test "$(tarry cube calltree recursion.cubex | wc -c)" -lt 50000000 || fail 'calltree indents without end'
tarry cube dump --csv -m visits recursion.cubex | tail -1 | grep -q '^visits,(call path 100000) \.\.\./f/.*/f,1,0,1$' ||
  fail 'a deep call path is named otherwise'
for command in 'cube sanity' 'cube stat' 'cube stat --inclusive' report score; do
  tarry $command recursion.cubex >/dev/null || fail "$command of recursion"
done
grow chain 100000
replay 500 chain

grow boxes 150000
replay 700 boxes
tarry archive info boxes >/dev/null || fail 'archive info of boxes'
tarry merge --to otf2 boxes -o boxes.otf2 || fail 'export of boxes'
tarry merge --from otf2 boxes.otf2/traces.otf2 -o again || fail 'import of boxes'
tarry sync --check again >/dev/null || fail 'sync of boxes'

grow sends 300000
replay 700 sends
grep -q '600000 messages are sent and never received' sends.log || fail 'sends are counted otherwise'
within 400 tarry merge --to paraver sends -o sends.prv 2>sends.log || { cat sends.log; fail 'sends to Paraver'; }
for kind in leaves receives requests communicators windows epochs counters; do
  grow $kind 100000
  replay 700 $kind
done
