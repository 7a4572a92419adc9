# steps.sh -- a step, its places, and what each form says of it; counts have no noise.
"$TARRY_BUILD/bench/make_reports" . 24 2 3 3 7 0.01 13 0.05
for i in $(seq 1 24); do
  printf -v file '%06d.cubex' "$i"
  printf -v day '%02d' "$i"
  tarry store add "$file" --store runs.db --commit "c$(((i - 1) / 2))" --date "2026-01-${day}T10:00:00Z" >/dev/null
done
try() { echo "\$ tarry history $*"; tarry history "$@" --store runs.db; echo "status $?"; }
try time
try time --fail-on 20%
try time --only decrease
try time --region region_1 --last 12
try time --where 'commit != c6' --format github
try time --format junit
try time --format json --call-path program/region_1 | head -8
try time --format csv | tail -4
try visits
try tme
try time --region nope
try time --where 'x'
try time --fail-on -3%
