# explorer_study.sh -- a page of many runs (tarry explore --store): what each view says is what the commands say that it
# names, for real runs, for a history with a step, and for names that would be HTML.
# timeout 300
# no-san
set -eu
fail() { echo "$1"; exit 1; }
. "$TARRY_ROOT/tests/pipeline/browser.bash"
add() { tarry store add -q "$@" >>added; }
make_program() { "$PYTHON" "$TARRY_ROOT/tests/report/make_program.py" "$@"; }

# Real runs of 1, 2, 4 and 8 processes, two of each, and a second study: one with more work, by a parameter.
"$MPICC" -O2 -g -o heat "$TARRY_ROOT/tests/apps/halo_exchange.c" -lm
for ranks in 1 2 4 8; do
  for repeat in 1 2; do
    tarry measure -q -s -o heat-$ranks-$repeat -- mpirun -np $ranks ./heat 40 >/dev/null
  done
  make_program made-$ranks.cubex --ranks $ranks --program made --scale solve=$ranks
done
add --store study.db --param layout=rows --tag first heat-*
add --store study.db made-*.cubex
# Twelve commits of three runs each; from the seventh on all take 20 % more.
mkdir commits
"$TARRY_BUILD/bench/make_reports" commits 36 2 3 2 1 0.01 19 0.2
for commit in $(seq 0 11); do
  # shellcheck disable=SC2046
  add --store study.db --commit "$(printf 'c%02d' "$commit")" \
    $(seq -f 'commits/%06g.cubex' $((commit * 3 + 1)) $((commit * 3 + 3)))
done
tarry explore --store study.db -o study.html
check check_blocks.py study.html
tarry explore -q --store study.db -o again.html
cmp study.html again.html 2>differ && fail "the page does not name its command"
tarry explore --store study.db -o - | cat >piped.html
[ "$(wc -c <piped.html)" -gt 100000 ] || fail "no page to a pipe"
check check_study.py study.html --steps "$(for metric in $(tarry store query --store study.db \
  'SELECT DISTINCT metric FROM run_metrics' | sed 1d); do tarry history "$metric" --store study.db --format csv || :; done |
  awk -F, '$7 == 1' | wc -l)" --studies 3

# Only some runs; redacted, no folder, argument or host is in the page.
tarry explore --store study.db --where 'program = heat and ranks >= 2' --scaling weak --at 512 -o some.html
check check_study.py some.html --studies 1 --steps 0 --values 300
tarry explore --redact --store "$PWD/study.db" -o mail.html
check check_blocks.py mail.html --without "$PWD" --without "heat 40" --without "$(hostname)"

# Names that would be HTML, a script, SQL or quotes of conditions.
script=$'</script><script>window.hostile = 1</script><img src=x onerror="hostile = 1">]]>-->\'"&lt;\e[31m\xe2\x80\xae'
for ranks in 1 2 4 8; do
  make_program hostile-$ranks.cubex --ranks $ranks --program "$script" --names "<b>$script" "'; DROP TABLE metric; --"
done
add --store hostile.db --commit "$script" --tag "$script" --param "n=$script" hostile-[124].cubex
add --store hostile.db --param "m=$script" hostile-8.cubex
tarry explore --store hostile.db -o hostile.html
grep -q '<img src=x' hostile.html && fail "a name is in the page as it is"
check check_study.py hostile.html --studies 2 --steps 0
