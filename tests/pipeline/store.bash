# store.bash -- what a store must do, whichever database it is in: check_store STORE NAME.

make_inputs() {
  unpack_peer_cases npb-lu-S-4 zoo-4 >/dev/null
  "$TARRY_BUILD/bench/make_reports" . 8 4 30 6 1 0.01
  hostile=$'x\'); DROP TABLE experiment; --\x1b[2J"`$(touch hacked)<&>'
}

fail() { echo "$store: $*"; exit 1; }

# Values, trees and files come out as they went in.
check_round_trip() {
  local report got=$1.cubex
  for report in peer/npb-lu-S-4/scout.cubex peer/npb-lu-S-4/profile.cubex peer/zoo-4/scout.cubex 000001.cubex; do
    tarry store add --store "$store" "$report" --tag trip --param "n=$((RANDOM % 9 + 1))" >/dev/null
    tarry store export --store "$store" last --format cubex -o "$got"
    tarry cube dump --csv "$report" >want.csv
    tarry cube dump --csv "$got" | cmp - want.csv || fail "$report: other values"
    tarry store export --store "$store" last --format csv | sed '1d; s/^[0-9]*,//' | sort >got.csv
    sed 1d want.csv | sort | cmp - got.csv || fail "$report: other values in CSV"
    tarry store export --store "$store" last -o run.jsonl
    rm -f other.db*
    tarry store import --store other.db run.jsonl >/dev/null
    tarry store export --store other.db last --format cubex -o other.cubex
    cmp "$got" other.cubex || fail "$report: JSON Lines lose something"
    tarry store export --store "$store" last --format xml | python3 -c 'import sys, xml.dom.minidom as x; x.parse(sys.stdin)'
  done
}

check_questions() {
  local total
  tarry store add --store "$store" 000001.cubex 2>&1 | grep -q 'already' || fail "adding twice is not told"
  tarry store list --store "$store" --format csv | grep -c . | grep -qx 5 || fail "not four runs are listed"
  tarry store list --store "$store" --where 'program ~ 'zoo*' and ranks >= 4' --format csv | grep -c zoo | grep -qx 1
  tarry store show --store "$store" -m time --region region_3 --format csv >shown.csv
  total=$(tarry cube dump --csv 000001.cubex | awk -F, '$1 == "time" && $2 ~ /region_3$/ { sum += $5 } END { print sum }')
  awk -F, -v want="$total" 'NR == 2 { exit !(($7 - want) ^ 2 < 1e-12 * want ^ 2) }' shown.csv || fail "another total"
  tarry store query --store "$store" "SELECT COUNT(*) AS n FROM runs" | tail -1 | grep -qx 4 || fail "query"
  ! tarry store query --store "$store" "DELETE FROM experiment" 2>/dev/null || fail "a query may change the store"
  ! tarry store query --store "$store" "SELECT 1; DELETE FROM tag" 2>/dev/null || fail "two statements pass"
}

# What is SQL, or acts upon terminals, is a name like any other.
check_hostile() {
  tarry store add --store "$store" 000002.cubex --program "$hostile" --tag "$hostile" --param "p=$hostile" \
    --commit "$hostile" --flags "$hostile" --modules "$hostile" >hostile.out
  ! grep -q $'\x1b' hostile.out || fail "an escape reaches the terminal"
  ! tarry store list --store "$store" | grep -q $'\x1b' || fail "an escape reaches the terminal"
  tarry store list --store "$store" "$hostile" --format csv | grep -c DROP | grep -qx 1 || fail "the tag is not found"
  tarry store list --store "$store" --where "program ~ '*DROP*'" --format csv | grep -q DROP || fail "no such program"
  ! tarry store show --store "$store" -m "$hostile" 2>hostile.err || fail "a metric of this name"
  ! grep -q $'\x1b' hostile.err || fail "an escape reaches the terminal"
  tarry store rm --store "$store" "$hostile" >/dev/null
  tarry store verify --store "$store" | grep -q '4 runs verified' || fail "the tables are not as they were"
  [ ! -e hacked ] || fail "a name was run"
}

check_writers() {
  local writer
  for writer in 3 4 5 6; do
    tarry store add --store "$store" "00000$writer.cubex" >"writer$writer" 2>&1 &
    writers[writer]=$!
  done
  for writer in 3 4 5 6; do wait "${writers[writer]}" || { cat "writer$writer"; fail "a writer fails"; }; done
  tarry store verify --store "$store" | grep -q '8 runs verified' || fail "a writer lost its run"
}

# Killed at any moment: the run is there as a whole, or not at all. $1: how often.
check_kills() {
  local turn before after
  tarry store rm --store "$store" --all >/dev/null
  tarry store add --store "$store" 000007.cubex >/dev/null
  for turn in $(seq "$1"); do
    tarry store rm --store "$store" --where 'tag = killed' >/dev/null
    before=$(tarry store list --store "$store" --format csv | grep -c '^[0-9]')
    [ "$before" -eq 1 ] || fail "kill $turn: $before runs before it"
    tarry store add --store "$store" --tag killed 000008.cubex >/dev/null 2>&1 &
    python3 -c "import random, time; random.seed($turn); time.sleep(random.random() * 0.06)"
    kill -KILL $! 2>/dev/null || true
    wait $! 2>/dev/null || true
    tarry store verify --store "$store" >verified || { cat verified; fail "kill $turn: damaged"; }
  done
  tarry store rm --store "$store" --where 'tag = killed' >/dev/null
  tarry store gc --store "$store" >/dev/null
  tarry store verify --store "$store" | grep -q '1 run verified' || fail "kills lost a run"
}

# A newer version of the tables is refused by both numbers.
check_version() {
  tarry store list --store "$store" >list.before
  "$@"
  for command in "list" "add 000001.cubex" "gc"; do
    # shellcheck disable=SC2086
    ! tarry store $command --store "$store" 2>newer.err || fail "$command takes tables of a newer version"
    grep -q 'version 99' newer.err || { cat newer.err; fail "$command does not name the version"; }
  done
}

check_store() {
  store=$1
  rm -f -- *.db-wal
  check_round_trip "$2"
  check_questions
  check_hostile
  check_writers
  check_kills "$3"
}
