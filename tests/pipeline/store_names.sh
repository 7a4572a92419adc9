# store_names.sh -- names with workflow commands, markup and control characters are names in all that tools print.
set -euo pipefail
fail() { echo "$*"; exit 1; }
"$TARRY_BUILD/bench/make_reports" . 40 2 3 2 5 0.01 21 0.05
parse() { python3 -c "import sys, xml.dom.minidom as x; x.parse('$1' if '$1' else sys.stdin)"; }

# No line but those of the tool begins as a command for a workflow, and none acts upon a terminal.
plain() {
  ! grep -q $'[\x01-\x08\x0b-\x1f]' "$1" || fail "$1: a control character"
  [ "$(grep -c '^::' "$1")" -eq "$2" ] || { cat "$1"; fail "$1: not $2 commands"; }
}

# Twenty commits with two runs each; a step at the eleventh.
commit=$'x\n::error::pwned%0A::set-output name=a::b\r\n\x1b[2J<script>]]>"\'; DROP TABLE tag; --'
program=$'prog\n::warning::x %25 \x01 \xff <script>]]>'
for i in $(seq 0 19); do
  tarry store add --store names.db --commit "$commit c$i" --program "$program" --param $'p=h\n::error::in %0D' \
    --tag "$commit $i" --date "2026-01-$((i + 10))T00:00:00Z" "$(printf '%06d.cubex' $((i * 2 + 1)))" "$(printf '%06d.cubex' $((i * 2 + 2)))" \
    >printed
  plain printed 0
done

for format in github text junit; do
  status=0
  tarry history time --store names.db --format $format --picture names.svg >$format || status=$?
  [ $status -eq 1 ] || fail "$format: status $status"
done
plain github 1
grep '^::error title=time moved::' github | grep -q 'c10' || fail "the annotation names another commit"
! sed 's/^::error title=[^:]*:://' github | grep -q '%0A\|%0D' || fail "an encoded line break"
plain text 0
plain junit 0
plain names.svg 0
parse junit
parse names.svg
! grep -qi '<script' junit names.svg || fail "markup"
for tool in "store list" "store show" "store show -m time" "scale" "store tag $commit"; do
  # shellcheck disable=SC2086
  tarry $tool --store names.db >printed 2>&1 || true
  plain printed 0
done
tarry store query --store names.db "SELECT revision, program, char(27, 65, 0, 66, 127, 155) AS \"${commit//\"/\"\"}\" FROM runs" >printed
plain printed 0
! grep -q $'[\x7f\xff]\|\xc2\x9b' printed || fail "query: a character that is no text"
grep -qF '\x1bA\x00B\x7f\u009b' printed || fail "query: no escapes"
tarry store query --store names.db --format json "SELECT char(27, 65, 127, 155) AS x" >printed
[ "$(cat printed)" = '{"x": "\u001bA\u007f\u009b"}' ] || fail "query: no escapes in JSON"
tarry store query --store names.db --raw "SELECT revision FROM runs" | python3 -c '
import csv, sys
assert all("\n::error::pwned%0A" in row[0] and "\x1b[2J" in row[0] for row in list(csv.reader(sys.stdin))[1:])' ||
  fail "query --raw changes names"
tarry store verify --store names.db >printed
tarry store show --store names.db "$commit 3" >printed
plain printed 0
tarry cube cmp --store names.db --format github 000040.cubex >printed || true
plain printed "$(grep -c '^::error title=' printed)"
for word in "$commit" "x' OR '1'='1" 'last; DROP TABLE tag'; do
  ! tarry store show --store names.db "$word" >/dev/null 2>printed || fail "'$word' is a run"
  plain printed 0
done

# What programs read is whole.
tarry history time --store names.db --format json >history.json || true
tarry store list --store names.db --format json >list.json
tarry store export --store names.db -o names.jsonl
python3 - <<'END'
import json
assert len(json.load(open("history.json"))["histories"][0]["points"]) == 20
assert "\n::error::pwned%0A" in json.load(open("list.json"))["runs"][0]["commit"]
for line in open("names.jsonl"):
    json.loads(line)
END
tarry store export --store names.db --format xml >names.xml
parse names.xml
tarry scale --store names.db --svg plots >/dev/null
for picture in plots/*.svg; do parse "$picture"; plain "$picture" 0; done
tarry store import --store other.db names.jsonl >printed
plain printed 0
tarry store export --store other.db | cmp - names.jsonl || fail "names change on their way"
